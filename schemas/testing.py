"""Testing automata (Geldenhuys & Hansen 2006, section 4).

They see changes of the valuation, and livelocks.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator
from typing_extensions import Self

from buchi.common.frames import Record
from buchi.common.labels import letter_words
from buchi.common.pictures import Arrow, Drawn, Node, Picture
from buchi.common.words import counted
from buchi.schemas.automaton import MAX_PROPOSITIONS, MAX_STATES, Clause
from buchi.schemas.claims import Claims
from buchi.schemas.kinds import Kind
from buchi.schemas.ranges import check_distinct, check_states


class Start(NamedTuple):
    """An initial state, for words that begin with the valuation `label` (a bit mask)."""

    label: int
    state: int


class Change(NamedTuple):
    """An edge, taken when exactly the propositions of `change` (a bit mask, not 0) change their value."""

    source: int
    change: int
    destination: int


class TaMark(IntFlag):
    """The marks on the edges of a testing automaton as a table, as bits.

    With them its acceptance is Inf(BUCHI) or (Fin(CHANGE) and Inf(LIVELOCK)), so that any check for
    generalized Rabin acceptance decides it too. A run that meets a Büchi-accepting state infinitely often,
    with changes infinitely often, leaves that state by a change infinitely often: no mark is needed on its
    stuttering step.
    """

    BUCHI = 1
    """A change that leaves a Büchi-accepting state."""
    LIVELOCK = 2
    """A stuttering step at a livelock-accepting state."""
    STUTTER = 4
    """Any stuttering step."""
    CHANGE = 8
    """Any change."""


TA_SETS = 4
TA_ACCEPTANCE = (
    Clause(fin=0, inf=int(TaMark.BUCHI)),
    Clause(fin=int(TaMark.CHANGE), inf=int(TaMark.LIVELOCK)),
)


class TestingAutomaton(Drawn, BaseModel):
    """An automaton over the changes of the valuation; while nothing changes it stays where it is.

    A run is accepted when it meets a state of `accepting` infinitely often and the valuation changes
    infinitely often, or when it stays forever, without a change, in a state of `livelock`. A state may be
    initial for several labels. Only languages that are invariant under stuttering have one.
    """

    __test__ = False  # the name is no test's
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: Literal[Kind.TA] = Kind.TA
    propositions: Annotated[tuple[str, ...], Field(max_length=MAX_PROPOSITIONS)]
    states: Annotated[int, Field(ge=0, le=MAX_STATES)]
    initial: tuple[Start, ...]
    edges: Annotated[tuple[Change, ...], FailFast()]
    accepting: tuple[int, ...]
    livelock: tuple[int, ...]
    claims: Claims = Claims(stutter_invariant=True)

    @model_validator(mode="after")
    def _indices_are_in_range(self) -> Self:
        check_distinct(self.propositions, "proposition")
        check_distinct(self.initial, "initial state")
        check_states(sorted({state for _, state in self.initial}), self.states, "initial")
        check_states(self.accepting, self.states, "accepting")
        check_states(self.livelock, self.states, "livelock")
        for label, state in self.initial:
            if label < 0 or label >> len(self.propositions):
                raise ValueError(f"the label of initial state {state} is no set of the propositions")
        for edge in self.edges:
            self._check_edge(edge)
        return self

    def _check_edge(self, edge: Change) -> None:
        if not (0 <= edge.source < self.states and 0 <= edge.destination < self.states):
            states = counted(self.states, "state")
            raise ValueError(f"edge {edge.source} -> {edge.destination} leaves the {states}")
        if edge.change == 0:
            raise ValueError(f"edge {edge.source} -> {edge.destination} is a stuttering edge")
        if edge.change < 0 or edge.change >> len(self.propositions):
            raise ValueError(f"edge {edge.source} -> {edge.destination} changes unknown propositions")

    @model_validator(mode="after")
    def _claims_are_true(self) -> Self:
        if not self.claims.stutter_invariant:
            raise ValueError("the language of a testing automaton is stutter-invariant")
        if self.claims.weak or self.claims.terminal:
            raise ValueError("weak and terminal are not defined for testing automata")
        if self.claims.deterministic and not self.observed(self.claims).deterministic:
            raise ValueError("the automaton claims to be deterministic and is not")
        return self

    def observed(self, wanted: Claims) -> Claims:
        """Return which of the wanted claims hold; the language is not looked at."""
        starts = [label for label, _ in self.initial]
        steps = [(edge.source, edge.change) for edge in self.edges]
        deterministic = len(set(starts)) == len(starts) and len(set(steps)) == len(steps)
        return Claims(deterministic=wanted.deterministic and deterministic, stutter_invariant=True)

    def records(self) -> list[Record]:
        """Return a row for each edge; what is read is what changes."""
        return [
            {"source": a, "label": letter_words(change, self.propositions), "destination": b}
            for a, change, b in self.edges
        ]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.automaton_text(self.kind.value, self.states, self.propositions, self.records())

    def picture(self) -> Picture:
        """Draw Büchi-accepting states with two rings and livelock-accepting ones dashed."""
        accepting, livelock = frozenset(self.accepting), frozenset(self.livelock)
        nodes = [Node(str(i), 2 if i in accepting else 1, i in livelock) for i in range(self.states)]
        starts = [Arrow(None, letter_words(label, self.propositions), s) for label, s in self.initial]
        changes = [Arrow(a, letter_words(change, self.propositions), b) for a, change, b in self.edges]
        return Picture("changes; dashed: livelock-accepting", nodes, starts + changes)
