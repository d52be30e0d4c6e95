"""Every form as an automaton of Spot with the same language: to compare, to complement, to replay words."""

from __future__ import annotations

import spot

from buchi.common.errors import InputError
from buchi.common.labels import EVERY_LETTER, exactly
from buchi.schemas.automaton import Automaton, Edge
from buchi.schemas.forms import BUCHI
from buchi.schemas.slba import Slba
from buchi.schemas.testing import TestingAutomaton
from buchi.translators.spot_helpers.automata import to_spot

MAX_UNFOLDED = 100_000
"""Pairs of a state and a valuation: n propositions that change one by one have 2^n valuations."""


def as_spot(form: Automaton | Slba | TestingAutomaton) -> spot.twa_graph:
    """Return the automaton as Spot's.

    Of forms with explicit labels, equal states are merged: Spot is to complement the result.
    """
    if isinstance(form, Slba):
        return _merged(_slba_view(form))
    if isinstance(form, TestingAutomaton):
        return _merged(_Unfolding(form).automaton())
    return to_spot(form)


def _merged(automaton: Automaton) -> spot.twa_graph:
    result = to_spot(automaton)
    result.merge_edges()
    result.merge_states()
    return result


def _slba_view(form: Slba) -> Automaton:
    """Read the label of a state when it is entered, from a new initial state at first.

    So states with the same successors look the same, whatever their labels.
    """
    label = [exactly(letter, len(form.propositions)) for letter in form.labels]
    accepting = frozenset(form.accepting)
    edges = [Edge(a, label[b], int(a in accepting), b) for a, b in form.edges]
    first = [Edge(form.states, label[state], 0, state) for state in form.initial]
    return _with_first_state(form.propositions, form.states, edges + first)


class _Unfolding:
    """The reachable pairs of a state of a testing automaton and a valuation, read when they are entered.

    A livelock is a loop in a copy of the pair, marked True.
    """

    def __init__(self, form: TestingAutomaton) -> None:
        self.form = form
        self.accepting, self.livelock = frozenset(form.accepting), frozenset(form.livelock)
        self.number: dict[tuple[int, int, bool], int] = {}
        self.edges: list[tuple[int, int, int, int]] = []
        self._todo: list[tuple[int, int, bool]] = []
        self._changes: list[list[tuple[int, int]]] = [[] for _ in range(form.states)]
        for source, change, destination in form.edges:
            self._changes[source].append((change, destination))

    def automaton(self) -> Automaton:
        starts = [(label, self._visit(state, label, False)) for label, state in self.form.initial]
        while self._todo:
            self._add_edges(*self._todo.pop())
        first = [(len(self.number), label, 0, state) for label, state in starts]
        width = len(self.form.propositions)
        edges = [Edge(a, exactly(letter, width), marks, b) for a, letter, marks, b in self.edges + first]
        return _with_first_state(self.form.propositions, len(self.number), edges)

    def _visit(self, state: int, letter: int, stuck: bool) -> int:
        key = (state, letter, stuck)
        if key not in self.number:
            if len(self.number) >= MAX_UNFOLDED:
                raise InputError(
                    f"the testing automaton has more than {MAX_UNFOLDED} pairs of a state and a valuation"
                )
            self.number[key] = len(self.number)
            self._todo.append(key)
        return self.number[key]

    def _add_edges(self, state: int, letter: int, stuck: bool) -> None:
        here = self.number[state, letter, stuck]
        self.edges.append((here, letter, int(stuck), here))
        if stuck:
            return
        if state in self.livelock:
            self.edges.append((here, letter, 0, self._visit(state, letter, True)))
        marks = int(state in self.accepting)
        for change, other in self._changes[state]:
            self.edges.append((here, letter ^ change, marks, self._visit(other, letter ^ change, False)))


def _with_first_state(propositions: tuple[str, ...], states: int, edges: list[Edge]) -> Automaton:
    """Return a Büchi automaton whose initial state comes after the others."""
    return Automaton(
        propositions=propositions,
        states=states + 1,
        initial=((EVERY_LETTER, states),),
        edges=tuple(edges),
        sets=1,
        acceptance=BUCHI,
    )
