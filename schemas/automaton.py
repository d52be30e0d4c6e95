"""Automata as values: a table (state, letter) -> {(destination, marks)} with an acceptance condition.

A label is a disjunction of cubes over the propositions; an acceptance condition is a disjunction of clauses, each asking
for some marks infinitely often (`inf`) and some only finitely often (`fin`).
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import Self


class Letter(str, Enum):
    """What an automaton reads at a step from model state s to t."""

    SOURCE = "source"
    DESTINATION = "destination"
    CHANGE = "change"


class Cube(NamedTuple):
    """A conjunction of literals: the propositions (as bit masks) that must be true, and those that must be false."""

    true: int
    false: int


Label = tuple[Cube, ...]
EVERY_LETTER: Label = (Cube(0, 0),)


class Edge(NamedTuple):
    """An edge, read when the letter satisfies one of the cubes of `label`; `marks` is a bit mask of acceptance sets."""

    source: int
    label: Label
    marks: int
    destination: int


class Clause(NamedTuple):
    """The marks (bit masks) to be seen finitely often and infinitely often."""

    fin: int
    inf: int


MAX_SETS = 32
MAX_PROPOSITIONS = 63


class Automaton(BaseModel):
    """A transition-based automaton over the letters of `letter`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    letter: Letter = Letter.SOURCE
    propositions: Annotated[tuple[str, ...], Field(max_length=MAX_PROPOSITIONS)]
    states: Annotated[int, Field(ge=1)]
    initial: Annotated[tuple[tuple[Label, int], ...], Field(min_length=1)]
    """Initial states, each with the condition that the first model state must satisfy."""
    edges: tuple[Edge, ...]
    sets: Annotated[int, Field(ge=0, le=MAX_SETS)]
    acceptance: tuple[Clause, ...]
    """Disjunction of clauses; empty: no run is accepted."""

    @model_validator(mode="after")
    def _indices_are_in_range(self) -> Self:
        for edge in self.edges:
            if not (0 <= edge.source < self.states and 0 <= edge.destination < self.states):
                raise ValueError(f"edge {edge.source} -> {edge.destination} leaves the {self.states} states")
            if edge.marks >> self.sets:
                raise ValueError(f"edge {edge.source} -> {edge.destination} has marks beyond the {self.sets} sets")
            self._check_label(edge.label)
        for label, state in self.initial:
            if not 0 <= state < self.states:
                raise ValueError(f"initial state {state} is not among the {self.states} states")
            self._check_label(label)
        if any((fin | inf) >> self.sets for fin, inf in self.acceptance):
            raise ValueError(f"the acceptance condition uses marks beyond the {self.sets} sets")
        return self

    def _check_label(self, label: Label) -> None:
        for true, false in label:
            if true & false:
                raise ValueError("a cube asks for a proposition to be both true and false")
            if (true | false) >> len(self.propositions):
                raise ValueError(f"a label uses more than the {len(self.propositions)} propositions")
