"""Make an automaton of one form from one of another, with only the acceptance sets that are used."""

from __future__ import annotations

from typing import TypeVar

from buchi.common.errors import InputError
from buchi.schemas.automaton import MAX_SETS, Automaton, Clause, Edge
from buchi.schemas.claims import Claims
from buchi.translators.spot_helpers.automata import project, sets_of

AnyAutomaton = TypeVar("AnyAutomaton", bound=Automaton)


def rebuilt(
    original: Automaton,
    form: type[AnyAutomaton],
    edges: tuple[Edge, ...] | None = None,
    acceptance: tuple[Clause, ...] | None = None,
    states: int | None = None,
) -> AnyAutomaton:
    """Return an automaton with the propositions, initial states and language of `original`."""
    edges = original.edges if edges is None else edges
    acceptance = original.acceptance if acceptance is None else acceptance
    used = sets_of(acceptance)
    if len(used) > MAX_SETS:
        raise InputError(f"the automaton would need {len(used)} acceptance sets; the limit is {MAX_SETS}")
    return form(
        propositions=original.propositions,
        states=original.states if states is None else states,
        initial=original.initial,
        edges=tuple(edge._replace(marks=project(edge.marks, used)) for edge in edges),
        sets=len(used),
        acceptance=tuple(Clause(project(fin, used), project(inf, used)) for fin, inf in acceptance),
        claims=Claims(stutter_invariant=original.claims.stutter_invariant),
    )
