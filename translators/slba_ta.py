"""SLBA to a testing automaton.

Paper: Geldenhuys & Hansen (2006), section 4.1, in its two steps. Differs from the paper: livelock acceptance
is closed backwards over all stuttering edges, and initial states are left alone; both follow from stutter
invariance, since a word is accepted if and only if the word without its repetitions is, and that word takes a
stuttering edge only where it ends in a livelock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from buchi.common.graph import backward, components, reachable, successors
from buchi.schemas.kinds import Kind
from buchi.schemas.slba import Slba
from buchi.schemas.testing import Change, Start, TestingAutomaton
from buchi.translators.bisimulation import coarsest_partition
from buchi.translators.reduction import Reductions, is_identity, living, on_cycles, renumber
from buchi.translators.spot_helpers.stuttering import require_stutter_invariance
from buchi.translators.spot_helpers.view import as_spot


@dataclass(frozen=True)
class Intermediate:
    """A testing automaton that may have stuttering edges: between the two steps of the construction."""

    propositions: tuple[str, ...]
    states: int
    initial: tuple[Start, ...]
    edges: tuple[Change, ...]
    accepting: frozenset[int]
    livelock: frozenset[int] = frozenset()

    def pairs(self) -> list[tuple[int, int]]:
        """Return the edges without what they read."""
        return [(edge.source, edge.destination) for edge in self.edges]


class SlbaToTa:
    """Keeps of the labels only their changes, and of stuttering only whether it may go on forever."""

    name: ClassVar[str] = "slba-ta"
    source: ClassVar[Kind] = Kind.SLBA
    target: ClassVar[Kind] = Kind.TA
    summary: ClassVar[str] = "changes instead of labels; livelocks instead of stuttering edges"
    paper: ClassVar[str] = "Geldenhuys & Hansen 2006, section 4.1"
    options: ClassVar[type[Reductions]] = Reductions

    def run(self, value: Slba, options: Reductions) -> TestingAutomaton:
        """Take the two steps of the paper, then reduce."""
        if not value.claims.stutter_invariant:
            require_stutter_invariance(as_spot(value))
        return _finished(reduce_ta(without_stuttering(intermediate(value)), options))


def intermediate(automaton: Slba) -> Intermediate:
    """Step one: an edge reads the difference of the labels of its ends."""
    labels = automaton.labels
    return Intermediate(
        propositions=automaton.propositions,
        states=automaton.states,
        initial=tuple(Start(labels[state], state) for state in automaton.initial),
        edges=tuple(Change(a, labels[a] ^ labels[b], b) for a, b in automaton.edges),
        accepting=frozenset(automaton.accepting),
    )


def without_stuttering(automaton: Intermediate) -> Intermediate:
    """Step two: find the livelocks, then drop the stuttering edges."""
    stuttering = [(e.source, e.destination) for e in automaton.edges if not e.change]
    return replace(
        automaton,
        livelock=frozenset(backward(automaton.states, stuttering, _livelocks(automaton, stuttering))),
        edges=tuple(edge for edge in automaton.edges if edge.change),
    )


def _livelocks(automaton: Intermediate, stuttering: list[tuple[int, int]]) -> list[int]:
    """Return the states of the stuttering components that have a cycle and an accepting state."""
    component = components(successors(automaton.states, stuttering))
    cyclic = {component[a] for a, b in stuttering if component[a] == component[b]}
    chosen = cyclic & {component[state] for state in automaton.accepting}
    return [state for state in range(automaton.states) if component[state] in chosen]


def reduce_ta(automaton: Intermediate, options: Reductions) -> Intermediate:
    """Apply the reductions that are asked for."""
    if options.unreachable:
        roots = {state for _, state in automaton.initial}
        kept = reachable(successors(automaton.states, automaton.pairs()), roots)
        automaton = _quotient(automaton, renumber(automaton.states, kept))
    if options.dead:
        automaton = _without_dead(automaton)
    if options.bisimilar:
        colours = [(s in automaton.accepting, s in automaton.livelock) for s in range(automaton.states)]
        automaton = _quotient(automaton, coarsest_partition(colours, automaton.edges))
    return automaton


def _without_dead(automaton: Intermediate) -> Intermediate:
    """Keep what can accept; a state on no cycle of changes is not Büchi-accepting."""
    kept = living(automaton.states, automaton.pairs(), automaton.accepting, automaton.livelock)
    accepting = automaton.accepting & on_cycles(automaton.states, automaton.pairs())
    return _quotient(replace(automaton, accepting=accepting), renumber(automaton.states, kept))


def _quotient(automaton: Intermediate, block: list[int]) -> Intermediate:
    """Map every state to its block; those of block -1 go."""
    if is_identity(block):
        return automaton
    edges = {Change(block[e.source], e.change, block[e.destination]) for e in automaton.edges}
    starts = {Start(label, block[state]) for label, state in automaton.initial}
    return Intermediate(
        propositions=automaton.propositions,
        states=max(block, default=-1) + 1,
        initial=tuple(sorted(start for start in starts if start.state >= 0)),
        edges=tuple(sorted(e for e in edges if e.source >= 0 and e.destination >= 0)),
        accepting=frozenset(block[state] for state in automaton.accepting) - {-1},
        livelock=frozenset(block[state] for state in automaton.livelock) - {-1},
    )


def _finished(automaton: Intermediate) -> TestingAutomaton:
    return TestingAutomaton(
        propositions=automaton.propositions,
        states=automaton.states,
        initial=automaton.initial,
        edges=automaton.edges,
        accepting=tuple(sorted(automaton.accepting)),
        livelock=tuple(sorted(automaton.livelock)),
    )
