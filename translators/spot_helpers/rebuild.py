"""Make an automaton of one form from one of another, with only the acceptance sets that are used."""

from __future__ import annotations

from typing import TypeVar

from buchi.common.errors import InputError
from buchi.schemas.automaton import MAX_NORMAL_FORM, MAX_SETS, Automaton, Clause, Edge
from buchi.schemas.claims import Claims
from buchi.translators.spot_helpers.automata import project, project_clauses, sets_of

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
    acceptance = normal_form(original) if acceptance is None else acceptance
    used = sets_of(acceptance)
    if len(used) > MAX_SETS:
        raise InputError(f"the automaton would need {len(used)} acceptance sets; the limit is {MAX_SETS}")
    return form(
        propositions=original.propositions,
        states=original.states if states is None else states,
        initial=original.initial,
        edges=tuple(edge._replace(marks=project(edge.marks, used)) for edge in edges),
        sets=len(used),
        acceptance=project_clauses(acceptance, used),
        claims=Claims(stutter_invariant=original.claims.stutter_invariant),
    )


def normal_form(automaton: Automaton) -> tuple[Clause, ...]:
    """Return the acceptance as one disjunction of clauses. Raises InputError where it is too long."""
    clauses = automaton.normal_form()
    if clauses is None:
        raise InputError(f"the acceptance has more than {MAX_NORMAL_FORM} clauses in normal form")
    return clauses
