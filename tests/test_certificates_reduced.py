"""Certificates of which commands were left out: a reduction that is wrong proves nothing, by neither checker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from reduced_pairs import Pair, batch

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models.bytecode import interpreted
from buchi.models.independence import Independence
from buchi.models.stubborn import StubbornSets, stubborn_sets
from buchi.pipeline.product import build_automaton
from buchi.pipeline.reduction import reduced_by


def without(column: str) -> Callable[[StubbornSets], StubbornSets]:
    """Forget all that is known of one kind."""

    def damage(sets: StubbornSets) -> StubbornSets:
        known: Independence = replace(sets.known, **{column: tuple(() for _ in getattr(sets.known, column))})
        return replace(sets, known=known)

    return damage


def without_leavers(sets: StubbornSets) -> StubbornSets:
    leaving = tuple(
        one and replace(one, commands=tuple(() for _ in one.commands)) for one in sets.known.leaving
    )
    return replace(sets, known=replace(sets.known, leaving=leaving))


FAULTS: dict[str, Callable[[StubbornSets], StubbornSets]] = {
    "all commands accord": without("conflicts"),
    "nothing makes a guard true": without("enablers"),
    "nothing changes a variable": without_leavers,
    "nothing is visible": lambda sets: replace(sets, visible=frozenset()),
    "no cycle is broken": lambda sets: replace(sets, breaking=frozenset()),
}


def is_refused(pair: Pair, damage: Callable[[StubbornSets], StubbornSets]) -> bool:
    """Search what is left when the sets are wrong. A certificate of it is refused at least where a run is missed."""
    model = pair.space.model
    sets = damage(stubborn_sets(model, tuple(pair.meanings.values())))
    engine = reduced_by(sets, model, interpreted(model))
    route = next(route for route in pair.asked.routes if route.automaton.acceptance)
    automaton = build_automaton(route.automaton, model, pair.meanings)
    product = _engine.Product(engine, automaton, pair.stutter, None)
    outcome = _engine.check("tgrp", product, route.automaton.acceptance, _engine.Control(), numbered=True)
    if outcome.accepting:
        return False
    try:
        pair.certify(route, product)
    except InputError:
        return True
    assert not pair.expected, f"a wrong verdict is certified: {pair}"
    return False


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_reduction_is_refused(fault: str) -> None:
    assert sum(is_refused(pair, FAULTS[fault]) for pair in batch(70, 8, 60)) >= 5
