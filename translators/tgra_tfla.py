"""TGRA to a Fin-less automaton: a run guesses when it has seen the last of a Fin set.

Paper: Bloemen, Duret-Lutz & van de Pol (2019), proposition 1 (method `literal`) and its footnote 2
(`reduced`). Differs from the paper: a pair without Inf gets one Inf set made of all edges of its copy; with
no set at all its clause would also accept runs that never enter the copy. `reduced` copies only components
that can satisfy the pair and have Fin edges, and jumps only along edges that close a cycle there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal, NamedTuple

import spot

from buchi.common.graph import back_edges, components, successors
from buchi.schemas.automaton import Clause, Edge
from buchi.schemas.forms import Tfla, Tgra
from buchi.schemas.kinds import Kind
from buchi.translators.spot_helpers.automata import from_spot, sets_of, to_spot
from buchi.translators.spot_helpers.rebuild import rebuilt
from buchi.translators.translator import Options


class FinlessOptions(Options):
    """How to remove Fin."""

    method: Literal["literal", "reduced", "spot"] = "reduced"


class TgraToTfla:
    """Replaces Fin by non-determinism."""

    name: ClassVar[str] = "tgra-tfla"
    source: ClassVar[Kind] = Kind.TGRA
    target: ClassVar[Kind] = Kind.TFLA
    summary: ClassVar[str] = "a copy for each Rabin pair, entered by a non-deterministic jump"
    paper: ClassVar[str] = "Bloemen, Duret-Lutz & van de Pol 2019, proposition 1"
    options: ClassVar[type[FinlessOptions]] = FinlessOptions

    def run(self, value: Tgra, options: FinlessOptions) -> Tfla:
        """Remove Fin by the chosen method."""
        if options.method == "spot":
            finless = spot.remove_fin(to_spot(value, spot.make_bdd_dict()))
            return from_spot(finless, Tfla, value.claims.stutter_invariant)
        return _literal(value) if options.method == "literal" else _reduced(value)


class Copy(NamedTuple):
    """What is made for a pair: edges of a copy, those among them to jump along, and edges that need no copy."""

    pair: Clause
    edges: list[Edge]
    jumps: list[Edge]
    in_place: frozenset[Edge] = frozenset()


def _literal(automaton: Tgra) -> Tfla:
    """Copy all edges outside Fin for every pair, and jump along each of them."""
    copies = []
    for pair in automaton.acceptance:
        kept = [edge for edge in automaton.edges if not edge.marks & pair.fin]
        copies.append(Copy(pair, kept, kept))
    count = automaton.states
    numbering = [{s: (i + 1) * count + s for s in range(count)} for i in range(len(copies))]
    return _assembled(automaton, [], copies, numbering)


def _reduced(automaton: Tgra) -> Tfla:
    """Copy what can satisfy the pair, and jump along one edge of each of its cycles."""
    plain = [pair for pair in automaton.acceptance if not pair.fin]
    component = _components(automaton.states, automaton.edges)
    copies = [_needed(automaton, pair, component) for pair in automaton.acceptance if pair.fin]
    numbering = []
    following = automaton.states
    for copy in copies:
        states = sorted({edge.source for edge in copy.edges})
        numbering.append({state: following + i for i, state in enumerate(states)})
        following += len(states)
    return _assembled(automaton, plain, copies, numbering)


def _components(states: int, edges: Iterable[Edge]) -> list[int]:
    return components(successors(states, ((edge.source, edge.destination) for edge in edges)))


def _needed(automaton: Tgra, pair: Clause, whole: list[int]) -> Copy:
    """Keep the components, without the Fin edges, that have all Inf marks.

    A component of the whole automaton that has no Fin edge at all satisfies the pair where it is.
    """
    kept = [edge for edge in automaton.edges if not edge.marks & pair.fin]
    component = _components(automaton.states, kept)
    inside = [edge for edge in kept if component[edge.source] == component[edge.destination]]
    marks: dict[int, int] = {}
    for edge in inside:
        marks[component[edge.source]] = marks.get(component[edge.source], 0) | edge.marks
    good = [edge for edge in inside if not pair.inf & ~marks[component[edge.source]]]
    with_fin = {
        whole[e.source]
        for e in automaton.edges
        if e.marks & pair.fin and whole[e.source] == whole[e.destination]
    }
    edges = [edge for edge in good if whole[edge.source] in with_fin]
    closing = back_edges(successors(automaton.states, ((e.source, e.destination) for e in edges)))
    jumps = [edge for edge in edges if (edge.source, edge.destination) in closing]
    return Copy(pair, edges, jumps, frozenset(good) - frozenset(edges))


def _assembled(
    automaton: Tgra, plain: list[Clause], copies: list[Copy], numbering: list[dict[int, int]]
) -> Tfla:
    """Put the copies, with new sets, beside the original, whose marks serve the pairs without Fin."""
    kept = sets_of(plain)
    marks = [_renamed(edge.marks, kept, 0) for edge in automaton.edges]
    acceptance = [Clause(0, _renamed(pair.inf, kept, 0)) for pair in plain]
    first = len(kept)
    added: list[Edge] = []
    for copy, number in zip(copies, numbering, strict=True):
        wanted = sets_of([Clause(0, copy.pair.inf)])
        for i, edge in enumerate(automaton.edges):
            marks[i] |= _new_marks(edge, wanted, first) if edge in copy.in_place else 0
        added += [Edge(e.source, e.label, 0, number[e.destination]) for e in copy.jumps]
        added += [_copied(edge, number, _new_marks(edge, wanted, first)) for edge in copy.edges]
        acceptance.append(Clause(0, ((1 << max(len(wanted), 1)) - 1) << first))
        first += max(len(wanted), 1)
    original = [edge._replace(marks=new) for edge, new in zip(automaton.edges, marks, strict=True)]
    states = automaton.states + sum(map(len, numbering))
    return rebuilt(automaton, Tfla, (*original, *added), tuple(acceptance), states)


def _new_marks(edge: Edge, wanted: list[int], first: int) -> int:
    """Return the marks of an edge for one pair; where no Inf is wanted, every edge has the one mark."""
    return _renamed(edge.marks, wanted, first) if wanted else 1 << first


def _copied(edge: Edge, number: dict[int, int], marks: int) -> Edge:
    return Edge(number[edge.source], edge.label, marks, number[edge.destination])


def _renamed(marks: int, wanted: Iterable[int], first: int) -> int:
    return sum(1 << (first + new) for new, old in enumerate(wanted) if marks >> old & 1)
