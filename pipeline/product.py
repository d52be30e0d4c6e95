"""Hands an automaton and a model to the engine, which builds their product."""

from __future__ import annotations

from collections.abc import Mapping

from buchi import _engine
from buchi.models.bytecode import compile_expression, flat_tables
from buchi.models.guarded import Expr, Model
from buchi.schemas.automaton import Automaton, Letter

_LETTERS = {Letter.SOURCE: 0, Letter.DESTINATION: 1, Letter.CHANGE: 2}


def build_automaton(automaton: Automaton, model: Model, meanings: Mapping[str, Expr]) -> _engine.Automaton:
    """Return `automaton` as the engine runs it; `meanings` says what its propositions are in `model`."""
    programs = [compile_expression(model, meanings[name]) for name in automaton.propositions]
    letter, tables = _LETTERS[automaton.letter], flat_tables(model)
    return _engine.Automaton(letter, tables, programs, automaton.states, automaton.initial, automaton.edges)


def build_product(
    model: Model,
    engine_model: _engine.Model,
    automaton: Automaton,
    meanings: Mapping[str, Expr],
    *,
    stutter: bool,
    seed: int | None = None,
) -> _engine.Product:
    """Return the product, with no state stored yet."""
    return _engine.Product(engine_model, build_automaton(automaton, model, meanings), stutter, seed)
