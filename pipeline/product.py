"""Hands an automaton and a model to the engine, which builds their product."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import shorten

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models.bytecode import compile_expression, flat_tables
from buchi.models.guarded import Meaning, Model, StepTest
from buchi.models.widening import may_wrap
from buchi.schemas.automaton import Automaton, Letter

_LETTERS = {Letter.SOURCE: 0, Letter.DESTINATION: 1, Letter.CHANGE: 2}
_SHOWN = 200


def build_automaton(automaton: Automaton, model: Model, meanings: Mapping[str, Meaning]) -> _engine.Automaton:
    """Return `automaton` as the engine runs it; `meanings` says what its propositions are in `model`."""
    if model.widens:
        _check_sums(model, meanings)
    wanted = [meanings[name] for name in automaton.propositions]
    programs = [[] if isinstance(one, StepTest) else compile_expression(model, one) for one in wanted]
    steps = [
        (number, one.what == "moved", one.negated, _flags(one.commands, len(model.commands)))
        for number, one in enumerate(wanted)
        if isinstance(one, StepTest)
    ]
    letter, tables = _LETTERS[automaton.letter], flat_tables(model)
    return _engine.Automaton(
        letter, tables, programs, automaton.states, automaton.initial, automaton.edges, steps
    )


def _flags(numbers: Iterable[int], count: int) -> list[bool]:
    flags = [False] * count
    for number in numbers:
        flags[number] = True
    return flags


def _check_sums(model: Model, meanings: Mapping[str, Meaning]) -> None:
    """Refuse propositions whose sums could wrap around, now that variables are as wide as they are."""
    for name, meaning in meanings.items():
        if not isinstance(meaning, StepTest) and may_wrap(model, meaning):
            raise InputError(
                f"the proposition {shorten(name, _SHOWN)} adds numbers beyond 32 bits",
                suggestion="compare fewer of the places that hold more than 65535 tokens",
            )


def build_product(
    model: Model,
    engine_model: _engine.Model,
    automaton: Automaton,
    meanings: Mapping[str, Meaning],
    *,
    stutter: bool,
    seed: int | None = None,
) -> _engine.Product:
    """Return the product, with no state stored yet."""
    return _engine.Product(engine_model, build_automaton(automaton, model, meanings), stutter, seed)
