"""Between Spot's automata and ours.

Labels are read off the decision diagrams as disjoint cubes. Propositions are mapped by name, since the
order in HOA text and in Spot's lists differs; those that no label tests are left out, as are acceptance
sets that the condition never names.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar

import spot

import buddy  # isort: skip  (it exists only after spot is imported)
from buchi.common.errors import InputError
from buchi.common.spelling import canonical_proposition
from buchi.schemas.automaton import EVERY_LETTER, MAX_PROPOSITIONS, Automaton, Clause, Cube, Edge, Label, bits
from buchi.schemas.claims import Claims
from buchi.schemas.forms import Tela

MAX_CUBES = 10_000
"""Cubes of a label."""
MAX_ALL_CUBES = 1_000_000
"""Cubes of all labels of an automaton."""
MAX_CLAUSES = 1024
"""Beyond this the disjunctive normal form of an acceptance condition is refused."""

AnyAutomaton = TypeVar("AnyAutomaton", bound=Automaton)


class LabelReader:
    """Turns decision diagrams into labels over the propositions `names`; notes which are tested.

    A diagram of a few hundred characters can have millions of cubes, so they are counted before they are made.
    """

    def __init__(self, automaton: spot.twa_graph) -> None:
        names = [canonical_proposition(p.ap_name()) for p in automaton.ap()]
        self.names = list(dict.fromkeys(names))
        self._bits = {
            automaton.register_ap(p): 1 << self.names.index(name)
            for p, name in zip(automaton.ap(), names, strict=True)
        }
        self._memo: dict[int, tuple[Any, Label]] = {}
        self.tested = _tested(automaton, self._bits)
        self.cubes = 0

    def read(self, diagram: Any) -> Label:
        """Return the disjoint cubes of the label of an edge. Raises InputError where there are too many."""
        count = round(buddy.bdd_pathcount(diagram))
        self.cubes += count
        if count > MAX_CUBES or self.cubes > MAX_ALL_CUBES:
            raise InputError(
                f"a label has {count} cubes, and all labels so far {self.cubes};"
                f" the limits are {MAX_CUBES} and {MAX_ALL_CUBES}",
                suggestion="give the condition a proposition of its own",
            )
        return self._read(diagram)

    def _read(self, diagram: Any) -> Label:
        """Return the disjoint cubes of a diagram.

        Each diagram is kept alive, since Spot recycles the ids of dead ones.
        """
        known = self._memo.get(diagram.id())
        if known is None:
            known = (diagram, self._cubes(diagram))
            self._memo[diagram.id()] = known
        return known[1]

    def _cubes(self, diagram: Any) -> Label:
        if diagram == buddy.bddfalse:
            return ()
        if diagram == buddy.bddtrue:
            return EVERY_LETTER
        bit = self._bits[buddy.bdd_var(diagram)]
        low, high = self._read(buddy.bdd_low(diagram)), self._read(buddy.bdd_high(diagram))
        absent = tuple(Cube(true, false | bit) for true, false in low if not true & bit)
        present = tuple(Cube(true | bit, false) for true, false in high if not false & bit)
        return absent + present


def _tested(automaton: spot.twa_graph, bits_of: dict[int, int]) -> int:
    """Return the propositions that labels test. Raises InputError where they are more than a table has."""
    support = buddy.bddtrue
    for edge in automaton.edges():
        support &= buddy.bdd_support(edge.cond)
    tested = 0
    while support != buddy.bddtrue:
        tested |= bits_of[buddy.bdd_var(support)]
        support = buddy.bdd_high(support)
    count = bin(tested).count("1")
    if count > MAX_PROPOSITIONS:
        raise InputError(f"the automaton tests {count} propositions; the limit is {MAX_PROPOSITIONS}")
    return tested


def from_spot(
    automaton: spot.twa_graph, form: type[AnyAutomaton], stutter_invariant: bool = False
) -> AnyAutomaton:
    """Return Spot's automaton as a value of `form`, which validates it."""
    reader = LabelReader(automaton)
    edges = [(e.src, reader.read(e.cond), _mask(e.acc), e.dst) for e in automaton.edges()]
    acceptance, *further = read_conditions(automaton.get_acceptance(), form)
    kept_sets = sets_of([*acceptance, *chain(*further)])
    kept_names = bits(reader.tested)
    made = form(
        propositions=tuple(reader.names[i] for i in kept_names),
        states=automaton.num_states(),
        initial=((EVERY_LETTER, automaton.get_init_state_number()),),
        edges=tuple(
            Edge(source, project_label(label, kept_names), project(marks, kept_sets), destination)
            for source, label, marks, destination in edges
            if label
        ),
        sets=len(kept_sets),
        acceptance=project_clauses(acceptance, kept_sets),
        further=tuple(project_clauses(condition, kept_sets) for condition in further),
        claims=Claims(stutter_invariant=stutter_invariant),
    )
    return made.model_copy(update={"claims": _agreed(made, spot_claims(automaton, stutter_invariant))})


def _agreed(made: Automaton, claims: Claims) -> Claims:
    """Return what both Spot and we see; Spot knows more ways in which a condition may be trivial."""
    return made.observed(claims).model_copy(update={"stutter_invariant": claims.stutter_invariant})


def spot_claims(automaton: spot.twa_graph, stutter_invariant: bool) -> Claims:
    """Return Spot's verdicts on the structure of an automaton."""
    return Claims(
        deterministic=spot.is_deterministic(automaton),
        weak=spot.is_weak_automaton(automaton),
        terminal=spot.is_terminal_automaton(automaton),
        stutter_invariant=stutter_invariant,
    )


def read_conditions(condition: Any, form: type[Automaton]) -> list[list[Clause]]:
    """Return one of Spot's acceptance conditions as the form has it: one disjunction, or for a TELA several if need be.

    Raises InputError where it is too large.
    """
    try:
        return [read_acceptance(condition)]
    except InputError:
        parts = condition.top_conjuncts()
        if form is not Tela or len(parts) < 2:
            raise
        return [read_acceptance(part) for part in parts]


def read_acceptance(condition: Any) -> list[Clause]:
    """Return the disjunctive normal form of one of Spot's acceptance conditions.

    Raises InputError where it is too large. Redundant clauses fall away, so it is made if it can be in a second.
    """
    most = _most_clauses(condition)
    if most > 8 * MAX_CLAUSES:
        raise InputError(f"the acceptance may have {most} clauses in normal form; the limit is {MAX_CLAUSES}")
    disjuncts = condition.to_dnf().top_disjuncts()
    if len(disjuncts) > MAX_CLAUSES:
        raise InputError(
            f"the acceptance has {len(disjuncts)} clauses in normal form; the limit is {MAX_CLAUSES}"
        )
    clauses = []
    for disjunct in disjuncts:
        inf, fin = disjunct.used_inf_fin_sets()
        if not inf & fin:
            clauses.append(Clause(fin=_mask(fin), inf=_mask(inf)))
    return clauses


def _most_clauses(condition: Any) -> int:
    """Return how many clauses the normal form has at most."""
    disjuncts = condition.top_disjuncts()
    if len(disjuncts) > 1:
        return sum(map(_most_clauses, disjuncts))
    conjuncts = condition.top_conjuncts()
    return math.prod(map(_most_clauses, conjuncts)) if len(conjuncts) > 1 else 1


def to_spot(automaton: Automaton, dictionary: Any = None) -> spot.twa_graph:
    """Return one of our automata over source letters as Spot's.

    Automata can be compared when they share a dictionary; the default is that of `spot.translate`.
    """
    result = spot.make_twa_graph(dictionary or spot._bdd_dict)
    variables = [result.register_ap(name) for name in automaton.propositions]
    result.set_acceptance(automaton.sets, spot.acc_code(automaton.acceptance_words()))
    result.new_states(automaton.states)
    memo: dict[Label, Any] = {}
    for edge in automaton.edges:
        condition = memo.get(edge.label)
        if condition is None:
            condition = memo[edge.label] = label_diagram(edge.label, variables)
        result.new_edge(edge.source, edge.destination, condition, bits(edge.marks))
    _set_initial(result, automaton, variables)
    return result


def _set_initial(result: spot.twa_graph, automaton: Automaton, variables: Sequence[int]) -> None:
    """Set Spot's one initial state: a fresh one where we have several, or conditions on them."""
    if len(automaton.initial) == 1 and automaton.initial[0][0] == EVERY_LETTER:
        result.set_init_state(automaton.initial[0][1])
        return
    fresh = result.new_state()
    for label, state in automaton.initial:
        condition = label_diagram(label, variables)
        for edge in list(result.out(state)):
            result.new_edge(fresh, edge.dst, edge.cond & condition, edge.acc)
    result.set_init_state(fresh)


def label_diagram(label: Label, variables: Sequence[int]) -> Any:
    """Return the decision diagram of a label; proposition i is the variable `variables[i]`."""
    result = buddy.bddfalse
    for true, false in label:
        cube = buddy.bddtrue
        for i, variable in enumerate(variables):
            if true >> i & 1:
                cube = cube & buddy.bdd_ithvar(variable)
            elif false >> i & 1:
                cube = cube & buddy.bdd_nithvar(variable)
        result = result | cube
    return result


def sets_of(acceptance: Iterable[Clause]) -> list[int]:
    """Return the numbers of the acceptance sets that a condition names."""
    return bits(_union(fin | inf for fin, inf in acceptance))


def project_clauses(clauses: Iterable[Clause], kept: Sequence[int]) -> tuple[Clause, ...]:
    """Renumber the sets of clauses."""
    return tuple(Clause(project(fin, kept), project(inf, kept)) for fin, inf in clauses)


def project(mask: int, kept: Sequence[int]) -> int:
    """Renumber the bits of a mask: bit `kept[i]` becomes bit i, others go."""
    return _union(1 << new for new, old in enumerate(kept) if mask >> old & 1)


def project_label(label: Label, kept: Sequence[int]) -> Label:
    """Renumber the propositions of a label."""
    return tuple(Cube(project(true, kept), project(false, kept)) for true, false in label)


def _mask(marks: Any) -> int:
    return _union(1 << i for i in marks.sets())


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result
