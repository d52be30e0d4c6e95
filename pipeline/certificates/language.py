"""Asks Spot whether the automaton of a certificate accepts everything that the property forbids.

That is all that a `holds` needs of it: where no run of the model is accepted, none is forbidden. The property comes to
Spot as a formula or HOA text, not through our translators.
"""

from __future__ import annotations

from typing import Any

from buchi.common.errors import InputError
from buchi.common.spelling import canonical_proposition
from buchi.pipeline.certificates.hoa_table import Table
from buchi.pipeline.certificates.writing import automaton_text
from buchi.pipeline.properties import Forbidden
from buchi.readers.hoa import parse_hoa
from buchi.schemas.automaton import Automaton, Letter
from buchi.schemas.certificate import CertificateHead
from buchi.schemas.ltl import Ltl

LARGEST = 1 << 12
"""States of a complement that Spot may make."""
MOST_STATES = 200
"""Of an automaton that Spot is to complement; of testing automata pairs with a valuation."""


def accepts_all_forbidden(
    head: CertificateHead, table: Table, forbidden: Forbidden, source: str
) -> bool | None:
    """Return whether it does; None where that is too much for Spot. Raises InputError for a bad automaton."""
    if _is_given(forbidden.value, head, table):
        return True
    searched = _searched(head, table, source)
    wanted = None if searched is None else _wanted(forbidden, source)
    if wanted is None or searched.num_states() > MOST_STATES:
        return None
    import spot

    others = spot.complement(searched, spot.output_aborter(LARGEST))
    return None if others is None else not wanted.intersects(others)


def _is_given(value: Any, head: CertificateHead, table: Table) -> bool:
    """Is the automaton of the certificate the one that the property was given by?"""
    reads_sources = isinstance(value, Automaton) and value.letter is Letter.SOURCE is table.letter
    return reads_sources and value.normal_form() is not None and automaton_text(value) == head.automaton


def _wanted(forbidden: Forbidden, source: str) -> Any:
    """Return what is forbidden, as Spot reads it."""
    import spot

    value = forbidden.value
    if isinstance(value, Ltl):
        return spot.translate(spot.formula(value.formula))
    if forbidden.given.how == "hoa":
        automaton = parse_hoa(forbidden.given.text, source, spot._bdd_dict)
        names = [proposition.ap_name() for proposition in automaton.ap()]
        if all(canonical_proposition(name) == name for name in names):
            return automaton
    from buchi.translators.spot_helpers.view import as_spot

    try:
        return as_spot(value)
    except InputError:
        return None


def _searched(head: CertificateHead, table: Table, source: str) -> Any:
    """Return the automaton of the certificate as Spot's, with the same language; None where it is too large."""
    import spot

    if table.letter is not Letter.CHANGE:  # one of destinations reads the first state of the model first
        return parse_hoa(head.automaton, source, spot._bdd_dict)
    return _unfolded(table)


def _unfolded(table: Table) -> Any:
    """Return an automaton of changes as one of valuations: a state knows the valuation that was read last."""
    import spot

    graph = spot.make_twa_graph(spot._bdd_dict)
    variables = [graph.register_ap(name) for name in table.propositions]
    graph.set_acceptance(table.sets, spot.acc_code(_acceptance(table)))
    number: dict[tuple[int, int], int] = {}
    letters = range(1 << len(variables)) if len(variables) < MOST_STATES.bit_length() else ()
    cubes = {letter: _cube(letter, variables) for letter in letters}
    first, pending = graph.new_state(), []
    graph.set_init_state(first)

    def visit(source: int, letter: int, marks: int, state: int) -> None:
        if (state, letter) not in number:
            number[state, letter] = graph.new_state()
            pending.append((state, letter))
        graph.new_edge(source, number[state, letter], cubes[letter], _bits(marks))

    for cube, state in table.initial:
        for letter in letters:
            if cube.holds(letter):
                visit(first, letter, 0, state)
    while pending and len(number) <= MOST_STATES:
        state, before = pending.pop()
        for edge in table.edges:
            for letter in letters if edge.source == state else ():
                if edge.cube.holds(before ^ letter):
                    visit(number[state, before], letter, edge.marks, edge.target)
    return None if pending or not letters else graph


def _acceptance(table: Table) -> str:
    clauses = []
    for fin, inf in table.clauses:
        atoms = [f"Fin({i})" for i in _bits(fin)] + [f"Inf({i})" for i in _bits(inf)]
        clauses.append("&".join(atoms) or "t")
    return " | ".join(f"({clause})" for clause in clauses) or "f"


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _cube(letter: int, variables: list[int]) -> Any:
    import buddy  # can be imported only once `spot` has been

    result = buddy.bddtrue
    for bit, variable in enumerate(variables):
        result &= buddy.bdd_ithvar(variable) if letter >> bit & 1 else buddy.bdd_nithvar(variable)
    return result
