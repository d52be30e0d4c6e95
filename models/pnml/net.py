"""A place/transition net as plain data, places and transitions by number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

Weights: TypeAlias = dict[int, int]
"""The weights of arcs by their places."""


@dataclass(frozen=True)
class Transition:
    """A transition: what it takes and what it puts."""

    name: str
    inputs: Weights
    outputs: Weights

    @cached_property
    def change(self) -> Weights:
        """What firing adds to each place that it changes."""
        places = {**self.inputs, **self.outputs}
        changes = {p: self.outputs.get(p, 0) - self.inputs.get(p, 0) for p in places}
        return {place: change for place, change in changes.items() if change}


@dataclass(frozen=True)
class Net:
    """A net with its initial marking.

    `units` are sets of places of which at most one is marked, with one token, by the word of the file.
    """

    name: str
    places: tuple[str, ...]
    marking: tuple[int, ...]
    transitions: tuple[Transition, ...]
    units: tuple[tuple[int, ...], ...] = ()
