"""TLBA to a state-labelled Büchi automaton: a state for every pair of a state and the letter read there.

Paper: Geldenhuys & Hansen (2006), section 3.1. Differs from the paper: an edge ((s1,k1),(s2,k2)) needs k1 in
the label of (s1,s2), since k1 is read when s1 is left; the text has k2. States from which nothing can be
accepted are removed by default, besides unreachable and bisimilar ones.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from buchi.schemas.claims import Claims
from buchi.schemas.errors import InputError
from buchi.schemas.forms import Tlba
from buchi.schemas.graph import reachable, successors
from buchi.schemas.kinds import Kind
from buchi.schemas.labels import letters
from buchi.schemas.slba import Slba
from buchi.translators.bisimulation import coarsest_partition
from buchi.translators.reduction import Reductions, is_identity, living, on_cycles, renumber


class SlbaOptions(Reductions):
    """What to reduce, and when to give up: labels are explicit, so their number is 2 to the propositions."""

    max_propositions: Annotated[int, Field(ge=0, le=20)] = 10
    max_edges: Annotated[int, Field(ge=0)] = 1_000_000


class TlbaToSlba:
    """Moves the labels from the edges to the states."""

    name: ClassVar[str] = "tlba-slba"
    source: ClassVar[Kind] = Kind.TLBA
    target: ClassVar[Kind] = Kind.SLBA
    summary: ClassVar[str] = "labels moved to states, one valuation each"
    paper: ClassVar[str] = "Geldenhuys & Hansen 2006, section 3.1"
    options: ClassVar[type[SlbaOptions]] = SlbaOptions

    def run(self, value: Tlba, options: SlbaOptions) -> Slba:
        """Build the product with the letters, and reduce it."""
        check_size(value, options)
        return reduce_slba(expand(value, options.dead), options)


def check_size(automaton: Tlba, options: SlbaOptions) -> None:
    """Refuse what would be too large, before it is built."""
    count = len(automaton.propositions)
    if count > options.max_propositions:
        raise InputError(
            f"explicit labels over {count} propositions would be 2^{count} a state;"
            f" the limit is {options.max_propositions} propositions",
            suggestion="use a kind with symbolic labels (tlba, tgba), or raise max_propositions",
        )
    edges = sum(len(letters(edge.label, count)) for edge in automaton.edges) << count
    if edges > options.max_edges:
        raise InputError(
            f"the state-labelled automaton over {count} propositions would have up to {edges} edges;"
            f" the limit is {options.max_edges}",
            suggestion="use a kind with symbolic labels (tlba, tgba), or raise max_edges",
        )


def expand(automaton: Tlba, only_living: bool) -> Slba:
    """Return the product of a TLBA with the letters; `only_living` leaves out pairs that accept nothing."""
    width = len(automaton.propositions)
    steps = _steps(automaton, only_living)
    pairs = [
        (state, letter)
        for state in range(automaton.states)
        for letter in range(1 << width)
        if not only_living or letter in steps[state]
    ]
    number = {pair: index for index, pair in enumerate(pairs)}
    copies = [[number[s, k] for k in range(1 << width) if (s, k) in number] for s in range(automaton.states)]
    return Slba(
        propositions=automaton.propositions,
        labels=tuple(letter for _, letter in pairs),
        initial=tuple(sorted({n for _, state in automaton.initial for n in copies[state]})),
        edges=tuple(
            (number[state, letter], copy)
            for state, letter in pairs
            for destination in sorted(steps[state].get(letter, ()))
            for copy in copies[destination]
        ),
        accepting=tuple(n for state in sorted(automaton.accepting) for n in copies[state]),
        claims=Claims(stutter_invariant=automaton.claims.stutter_invariant),
    )


def _steps(automaton: Tlba, only_living: bool) -> list[dict[int, set[int]]]:
    """Return for each state and letter the successors."""
    width = len(automaton.propositions)
    pairs = [(edge.source, edge.destination) for edge in automaton.edges]
    kept = (
        living(automaton.states, pairs, automaton.accepting) if only_living else set(range(automaton.states))
    )
    steps: list[dict[int, set[int]]] = [{} for _ in range(automaton.states)]
    for edge in automaton.edges:
        if edge.destination in kept and edge.label:
            for letter in letters(edge.label, width):
                steps[edge.source].setdefault(letter, set()).add(edge.destination)
    return steps


def reduce_slba(automaton: Slba, options: Reductions) -> Slba:
    """Apply the reductions that are asked for."""
    if options.unreachable:
        kept = reachable(successors(automaton.states, automaton.edges), automaton.initial)
        automaton = _quotient(automaton, renumber(automaton.states, kept))
    if options.dead:
        automaton = _without_dead(automaton)
    if options.bisimilar:
        accepting = frozenset(automaton.accepting)
        colours = [(label, state in accepting) for state, label in enumerate(automaton.labels)]
        automaton = _quotient(automaton, coarsest_partition(colours, ((a, 0, b) for a, b in automaton.edges)))
    return automaton


def _without_dead(automaton: Slba) -> Slba:
    """Keep what can accept; a state on no cycle is not accepting."""
    kept = living(automaton.states, automaton.edges, automaton.accepting)
    cyclic = on_cycles(automaton.states, automaton.edges)
    accepting = tuple(state for state in automaton.accepting if state in cyclic)
    return _quotient(automaton.model_copy(update={"accepting": accepting}), renumber(automaton.states, kept))


def _quotient(automaton: Slba, block: list[int]) -> Slba:
    """Map every state to its block; those of block -1 go."""
    if is_identity(block):
        return automaton
    labels = {block[state]: label for state, label in enumerate(automaton.labels) if block[state] >= 0}
    edges = {(block[a], block[b]) for a, b in automaton.edges}
    return Slba(
        propositions=automaton.propositions,
        labels=tuple(labels[b] for b in sorted(labels)),
        initial=tuple(sorted({block[s] for s in automaton.initial} - {-1})),
        edges=tuple(sorted((a, b) for a, b in edges if a >= 0 and b >= 0)),
        accepting=tuple(sorted({block[s] for s in automaton.accepting} - {-1})),
        claims=automaton.claims,
    )
