"""The interpreter, the compiled code and the reference in plain Python agree state for state."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from random import Random

import pytest
from data import needs_data, published_states
from random_models import BINARY, EDGES, UNARY, random_model

from buchi import _engine
from buchi.common.errors import InputError, ModelRuntimeError
from buchi.models import backends
from buchi.models.backends import Backend, build, is_huge
from buchi.models.bytecode import interpreted
from buchi.models.c_source import c_source
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import (
    Assign,
    Binary,
    Command,
    Const,
    Element,
    Expr,
    Lookup,
    Model,
    Read,
    Type,
    Unary,
    Variable,
)

MOST_STATES = 40


def outcome(successors: Callable[[bytes], list[bytes]], state: bytes) -> list[bytes] | str:
    """Return the successors, or the word `fault`: the three need not fail in the same words."""
    try:
        return successors(state)
    except (_engine.ModelError, ModelRuntimeError):
        return "fault"


def assert_agreement(model: Model, *engines: _engine.Model) -> int:
    """Compare the successors of some states; return of how many there were any."""
    evaluator = Evaluator(model)

    def reference(state: bytes) -> list[tuple[int, bytes]]:
        successors = evaluator.successors(evaluator.unpack(state))
        return [(command, evaluator.pack(successor)) for command, successor in successors]

    start = evaluator.pack(evaluator.initial())
    assert all(engine.initial == start for engine in engines)
    seen, pending, steps = {start}, [start], 0
    while pending and len(seen) < MOST_STATES:
        state = pending.pop()
        expected = outcome(reference, state)
        for engine in engines:
            assert outcome(engine.successors, state) == expected, (model, state)
        if expected != "fault":
            targets = {target for _, target in expected}
            pending.extend(targets - seen)
            seen |= targets
            steps += bool(expected)
    return steps


def test_interpreter_agrees_with_the_reference() -> None:
    steps = 0
    for seed in range(2_000):
        model = random_model(seed)
        steps += assert_agreement(model, interpreted(model))
    assert steps > 2_000


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_compiled_code_agrees_with_the_reference_and_the_interpreter(first: int) -> None:
    for seed in range(first, first + 10):
        model = random_model(seed)
        assert_agreement(model, interpreted(model), backends.compiled(model))


def every_operation() -> Model:
    """Two indices into the numbers at the edges of types, and a command for each operator on what they point to."""
    left, right, zero = Lookup(0, Read(0)), Lookup(0, Read(1)), Const(0)
    values = [(Binary(sign, left, right), right if sign in "/%" else Const(1)) for sign in BINARY]
    values += [(Unary(sign, left), Const(1)) for sign in UNARY]
    commands = tuple(
        Command("apply", (), Binary("!=", needed, zero), (), (Assign(2, None, value),))
        for value, needed in values
    )
    places = tuple(Variable(name, Type.BYTE) for name in ("left", "right"))
    return Model("every operation", (*places, Variable("result", Type.INT32)), commands, (tuple(EDGES),))


def test_every_operator_on_the_edges_of_types() -> None:
    model = every_operation()
    evaluator, engines = Evaluator(model), (interpreted(model), backends.compiled(model))
    for left, right in itertools.product(range(len(EDGES)), repeat=2):
        state = (left, right, 0)
        expected = [(command, evaluator.pack(end)) for command, end in evaluator.successors(state)]
        assert len(expected) == len(BINARY) + len(UNARY) - 2 * (EDGES[right] == 0)
        for engine in engines:
            assert engine.successors(evaluator.pack(state)) == expected, (EDGES[left], EDGES[right])


def sharing_a_byte() -> Model:
    """Variables of a few bits; commands that ask for each of their values, that need it, and that store it."""
    kinds = (Type.NIBBLE, Type.PAIR, Type.BIT, Type.BIT)
    values = [(i, value) for i, kind in enumerate(kinds) for value in (-1, *range(kind.high + 2))]
    commands = [Command("ask", (), Binary("==", Read(i), Const(value)), (), ()) for i, value in values]
    commands += [Command("at", ((i, value),), None, (), ()) for i, value in values if value >= 0]
    commands += [Command("store", (), None, (), (Assign(i, None, Const(value)),)) for i, value in values]
    variables = (Variable(f"v{i}", kind) for i, kind in enumerate(kinds))
    return Model("a byte", tuple(variables), tuple(commands))


def test_variables_that_share_a_byte() -> None:
    model = sharing_a_byte()
    evaluator, engines = Evaluator(model), (interpreted(model), backends.compiled(model))
    for byte in range(256):
        reference = evaluator.successors(evaluator.unpack(bytes([byte])))
        expected = [(command, evaluator.pack(end)) for command, end in reference]
        for engine in engines:
            assert engine.successors(bytes([byte])) == expected


def with_guards(seed: int) -> Model:
    """Two small variables and an array; commands with conjunctions for guards, parts of which may fail."""
    random = Random(seed)
    a, b, zero = Read(2), Read(0), Const(0)

    def part() -> Expr:
        place: Expr = random.choice([a, b, Element(1, Const(1)), Element(1, a)])
        number = Const(random.choice([0, 1, 2, 70]))
        sides = (place, number) if random.random() < 0.7 else (number, place)
        compared = Binary(random.choice(["==", "==", "==", "!=", "<", ">="]), *sides)
        quotient = Binary("==", Binary("/", Const(2), place), number)
        return random.choice([compared, compared, Unary("not", compared), Binary("or", compared, quotient)])

    def guard() -> Expr:
        return reduce(
            lambda left, right: Binary("and", left, right), [part() for _ in range(1, randint(2, 8))]
        )

    randint = random.randint
    steps = [Assign(i, None, Binary("%", Binary("+", Read(i), Const(1)), Const(3))) for i in (0, 2)]
    commands = [Command("step", (), None, (), (one,)) for one in steps]
    commands += [
        Command("guarded", ((0, randint(0, 2)),) * randint(0, 1), guard(), (), (Assign(1, zero, Const(i)),))
        for i in range(6)
    ]
    places = Variable("b", Type.BYTE), Variable("c", Type.BYTE, 2, (0, 1)), Variable("a", Type.PAIR)
    return Model("guards", places, tuple(commands))


def test_parts_of_guards() -> None:
    """Those that find commands, those that cannot since something before them may fail, and all others."""
    steps = sum(assert_agreement(model, interpreted(model)) for model in map(with_guards, range(1000)))
    assert steps > 5000


@pytest.mark.parametrize("last", [0, 1])
def test_any_number_of_tests(last: int) -> None:
    """Transitions of nets have as many as they have places; no model makes the interpreter nest as deep."""
    count = 300_000
    variables = tuple(Variable(f"v{i}", Type.BYTE) for i in range(count))
    at = tuple((i, 0) for i in range(count - 1))
    command = Command("all", (*at, (count - 1, last)), None, (), (Assign(0, None, Const(1)),))
    engine = interpreted(Model("many", variables, (command,)))
    assert len(engine.successors(engine.initial)) == 1 - last


SMALL = list(published_states(0, 3_000))


@needs_data
@pytest.mark.parametrize(("path", "states"), SMALL, ids=[path.stem for path, _ in SMALL])
def test_small_models_agree(path: Path, states: int) -> None:
    model = DVE().load(path.read_text(), str(path)).model
    engines = interpreted(model), backends.compiled(model)
    evaluator = Evaluator(model)
    pending = [engines[0].initial]
    seen = set(pending)
    while pending:
        state = pending.pop()
        successors = engines[0].successors(state)
        assert engines[1].successors(state) == successors
        reference = evaluator.successors(evaluator.unpack(state))
        assert [(command, evaluator.pack(s)) for command, s in reference] == successors
        targets = {target for _, target in successors}
        pending.extend(targets - seen)
        seen |= targets
    assert len(seen) == states


def counter(limit: int = 200) -> Model:
    step = Assign(0, None, Binary("+", Read(0), Const(1)))
    guard = Binary("<", Read(0), Const(limit))
    # the array keeps the model from being tiny
    variables = (Variable("n", Type.BYTE), Variable("a", Type.INT32, 2, (0, 0)))
    return Model("counter", variables, (Command("step", (), guard, (), (step,)),))


def states_of(model: _engine.Model) -> int:
    return _engine.explore(model, _engine.Control()).counters.states


def use_cache(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(backends, "cache_folder", lambda: folder)


def test_a_library_is_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_cache(monkeypatch, tmp_path)
    build(counter(), Backend.COMPILED)
    (library,) = tmp_path.iterdir()
    before = library.stat().st_mtime_ns
    assert states_of(build(counter(), Backend.COMPILED).engine) == 201
    assert library.stat().st_mtime_ns == before


def test_a_damaged_library_is_built_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_cache(monkeypatch, tmp_path)
    model = counter(7)
    build(model, Backend.COMPILED)
    (library,) = tmp_path.iterdir()
    library.unlink()
    library.write_bytes(b"not a library")
    assert states_of(build(model, Backend.COMPILED).engine) == 8


def test_a_cache_that_cannot_be_written_is_no_obstacle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    use_cache(monkeypatch, blocked / "models")
    built = build(counter(9), Backend.COMPILED)
    assert (built.backend, states_of(built.engine)) == (Backend.COMPILED, 10)


def test_without_a_compiler_auto_interprets_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    use_cache(monkeypatch, tmp_path)
    built = build(counter(), Backend.AUTO)
    assert built.backend is Backend.INTERPRETED
    assert built.note is not None
    assert "no-such-compiler" in built.note
    with pytest.raises(InputError, match="no-such-compiler"):
        build(counter(), Backend.COMPILED)


def test_a_tiny_model_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    tiny = Model(
        "tiny", (Variable("P", Type.BYTE, values=("a", "b")),), (Command("c", ((0, 0),), None, (), ()),)
    )
    assert build(tiny).note is None


def test_generated_code_is_the_same_each_time() -> None:
    assert c_source(counter()) == c_source(counter())


@pytest.mark.parametrize(
    ("count", "guard", "huge"),
    [(500, None, False), (501, None, True), (2000, Const(1), False), (2001, Const(1), True)],
)
def test_a_model_with_very_many_commands_is_not_compiled(count: int, guard: Const | None, huge: bool) -> None:
    command = Command("c", ((0, 0),), guard, (), ())
    assert is_huge(Model("many", (Variable("x", Type.INT32),), (command,) * count)) is huge


def test_auto_leaves_huge_models_to_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "MANY_SIMPLE", 0)
    monkeypatch.setattr(backends, "find_compiler", lambda: pytest.fail("a compiler was asked for"))
    stay = Command("c", (), None, (), ())
    built = build(Model("many", (Variable("x", Type.INT32), Variable("y", Type.INT32)), (stay,)))
    assert (built.backend, built.note) == (Backend.INTERPRETED, None)
