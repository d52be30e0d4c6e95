"""Merge bisimilar states by partition refinement.

Paper: Geldenhuys & Hansen (2006) ask for it and leave the algorithm open; this is signature refinement in the
manner of Blom & Orzan (2003). Of a block that splits, the largest part keeps its number, and only states with
a successor in another part are looked at again, so a state changes its block O(log n) times.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

Step = tuple[int, int, int]
"""Source, action, destination."""
Signature = frozenset[tuple[int, int]]


def coarsest_partition(colours: Sequence[Hashable], steps: Iterable[Step]) -> list[int]:
    """Return for each state the number of its block: the coarsest bisimulation that refines the colours.

    Blocks are numbered by their first states, so that the result does not depend on how it was found.
    """
    refinement = _Refinement(colours, steps)
    refinement.run()
    return _numbered(refinement.block)


def _numbered(names: Iterable[Hashable]) -> list[int]:
    """Replace names by numbers in the order of their first use."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]


class _Refinement:
    """The partition while it is refined.

    `settled[b]` is the signature of those states of block b that are not pending.
    """

    def __init__(self, colours: Sequence[Hashable], steps: Iterable[Step]) -> None:
        self.block = _numbered(colours)
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in colours]
        self.entering: list[list[int]] = [[] for _ in colours]
        for source, action, destination in steps:
            self.leaving[source].append((action, destination))
            self.entering[destination].append(source)
        self.members: list[set[int]] = [set() for _ in set(self.block)]
        self.settled: list[Signature] = [frozenset() for _ in self.members]
        for state, block in enumerate(self.block):
            self.members[block].add(state)

    def run(self) -> None:
        """Refine until every state has the signature of its block."""
        pending: Iterable[int] = range(len(self.block))
        while pending:
            moved = [
                state for block, parts in self._parts(pending).items() for state in self._split(block, parts)
            ]
            pending = {source for state in moved for source in self.entering[state]}

    def _parts(self, pending: Iterable[int]) -> dict[int, dict[Signature, set[int]]]:
        """Group the pending states by block and new signature."""
        groups: dict[int, dict[Signature, set[int]]] = {}
        for state in pending:
            found = frozenset((action, self.block[other]) for action, other in self.leaving[state])
            groups.setdefault(self.block[state], {}).setdefault(found, set()).add(state)
        return groups

    def _split(self, block: int, parts: dict[Signature, set[int]]) -> list[int]:
        """Give all parts of a block but the largest a number of their own; return the states that moved."""
        resting = len(self.members[block]) - sum(map(len, parts.values()))
        if resting:
            resting += len(parts.pop(self.settled[block], ()))
        largest = max(parts, key=lambda signature: len(parts[signature]), default=None)
        if largest is not None and resting < len(parts[largest]):
            if resting:
                parts[self.settled[block]] = self.members[block].difference(*parts.values())
            self.settled[block] = largest
            del parts[largest]
        return [
            state for signature, states in parts.items() for state in self._move(block, signature, states)
        ]

    def _move(self, block: int, signature: Signature, states: set[int]) -> set[int]:
        self.members[block] -= states
        self.members.append(states)
        self.settled.append(signature)
        for state in states:
            self.block[state] = len(self.members) - 1
        return states
