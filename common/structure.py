"""What can be seen of an automaton without its language: its strength, whether it is deterministic, or complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from buchi.common.graph import components, successors
from buchi.common.labels import Label, covers_all, exclusive


class Marked:
    """The graph of an automaton with marks on its edges, cut into components.

    `accepting` tells which marks, seen forever and alone, are accepted.
    """

    def __init__(self, states: int, edges: Iterable[tuple[int, int, int]], accepting: frozenset[int]) -> None:
        self.edges = list(edges)
        self.component = components(successors(states, ((a, b) for a, _, b in self.edges)))
        self.marks: dict[int, set[int]] = {}
        for source, marks, destination in self.edges:
            if self.component[source] == self.component[destination]:
                self.marks.setdefault(self.component[source], set()).add(marks)
        self._accepted = accepting

    def is_weak(self) -> bool:
        """Do all edges of each component have the same marks?"""
        return all(len(marks) == 1 for marks in self.marks.values())

    def accepting_components(self) -> set[int]:
        """Return the components in which every run is accepting; meaningful when weak."""
        return {component for component, marks in self.marks.items() if marks <= self._accepted}

    def is_closed(self, chosen: set[int]) -> bool:
        """Does no edge leave the chosen components for others?"""
        return all(
            self.component[destination] in chosen
            for source, _, destination in self.edges
            if self.component[source] in chosen
        )


def is_deterministic(states: int, initial: Sequence[Label], edges: Iterable[tuple[int, Label]]) -> bool:
    """Has every word at most one run? `edges` are (source, label)."""
    labels: list[list[Label]] = [[] for _ in range(states)]
    for source, label in edges:
        labels[source].append(label)
    return exclusive(initial) and all(map(exclusive, labels))


def is_complete(chosen: Iterable[int], edges: Iterable[tuple[int, Label]]) -> bool:
    """Has every chosen state an edge for every letter?"""
    labels: dict[int, list[Label]] = {state: [] for state in chosen}
    for source, label in edges:
        if source in labels:
            labels[source].append(label)
    return all(covers_all(tuple(c for label in found for c in label)) for found in labels.values())
