"""LTL to a TLBA by way of very weak alternating automata, as in LTL2BA: Gastin & Oddoux (2001).

Geldenhuys & Hansen (2006) made their automata with LTL2BA; those of Spot are smaller and more often deterministic, so
that tables about products are comparable with theirs only with automata of this kind. Our own implementation of the
paper's three steps and its simplifications (implied transitions, equal states), without LTL2BA's rewriting of formulas.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import spot

from buchi.common.labels import Cube
from buchi.schemas.automaton import EVERY_LETTER, Edge
from buchi.schemas.claims import Claims
from buchi.schemas.forms import BUCHI, Tlba
from buchi.schemas.ltl import Ltl
from buchi.translators.reduction import living, renumber

Formula = Any
"""A formula of Spot."""
Conjunction = frozenset[Formula]
"""A state of the generalized automaton: temporal formulas that must all hold."""


class Move(NamedTuple):
    """A transition of an alternating automaton: a cube, and the formulas that must hold next."""

    cube: Cube
    then: Conjunction


class Step(NamedTuple):
    """A transition of a (generalized) Büchi automaton; `marks` are the sets it belongs to, as bits."""

    cube: Cube
    marks: int
    target: Any


Graph = dict[Any, set[Step]]
ALWAYS = Move(Cube(0, 0), frozenset())


def implies(strong: Cube, weak: Cube) -> bool:
    return strong.true & weak.true == weak.true and strong.false & weak.false == weak.false


def both(left: Iterable[Move], right: Iterable[Move]) -> set[Move]:
    found = set()
    for a, b in ((a, b) for a in left for b in right):
        true, false = a.cube.true | b.cube.true, a.cube.false | b.cube.false
        if not true & false:
            found.add(Move(Cube(true, false), a.then | b.then))
    return found


def basic(formula: Formula) -> Formula:
    """Return the formula in negative normal form with no other temporal operators than X, U and R."""

    def rewrite(f: Formula) -> Formula:
        f = f.map(rewrite)
        if f._is(spot.op_F):
            return spot.formula.U(spot.formula.tt(), f[0])
        if f._is(spot.op_G):
            return spot.formula.R(spot.formula.ff(), f[0])
        if f._is(spot.op_W):
            return spot.formula.R(f[1], spot.formula.Or([f[0], f[1]]))
        if f._is(spot.op_M):
            return spot.formula.U(f[1], spot.formula.And([f[0], f[1]]))
        return f

    return rewrite(spot.negative_normal_form(spot.formula(formula)))


class Alternating:
    """Step 1: the very weak alternating automaton, whose states are the temporal subformulas."""

    def __init__(self, formula: Formula) -> None:
        self.formula = basic(formula)
        names = sorted(str(ap) for ap in spot.atomic_prop_collect(self.formula))
        self.propositions = tuple(names)
        self.untils: list[Formula] = []
        self._bit = {name: 1 << i for i, name in enumerate(names)}
        self._known: dict[Formula, set[Move]] = {}
        self.formula.traverse(self._collect)

    def _collect(self, f: Formula) -> bool:
        if f._is(spot.op_U) and f not in self.untils:
            self.untils.append(f)
        return False

    def moves(self, f: Formula) -> set[Move]:
        if f not in self._known:
            self._known[f] = self._moves(f)
        return self._known[f]

    def _moves(self, f: Formula) -> set[Move]:
        stay = Move(Cube(0, 0), frozenset({f}))
        if f._is(spot.op_U):
            return self.moves(f[1]) | both(self.moves(f[0]), {stay})
        if f._is(spot.op_R):
            return both(self.moves(f[1]), self.moves(f[0]) | {stay})
        if f._is(spot.op_X):
            return {Move(Cube(0, 0), conjunction) for conjunction in conjunctions(f[0])}
        return self._boolean_moves(f)

    def _boolean_moves(self, f: Formula) -> set[Move]:
        if f.is_tt():
            return {ALWAYS}
        if f.is_ff():
            return set()
        if f._is(spot.op_ap):
            return {Move(Cube(self._bit[str(f)], 0), frozenset())}
        if f._is(spot.op_Not):
            return {Move(Cube(0, self._bit[str(f[0])]), frozenset())}
        if f._is(spot.op_Or):
            return {move for part in f for move in self.moves(part)}
        assert f._is(spot.op_And)
        return self.all_of(f)

    def all_of(self, formulas: Iterable[Formula]) -> set[Move]:
        found = {ALWAYS}
        for formula in formulas:
            found = both(found, self.moves(formula))
        return found


def conjunctions(f: Formula) -> set[Conjunction]:
    """Return the disjunctive normal form of a formula over its temporal subformulas and literals."""
    if f.is_tt():
        return {frozenset()}
    if f.is_ff():
        return set()
    if f._is(spot.op_Or):
        return {conjunction for part in f for conjunction in conjunctions(part)}
    if f._is(spot.op_And):
        found: set[Conjunction] = {frozenset()}
        for part in f:
            found = {a | b for a in found for b in conjunctions(part)}
        return found
    return {frozenset({f})}


def generalized(automaton: Alternating) -> tuple[Graph, set[Conjunction]]:
    """Step 2: a generalized Büchi automaton with accepting transitions, a set for each until."""
    initial = conjunctions(automaton.formula)
    graph: Graph = {}
    pending = sorted(initial, key=_spelled)
    while pending:
        state = pending.pop()
        if state not in graph:
            steps = {Step(m.cube, _marks(automaton, m), m.then) for m in automaton.all_of(state)}
            graph[state] = {step for step in steps if not any(_better(other, step) for other in steps)}
            pending += sorted((step.target for step in graph[state]), key=_spelled)
    return graph, initial


def _spelled(state: Conjunction) -> list[str]:
    """Make the order of states, and so that of the search, the same in every run."""
    return sorted(map(str, state))


def _marks(automaton: Alternating, move: Move) -> int:
    def fulfils(until: Formula) -> bool:
        return until not in move.then or any(
            implies(move.cube, other.cube) and until not in other.then and other.then <= move.then
            for other in automaton.moves(until)
        )

    return sum(1 << i for i, until in enumerate(automaton.untils) if fulfils(until))


def _better(one: Step, other: Step) -> bool:
    """Is the other transition superfluous?"""
    return (
        one != other
        and implies(other.cube, one.cube)
        and one.target <= other.target
        and one.marks & other.marks == other.marks
    )


def merged(graph: Graph, initial: set[Any], colour: dict[Any, bool]) -> tuple[Graph, set[Any]]:
    """Merge states of one colour with equal transitions, again and again."""
    while True:
        first: dict[tuple[bool, frozenset[Step]], Any] = {}
        same = {
            state: first.setdefault((colour.get(state, False), frozenset(steps)), state)
            for state, steps in graph.items()
        }
        if len(first) == len(graph):
            return graph, initial
        kept = set(first.values())
        graph = {s: {t._replace(target=same[t.target]) for t in graph[s]} for s in graph if s in kept}
        initial = {same[state] for state in initial}


def degeneralized(graph: Graph, initial: set[Any], sets: int) -> tuple[Graph, set[Any], dict[Any, bool]]:
    """Step 3: a Büchi automaton with accepting states; levels count the sets that were met in turn."""
    starts = {(state, 0) for state in initial}
    found: Graph = {}
    pending = [(state, 0) for state in graph if state in initial]
    while pending:
        state = pending.pop()
        if state not in found:
            steps = {Step(t.cube, 0, (t.target, _level(state[1], t.marks, sets))) for t in graph[state[0]]}
            found[state] = {step for step in steps if not any(_covers(other, step) for other in steps)}
            pending += sorted({step.target for step in found[state]}, key=lambda s: (_spelled(s[0]), s[1]))
    return found, starts, {state: state[1] == sets for state in found}


def _level(level: int, marks: int, sets: int) -> int:
    level = 0 if level == sets else level
    while level < sets and marks >> level & 1:
        level += 1
    return level


def _covers(one: Step, other: Step) -> bool:
    return one != other and one.target == other.target and implies(other.cube, one.cube)


def gastin_oddoux(formula: Ltl) -> Tlba:
    """Translate the formula itself."""
    automaton = Alternating(spot.formula(formula.formula))
    graph, initial = merged(*generalized(automaton), {})
    graph, initial, accepting = degeneralized(graph, initial, len(automaton.untils))
    graph, initial = merged(graph, initial, accepting)
    number = {state: index for index, state in enumerate(graph)}
    labels: dict[tuple[int, int], list[Cube]] = {}
    for state, steps in graph.items():
        for step in sorted(steps, key=lambda step: (number[step.target], step.cube)):
            labels.setdefault((number[state], number[step.target]), []).append(step.cube)
    marked = {number[state] for state in graph if accepting[state]}
    block = renumber(len(graph), living(len(graph), list(labels), marked))
    edges = tuple(
        Edge(block[a], tuple(cubes), int(a in marked), block[b])
        for (a, b), cubes in labels.items()
        if block[a] >= 0 and block[b] >= 0
    )
    starts = sorted(block[number[state]] for state in initial if block[number[state]] >= 0)
    return Tlba(
        propositions=automaton.propositions,
        states=max([0, *block]) + 1,
        initial=tuple((EVERY_LETTER, state) for state in starts or [0]),
        edges=edges,
        sets=1,
        acceptance=BUCHI,
        claims=Claims(stutter_invariant=bool(spot.is_stutter_invariant(spot.formula(formula.formula)))),
    )
