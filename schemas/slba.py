"""State-labelled Büchi automata (Geldenhuys & Hansen 2006, section 3): each state says what is read there."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator
from typing_extensions import Self

from buchi.common.frames import Record
from buchi.common.graph import reachable, successors
from buchi.common.labels import letter_words
from buchi.common.pictures import Arrow, Drawn, Node, Picture, joined
from buchi.common.structure import Marked
from buchi.schemas.automaton import MAX_PROPOSITIONS
from buchi.schemas.claims import Claims
from buchi.schemas.kinds import Kind
from buchi.schemas.ranges import check_distinct, check_edges, check_states


class Slba(Drawn, BaseModel):
    """A Büchi automaton whose states have one valuation each; edges are pairs of states.

    A run over k1 k2 ... is a path s1 s2 ... from an initial state with labels[si] = ki; it is accepted when
    it meets an accepting state infinitely often. No state at all is the empty language.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: Literal[Kind.SLBA] = Kind.SLBA
    propositions: Annotated[tuple[str, ...], Field(max_length=MAX_PROPOSITIONS)]
    labels: Annotated[tuple[int, ...], FailFast()]
    """For each state the valuation, as a bit mask: total over the propositions."""
    initial: tuple[int, ...]
    edges: Annotated[tuple[tuple[int, int], ...], FailFast()]
    accepting: tuple[int, ...]
    claims: Claims = Claims()

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.labels)

    @model_validator(mode="after")
    def _indices_are_in_range(self) -> Self:
        check_distinct(self.propositions, "proposition")
        check_states(self.initial, self.states, "initial")
        check_states(self.accepting, self.states, "accepting")
        check_edges(self.edges, self.states)
        for state, label in enumerate(self.labels):
            if label < 0 or label >> len(self.propositions):
                raise ValueError(f"the label of state {state} is no set of the propositions")
        return self

    @model_validator(mode="after")
    def _claims_are_true(self) -> Self:
        found = self.observed(self.claims)
        for claim in ("deterministic", "weak", "terminal"):
            if getattr(self.claims, claim) and not getattr(found, claim):
                raise ValueError(f"the automaton claims to be {claim} and is not")
        return self

    def observed(self, wanted: Claims) -> Claims:
        """Return which of the wanted claims hold; strength is that of the reachable part."""
        deterministic = wanted.deterministic and self._is_deterministic()
        if not (wanted.weak or wanted.terminal):
            return Claims(deterministic=deterministic)
        marked = frozenset(self.accepting)
        seen = reachable(successors(self.states, self.edges), self.initial)
        edges = ((a, int(a in marked), b) for a, b in self.edges if a in seen)
        graph = Marked(self.states, edges, frozenset([1]))
        weak = graph.is_weak()
        return Claims(deterministic=deterministic, weak=weak, terminal=weak and self._is_terminal(graph))

    def _is_deterministic(self) -> bool:
        """Do the initial states, and the successors of each state, have different labels?"""
        starts = [self.labels[state] for state in self.initial]
        steps = [(source, self.labels[destination]) for source, destination in self.edges]
        return len(set(starts)) == len(starts) and len(set(steps)) == len(steps)

    def _is_terminal(self, graph: Marked) -> bool:
        """Are accepting components left by no edge, and can every letter follow within them?"""
        chosen = graph.accepting_components()
        inside = [state for state in range(self.states) if graph.component[state] in chosen]
        steps = {(source, self.labels[destination]) for source, destination in self.edges}
        count: dict[int, int] = dict.fromkeys(inside, 0)
        for source, _ in steps:
            if source in count:
                count[source] += 1
        return graph.is_closed(chosen) and all(n == 1 << len(self.propositions) for n in count.values())

    def records(self) -> list[Record]:
        """Return a row for each edge; what is read is the label of its destination."""
        accepting = frozenset(self.accepting)
        return [
            {
                "source": a,
                "label": letter_words(self.labels[b], self.propositions),
                "destination": b,
                "accepting": b in accepting,
            }
            for a, b in self.edges
        ]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.automaton_text(self.kind.value, self.states, self.propositions, self.records())

    def picture(self) -> Picture:
        """Draw accepting states with two rings."""
        accepting = frozenset(self.accepting)
        nodes = [
            Node(joined([str(i), letter_words(label, self.propositions)]), 2 if i in accepting else 1)
            for i, label in enumerate(self.labels)
        ]
        starts = [Arrow(None, "", state) for state in self.initial]
        return Picture("Inf(accepting states)", nodes, starts + [Arrow(a, "", b) for a, b in self.edges])
