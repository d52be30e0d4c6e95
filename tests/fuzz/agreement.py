"""What must be equal whatever was read: two executions of a model, two judges of a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice

from buchi import _engine
from buchi.checkers.declaration import KernelChecker
from buchi.common.errors import ModelRuntimeError
from buchi.models.bytecode import interpreted
from buchi.models.c_source import c_source
from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import Expr, Model
from buchi.models.kripke import Kripke
from buchi.pipeline import isolation
from buchi.pipeline.dispatch import choose_checker
from buchi.pipeline.judge import Judge, Word
from buchi.pipeline.options import AUTO
from buchi.pipeline.product import build_product
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Edge
from buchi.schemas.forms import BUCHI

STATES = 300
"""States that are explored by the engine."""
COMPARED = 30
"""States whose successors are computed twice."""
BYTES = 64 << 20
SECONDS = 2.0


def control() -> _engine.Control:
    """Return limits: what is read by chance may have any number of states."""
    return _engine.Control(SECONDS, STATES, BYTES)


def execute(model: Model) -> None:
    """Explore a model a little; the interpreter and the evaluator agree on some states."""
    c_source(model)
    evaluator = Evaluator(model)
    with isolation.memory_is_metered():
        engine = interpreted(model)
        assert engine.initial == evaluator.pack(evaluator.initial()), "initial states differ"
        for state in islice(_reached(evaluator), COMPARED):
            _step_alike(engine, evaluator, state)
        with suppress(_engine.ModelError):  # the pipeline tells it in the model's own words
            _engine.explore(engine, control())


def _reached(evaluator: Evaluator) -> Iterator[State]:
    pending = [evaluator.initial()]
    seen = set(pending)
    for state in pending:
        yield state
        for _, successor in _successors(evaluator, state) or ():
            if successor not in seen:
                seen.add(successor)
                pending.append(successor)


def _successors(evaluator: Evaluator, state: State) -> list[tuple[int, State]] | None:
    """Return the successors; None where the model fails."""
    try:
        return evaluator.successors(state)
    except ModelRuntimeError:
        return None


def _step_alike(engine: _engine.Model, evaluator: Evaluator, state: State) -> None:
    expected = _successors(evaluator, state)
    try:
        found = engine.successors(evaluator.pack(state))
    except _engine.ModelError:
        found = None
    packed = None if expected is None else [(command, evaluator.pack(end)) for command, end in expected]
    assert found == packed, f"successors of {evaluator.show(state)} differ"


def evaluate_alike(expr: Expr, model: Model) -> None:
    """An expression is true for the engine where it is for the evaluator."""
    evaluator = Evaluator(model)
    automaton = Automaton(
        propositions=("p",),
        states=1,
        initial=((EVERY_LETTER, 0),),
        edges=(Edge(0, ((1, 0),), 1, 0),),
        sets=1,
        acceptance=BUCHI,
    )
    with isolation.memory_is_metered():
        product = build_product(model, interpreted(model), automaton, {"p": expr}, stutter=True)
        assert _truth(product) == _value(evaluator, expr)


def _truth(product: _engine.Product) -> bool | None:
    try:
        return bool(product.post(product.initial()[0][0]))
    except _engine.ModelError:
        return None


def _value(evaluator: Evaluator, expr: Expr) -> bool | None:
    try:
        return bool(evaluator.evaluate(expr, evaluator.initial()))
    except ModelRuntimeError:
        return None


def words(propositions: tuple[str, ...]) -> Iterator[Word]:
    """Yield a few words; the letters look random and are always the same."""
    for number, (prefix, cycle) in enumerate([(0, 1), (1, 2), (2, 3), (0, 4)]):
        letters = [_letter(10 * number + i, len(propositions)) for i in range(prefix + cycle)]
        yield Word(propositions, letters[:prefix], letters[prefix:])


def _letter(number: int, width: int) -> int:
    return (number + 1) * 0x9E3779B97F4A7C15 >> 7 & ((1 << width) - 1)


def judged_alike(automaton: Automaton, *judges: Judge) -> None:
    """The checker that would be chosen accepts the words that Spot accepts, however Spot got the automaton."""
    for word in words(automaton.propositions):
        accepted = engine_accepts(automaton, word)
        for judge in judges:
            assert judge(word) == accepted, f"{word.prefix} · {word.cycle}^ω: the engine says {accepted}"


def engine_accepts(automaton: Automaton, word: Word) -> bool:
    """Search the product with a model whose only run is the word."""
    if not automaton.acceptance:
        return False
    model, meanings = _model_of(word)
    checker = choose_checker(AUTO, automaton).checker
    assert isinstance(checker, KernelChecker)
    with isolation.memory_is_metered():
        product = build_product(model, interpreted(model), automaton, meanings, stutter=True)
        limits = _engine.Control(0.0, 0, BYTES)
        return _engine.check(checker.kernel, product, automaton.acceptance, limits).accepting


def _model_of(word: Word) -> tuple[Model, Mapping[str, Expr]]:
    letters = [*word.prefix, *word.cycle]
    names = tuple(f"p{i}" for i in range(len(word.propositions)))
    labels = [frozenset(name for i, name in enumerate(names) if letter >> i & 1) for letter in letters]
    edges = [[i + 1] for i in range(len(letters) - 1)] + [[len(word.prefix)]]
    model = Kripke(names, edges, labels).model()
    return model, {p: model.constants[name] for p, name in zip(word.propositions, names, strict=True)}
