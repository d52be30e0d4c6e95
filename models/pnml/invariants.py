"""Units of a net that its file does not tell of: sets of places that always hold one token together.

Farkas' elimination on the incidence matrix: a row is a set of places with what each transition adds to their sum; rows
are joined until no transition adds anything. A row with a coefficient or with an initial sum above one is dropped at
once: both only grow. Then the largest sets are taken first, each without the places that are taken already.

The number of rows may explode. The work is bounded; where it is not enough there are no units, and no harm is done.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from buchi.models.pnml.net import Net

WORK: Final = 1_000_000
"""Steps of the elimination, about a second."""


class _Row(NamedTuple):
    """A set of places as bits, what transitions add to its tokens, and how many it has at first."""

    places: int
    added: dict[int, int]
    tokens: int


class _TooMuchError(Exception):
    """The elimination takes too long."""


def find_units(net: Net) -> tuple[tuple[int, ...], ...]:
    """Return disjoint sets of places of which at most one is marked, and that with one token."""
    try:
        flows = [row.places for row in _Elimination.of(net).flows() if row.tokens == 1]
    except _TooMuchError:
        return ()
    return tuple(_cover(flows))


def _cover(flows: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the flow with the most places that no flow before it has, and so on.

    What a flow has left only gets less: one that is the first of the heap, and has as much left as it had when it was
    put there, is the best.
    """
    covered = 0
    left = [(-flow.bit_count(), number) for number, flow in enumerate(flows)]
    heapify(left)
    while left:
        many, number = heappop(left)
        places = flows[number] & ~covered
        if places.bit_count() == -many:
            yield tuple(_bits(places))
            covered |= places
        elif places:
            heappush(left, (-places.bit_count(), number))


def _bits(places: int) -> Iterator[int]:
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


@dataclass
class _Elimination:
    """Rows by number, and for each transition the rows to which it adds, and those from which it takes."""

    left: set[int]
    """Transitions that are not eliminated yet."""
    rows: dict[int, _Row] = field(default_factory=dict)
    above: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    below: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    costs: list[tuple[int, int]] = field(default_factory=list)
    """A heap of what it costs to eliminate a transition; an entry that is no longer right is passed over."""
    known: set[int] = field(default_factory=set)
    made: int = 0
    work: int = 0

    @classmethod
    def of(cls, net: Net) -> _Elimination:
        added: list[dict[int, int]] = [{} for _ in net.places]
        for number, transition in enumerate(net.transitions):
            for place, change in transition.change.items():
                added[place][number] = change
        elimination = cls({number for number, transition in enumerate(net.transitions) if transition.change})
        for place, changes in enumerate(added):
            if net.marking[place] <= 1:
                elimination.add(_Row(1 << place, changes, net.marking[place]))
        return elimination

    def flows(self) -> list[_Row]:
        """Eliminate the transitions, the one that makes the fewest new rows first."""
        while self.costs:
            cost, transition = heappop(self.costs)
            if transition in self.left and cost == self._cost(transition):
                self.left.remove(transition)
                self._eliminate(transition)
        return list(self.rows.values())

    def add(self, row: _Row) -> None:
        if row.places in self.known:
            return
        self.known.add(row.places)
        self.made += 1
        self.rows[self.made] = row
        for transition, change in row.added.items():
            (self.above if change > 0 else self.below)[transition].add(self.made)
            self._changed(transition)

    def _taken(self, number: int) -> _Row:
        row = self.rows.pop(number)
        for transition, change in row.added.items():
            (self.above if change > 0 else self.below)[transition].discard(number)
            self._changed(transition)
        return row

    def _changed(self, transition: int) -> None:
        self._count(1)
        if transition in self.left:
            heappush(self.costs, (self._cost(transition), transition))

    def _cost(self, transition: int) -> int:
        """Return how many rows the elimination makes at most, less those that it takes away."""
        above, below = len(self.above[transition]), len(self.below[transition])
        return above * below - above - below

    def _eliminate(self, transition: int) -> None:
        above = [self._taken(number) for number in sorted(self.above[transition])]
        below = [self._taken(number) for number in sorted(self.below[transition])]
        for first in above:
            for second in below:
                self._count(1)
                if first.added[transition] == -second.added[transition]:
                    self._join(first, second)

    def _join(self, first: _Row, second: _Row) -> None:
        tokens = first.tokens + second.tokens
        if tokens > 1 or first.places & second.places:
            return
        added = dict(first.added)
        for transition, change in second.added.items():
            added[transition] = added.get(transition, 0) + change
        self._count(2 * len(added))
        self.add(_Row(first.places | second.places, {t: c for t, c in added.items() if c}, tokens))

    def _count(self, steps: int) -> None:
        self.work += steps
        if self.work > WORK:
            raise _TooMuchError
