"""The kinds of automata that read the valuation of the source state, told apart by the shape of their
acceptance.

A Tgba is a Tfla with one clause, a Tfla is a Tgra without Fin, a Tgra is a Tela with at most one Fin set a
clause; a Tlba is a Tgba with one set, which holds all edges that leave an accepting state or none.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator
from typing_extensions import Self

from buchi.common.pictures import Node, Picture
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Letter
from buchi.schemas.kinds import Kind

BUCHI: tuple[Clause, ...] = (Clause(fin=0, inf=1),)


class Tela(Automaton):
    """Emerson-Lei acceptance: any Boolean combination of Fin and Inf, kept in disjunctive normal form.

    Where that would be too long it is a conjunction of such forms.
    """

    kind: Literal[Kind.TELA] = Kind.TELA

    @model_validator(mode="after")
    def _reads_the_source(self) -> Self:
        _check_source(self, self.kind)
        return self


class Tgra(Automaton):
    """Generalized Rabin acceptance.

    A disjunction of pairs, each with at most one Fin set and any number of Inf sets.
    """

    kind: Literal[Kind.TGRA] = Kind.TGRA

    @model_validator(mode="after")
    def _is_generalized_rabin(self) -> Self:
        _check_source(self, self.kind)
        for number, clause in enumerate(self.acceptance):
            if bin(clause.fin).count("1") > 1:
                raise ValueError(f"pair {number} of a TGRA has more than one Fin set")
        return self


class Tfla(Automaton):
    """Fin-less acceptance: a disjunction of generalized Büchi conditions."""

    kind: Literal[Kind.TFLA] = Kind.TFLA

    @model_validator(mode="after")
    def _has_no_fin(self) -> Self:
        _check_source(self, self.kind)
        if any(clause.fin for clause in self.acceptance):
            raise ValueError("the acceptance of a Fin-less automaton uses Fin")
        return self


class Tgba(Automaton):
    """Generalized Büchi acceptance: every set infinitely often."""

    kind: Literal[Kind.TGBA] = Kind.TGBA

    @model_validator(mode="after")
    def _is_generalized_buchi(self) -> Self:
        _check_source(self, self.kind)
        every = (1 << self.sets) - 1
        if self.acceptance != (Clause(fin=0, inf=every),):
            raise ValueError("a TGBA asks for each of its sets infinitely often and for nothing else")
        return self


class Tlba(Automaton):
    """State-based Büchi acceptance: the one mark is on all edges that leave an accepting state."""

    kind: Literal[Kind.TLBA] = Kind.TLBA

    @model_validator(mode="after")
    def _is_state_based_buchi(self) -> Self:
        _check_source(self, self.kind)
        if self.sets != 1 or self.acceptance != BUCHI:
            raise ValueError("a TLBA has one acceptance set, to be seen infinitely often")
        marks: dict[int, int] = {}
        for edge in self.edges:
            if marks.setdefault(edge.source, edge.marks) != edge.marks:
                raise ValueError(
                    f"only some edges of state {edge.source} are accepting; a TLBA has accepting states"
                )
        return self

    @property
    def accepting(self) -> frozenset[int]:
        """The accepting states."""
        return frozenset(edge.source for edge in self.edges if edge.marks)

    def picture(self) -> Picture:
        """Draw accepting states with two rings."""
        drawn, accepting = super().picture(), self.accepting
        nodes = [Node(node.text, 2 if i in accepting else 1) for i, node in enumerate(drawn.nodes)]
        return drawn._replace(nodes=nodes, arrows=[arrow._replace(marks=0) for arrow in drawn.arrows])


def _check_source(automaton: Automaton, kind: Kind) -> None:
    if automaton.further and kind is not Kind.TELA:
        raise ValueError(f"the acceptance of a {kind} is one disjunction")
    if automaton.letter is not Letter.SOURCE:
        raise ValueError(f"a {kind} reads the source state, not the {automaton.letter.value}")
    if any(label != EVERY_LETTER for label, _ in automaton.initial):
        raise ValueError(f"a {kind} has conditions on its edges, not on its initial states")
