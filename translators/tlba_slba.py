"""TLBA to a state-labelled Büchi automaton: a state for every pair of a state and the letter read there.

Paper: Geldenhuys & Hansen (2006), section 3.1. Differs from the paper: an edge ((s1,k1),(s2,k2)) needs k1 in
the label of (s1,s2), since k1 is read when s1 is left; the text has k2. States from which nothing can be
accepted are removed by default, besides unreachable and bisimilar ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from buchi.common.errors import InputError
from buchi.common.graph import reachable, successors
from buchi.common.labels import letters
from buchi.schemas.claims import Claims
from buchi.schemas.forms import Tlba
from buchi.schemas.kinds import Kind
from buchi.schemas.slba import Slba
from buchi.translators.bisimulation import coarsest_partition
from buchi.translators.reduction import Reductions, is_identity, living, on_cycles


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
        """Build the product with the letters, and merge what is bisimilar."""
        check_size(value, options)
        product = expand(value, kept_states(value, options), options.dead)
        return _finished(_quotient(product) if options.bisimilar else product)


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


def kept_states(automaton: Tlba, options: Reductions) -> set[int]:
    """Return the states to expand.

    Every letter may follow any other, so a pair is reachable if its state is, and accepts something if its
    state has an edge for the letter to a state that does: it is enough to look at the TLBA.
    """
    pairs = [(edge.source, edge.destination) for edge in automaton.edges]
    kept = set(range(automaton.states))
    if options.unreachable:
        kept &= reachable(successors(automaton.states, pairs), (state for _, state in automaton.initial))
    if options.dead:
        kept &= living(automaton.states, pairs, automaton.accepting)
    return kept


@dataclass(frozen=True)
class Product:
    """A state-labelled automaton before it is validated."""

    origin: Tlba
    labels: list[int]
    initial: list[int]
    edges: list[tuple[int, int]]
    accepting: set[int]


def expand(automaton: Tlba, kept: set[int], dead: bool) -> Product:
    """Return the product of a TLBA with the letters; with `dead`, without pairs that accept nothing."""
    every = range(1 << len(automaton.propositions))
    steps = _steps(automaton, kept)
    pairs = [(s, k) for s in sorted(kept) for k in every if not dead or k in steps[s]]
    number = {pair: index for index, pair in enumerate(pairs)}
    copies: dict[int, list[int]] = {state: [] for state in kept}
    for (state, _), index in number.items():
        copies[state].append(index)
    edges = [
        (index, copy)
        for (state, letter), index in number.items()
        for destination in sorted(steps[state].get(letter, ()))
        for copy in copies[destination]
    ]
    starts = sorted({index for _, state in automaton.initial for index in copies.get(state, ())})
    accepting = {number[pair] for pair in pairs if pair[0] in automaton.accepting}
    return Product(
        automaton, [k for _, k in pairs], starts, edges, accepting & _cyclic(dead, len(pairs), edges)
    )


def _cyclic(dead: bool, states: int, edges: list[tuple[int, int]]) -> set[int]:
    """Return the states that may be accepting: with `dead`, those on cycles."""
    return on_cycles(states, edges) if dead else set(range(states))


def _steps(automaton: Tlba, kept: set[int]) -> dict[int, dict[int, set[int]]]:
    """Return for each state and letter the successors."""
    width = len(automaton.propositions)
    steps: dict[int, dict[int, set[int]]] = {state: {} for state in kept}
    for edge in automaton.edges:
        if edge.source in kept and edge.destination in kept:
            for letter in letters(edge.label, width):
                steps[edge.source].setdefault(letter, set()).add(edge.destination)
    return steps


def _quotient(product: Product) -> Product:
    """Merge bisimilar states."""
    colours = [(label, state in product.accepting) for state, label in enumerate(product.labels)]
    block = coarsest_partition(colours, ((a, 0, b) for a, b in product.edges))
    if is_identity(block):
        return product
    labels = dict(zip(block, product.labels, strict=True))
    return Product(
        product.origin,
        [labels[number] for number in range(len(labels))],
        sorted({block[state] for state in product.initial}),
        sorted({(block[a], block[b]) for a, b in product.edges}),
        {block[state] for state in product.accepting},
    )


def _finished(product: Product) -> Slba:
    return Slba(
        propositions=product.origin.propositions,
        labels=tuple(product.labels),
        initial=tuple(product.initial),
        edges=tuple(product.edges),
        accepting=tuple(sorted(product.accepting)),
        claims=Claims(stutter_invariant=product.origin.claims.stutter_invariant),
    )
