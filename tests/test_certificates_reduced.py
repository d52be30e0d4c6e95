"""Certificates of which commands were left out: a reduction that is wrong proves nothing, by neither checker."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from certificates import Open, bare_head, certified_states
from reduced_pairs import Pair, batch

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models.bytecode import interpreted
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.independence import Independence
from buchi.models.stubborn import StubbornSets, stubborn_sets
from buchi.pipeline.certificates.hoa_table import Clause, Cube, Edge, Table
from buchi.pipeline.certificates.small import Subject
from buchi.pipeline.product import build_automaton
from buchi.pipeline.reduction import reduced_by
from buchi.schemas.automaton import Letter


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


TWO = (
    "".join(f"process {name} {{ state a, b; init a; trans a -> b {{ }}; }}\n" for name in "PQ")
    + "system async;"
)
EVERY = Cube(0, 0)


@pytest.mark.parametrize("second", ["P", "Q"])
def test_the_set_of_a_state_does_not_depend_on_the_automaton(second: str) -> None:
    """Either process may be the first, but not one where the automaton is in a state, and the other elsewhere."""
    model = DVE().load(TWO, "two.dve", overflow_is_error=False).model
    table = Table(
        Letter.SOURCE,
        (),
        2,
        ((EVERY, 0), (EVERY, 1)),
        (Edge(0, EVERY, 0, 0), Edge(1, EVERY, 0, 1)),
        1,
        (Clause(0, 1),),
    )
    subject = Subject(Evaluator(model), {}, table, (), True, stubborn_sets(model, ()))
    between = {"P": b"\x01\x00", "Q": b"\x00\x01"}
    rows = [
        state + bytes([automaton])
        for automaton, first in enumerate(["P", second])
        for state in (b"\x00\x00", between[first], b"\x01\x01")
    ]
    head = json.loads(bare_head(model, Letter.SOURCE, 2, len(rows), [(0, 1)]).model_dump_json())
    content = Open(head, rows, [[0] * len(rows)], [b"\x00"]).closed()
    if second == "P":
        assert certified_states(content, subject) == len(rows)
    else:
        with pytest.raises(InputError, match="a successor is missing"):
            certified_states(content, subject)
