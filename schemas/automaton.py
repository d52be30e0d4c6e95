"""Automata as values: a table (state, letter) -> {(destination, marks)} with an acceptance condition.

A label is a disjunction of cubes over the propositions; an acceptance condition is a disjunction of clauses,
each asking for some marks infinitely often (`inf`) and some only finitely often (`fin`).
"""

from __future__ import annotations

import math
from enum import Enum
from functools import reduce
from itertools import chain, product
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator
from typing_extensions import Self

from buchi.common.frames import Record
from buchi.common.graph import reachable, successors
from buchi.common.labels import EVERY_LETTER, Cube, Label, label_words
from buchi.common.pictures import Arrow, Drawn, Node, Picture
from buchi.common.structure import Marked, is_complete, is_deterministic
from buchi.common.words import counted
from buchi.schemas.claims import Claims

__all__ = [
    "EVERY_LETTER",
    "MAX_PROPOSITIONS",
    "MAX_SETS",
    "MAX_STATES",
    "Automaton",
    "Clause",
    "Cube",
    "Edge",
    "Label",
    "Letter",
    "bits",
]


class Letter(str, Enum):
    """What an automaton reads at a step from model state s to t."""

    SOURCE = "source"
    DESTINATION = "destination"
    CHANGE = "change"


class Edge(NamedTuple):
    """An edge, read when the letter satisfies one of the cubes of `label`.

    `marks` is a bit mask of acceptance sets.
    """

    source: int
    label: Label
    marks: int
    destination: int


class Clause(NamedTuple):
    """The marks (bit masks) to be seen finitely often and infinitely often."""

    fin: int
    inf: int


MAX_SETS = 32
MAX_STATES = 1_000_000
"""No automaton of a property comes near; a file that says more wants the memory."""
MAX_PROPOSITIONS = 63
MAX_NORMAL_FORM = 64
"""Clauses that checks of one disjunction go through where there are several conditions."""


class Automaton(Drawn, BaseModel):
    """A transition-based automaton over the letters of `letter`."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    letter: Letter = Letter.SOURCE
    propositions: Annotated[tuple[str, ...], Field(max_length=MAX_PROPOSITIONS)]
    states: Annotated[int, Field(ge=1, le=MAX_STATES)]
    initial: Annotated[tuple[tuple[Label, int], ...], Field(min_length=1)]
    """Initial states, each with the condition that the first model state must satisfy."""
    edges: Annotated[tuple[Edge, ...], FailFast()]
    sets: Annotated[int, Field(ge=0, le=MAX_SETS)]
    acceptance: tuple[Clause, ...]
    """Disjunction of clauses; empty: no run is accepted."""
    further: tuple[tuple[Clause, ...], ...] = ()
    """Disjunctions that a run must satisfy as well, where one of all together would be long."""
    step_sets: Annotated[int, Field(ge=0, lt=1 << MAX_SETS)] = 0
    """The sets that are marked on steps of the model and not on edges."""
    claims: Claims = Claims()

    @model_validator(mode="after")
    def _indices_are_in_range(self) -> Self:
        for edge in self.edges:
            if not (0 <= edge.source < self.states and 0 <= edge.destination < self.states):
                states = counted(self.states, "state")
                raise ValueError(f"edge {edge.source} -> {edge.destination} leaves the {states}")
            if edge.marks >> self.sets:
                raise ValueError(
                    f"edge {edge.source} -> {edge.destination} has marks beyond the {counted(self.sets, 'set')}"
                )
            self._check_label(edge.label)
        for label, state in self.initial:
            if not 0 <= state < self.states:
                raise ValueError(f"initial state {state} is not among the {counted(self.states, 'state')}")
            self._check_label(label)
        if any((fin | inf) >> self.sets for condition in self.conditions for fin, inf in condition):
            raise ValueError(f"the acceptance condition uses marks beyond the {counted(self.sets, 'set')}")
        return self

    @model_validator(mode="after")
    def _names_are_different(self) -> Self:
        if len(set(self.propositions)) != len(self.propositions):
            raise ValueError("a proposition is listed twice")
        return self

    @model_validator(mode="after")
    def _claims_are_true(self) -> Self:
        found = self.observed(self.claims)
        for claim in ("deterministic", "weak", "terminal"):
            if getattr(self.claims, claim) and not getattr(found, claim):
                raise ValueError(f"the automaton claims to be {claim} and is not")
        return self

    def _check_label(self, label: Label) -> None:
        for true, false in label:
            if true & false:
                raise ValueError("a cube asks for a proposition to be both true and false")
            if (true | false) >> len(self.propositions):
                known = counted(len(self.propositions), "proposition")
                raise ValueError(f"a label uses more than the {known}")

    @property
    def conditions(self) -> tuple[tuple[Clause, ...], ...]:
        """All that a run must satisfy."""
        return (self.acceptance, *self.further)

    def normal_form(self, most: int = MAX_NORMAL_FORM) -> tuple[Clause, ...] | None:
        """Return the whole condition as one disjunction of clauses; None where it would have more than `most`."""
        if not self.further:
            return self.acceptance
        if math.prod(map(len, self.conditions)) > most:
            return None
        joined = (reduce(_both, choice) for choice in product(*self.conditions))
        return tuple(dict.fromkeys(clause for clause in joined if not clause.fin & clause.inf))

    def accepts_marks(self, marks: int) -> bool:
        """Is a run accepted that sees exactly these marks infinitely often?"""
        return all(
            any(not marks & fin and inf & ~marks == 0 for fin, inf in condition)
            for condition in self.conditions
        )

    def observed(self, wanted: Claims) -> Claims:
        """Return which of the wanted claims hold; strength is that of the reachable part."""
        deterministic = wanted.deterministic and is_deterministic(
            self.states, [label for label, _ in self.initial], ((e.source, e.label) for e in self.edges)
        )
        if not (wanted.weak or wanted.terminal):
            return Claims(deterministic=deterministic)
        edges = self._reachable_edges()
        marks = frozenset(m for m in {e.marks for e in edges} if self.accepts_marks(m))
        graph = Marked(self.states, ((e.source, e.marks, e.destination) for e in edges), marks)
        weak = graph.is_weak()
        terminal = weak and self._is_terminal(graph, edges)
        return Claims(deterministic=deterministic, weak=weak, terminal=terminal)

    def _reachable_edges(self) -> list[Edge]:
        """Return the edges that a run can take, with the marks that the acceptance condition names."""
        named = 0
        for fin, inf in chain(*self.conditions):
            named |= fin | inf
        pairs = ((edge.source, edge.destination) for edge in self.edges)
        seen = reachable(successors(self.states, pairs), (state for _, state in self.initial))
        return [edge._replace(marks=edge.marks & named) for edge in self.edges if edge.source in seen]

    def _is_terminal(self, graph: Marked, edges: list[Edge]) -> bool:
        chosen = graph.accepting_components()
        states = [state for state in range(self.states) if graph.component[state] in chosen]
        return graph.is_closed(chosen) and is_complete(states, ((e.source, e.label) for e in edges))

    def records(self) -> list[Record]:
        """Return a row for each edge."""
        return [
            {
                "source": e.source,
                "label": label_words(e.label, self.propositions),
                "marks": bits(e.marks),
                "destination": e.destination,
            }
            for e in self.edges
        ]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.automaton_text(
            getattr(self, "kind", "automaton"), self.states, self.propositions, self.records()
        )

    def picture(self) -> Picture:
        """Draw acceptance sets as numbers in parentheses, each in its colour."""
        names = self.propositions
        starts = [
            Arrow(None, "" if label == EVERY_LETTER else label_words(label, names), s)
            for label, s in self.initial
        ]
        arrows = [Arrow(e.source, label_words(e.label, names), e.destination, e.marks) for e in self.edges]
        return Picture(self.acceptance_words(), [Node(str(i)) for i in range(self.states)], starts + arrows)

    def acceptance_words(self) -> str:
        """Return the acceptance condition in the syntax of HOA."""
        if not self.further:
            return _disjunction_words(self.acceptance)
        return " & ".join(f"({_disjunction_words(condition)})" for condition in self.conditions)


def _both(one: Clause, other: Clause) -> Clause:
    return Clause(one.fin | other.fin, one.inf | other.inf)


def _disjunction_words(condition: tuple[Clause, ...]) -> str:
    return " | ".join(_clause_words(clause, len(condition)) for clause in condition) or "f"


def _clause_words(clause: Clause, count: int) -> str:
    terms = [f"{word}({i})" for word, sets in (("Fin", clause.fin), ("Inf", clause.inf)) for i in bits(sets)]
    text = "&".join(terms) or "t"
    return f"({text})" if count > 1 and len(terms) > 1 else text


def bits(mask: int) -> list[int]:
    """Return the numbers of the bits of a mask."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
