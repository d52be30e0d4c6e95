"""Graphs made by hand, on which every checker that takes them has to be right.

A graph is a product as a checker sees it: the structure has its edges, and the automaton only carries the
marks of each state over to the edges that leave it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from buchi import _engine
from buchi.checkers.declaration import Accepts, Strength
from buchi.common.labels import exactly
from buchi.models.bytecode import interpreted
from buchi.models.guarded import Assign, Binary, Command, Const, Model, Read, Type, Variable
from buchi.models.kripke import Kripke
from buchi.pipeline.product import build_product
from buchi.schemas.automaton import Automaton, Clause, Edge, Letter

BUCHI = (Clause(0, 1),)


def carrier(sets: int, acceptance: Sequence[Clause]) -> Automaton:
    """Return the automaton that marks a step by the propositions `m0`, `m1`, … true in its source."""
    letters = range(1 << sets)
    return Automaton(
        letter=Letter.DESTINATION,
        propositions=tuple(f"m{i}" for i in range(sets)),
        states=1 << sets,
        initial=tuple((exactly(to, sets), to) for to in letters),
        edges=tuple(Edge(here, exactly(to, sets), here, to) for here in letters for to in letters),
        sets=sets,
        acceptance=tuple(acceptance),
    )


@dataclass(frozen=True)
class Graph:
    """Successors of each state, the marks of those that have any, and whether there is an accepting run."""

    edges: Sequence[Sequence[int]]
    marks: Mapping[int, int] = field(default_factory=dict)
    accepting: bool = True
    acceptance: Sequence[Clause] = BUCHI
    strength: Strength = Strength.GENERAL
    stutter: bool = False

    @property
    def sets(self) -> int:
        return max(fin | inf for fin, inf in self.acceptance).bit_length()

    @property
    def total(self) -> bool:
        return self.stutter or all(self.edges)

    def product(self) -> _engine.Product:
        names = [f"m{i}" for i in range(self.sets)]
        marks = [self.marks.get(state, 0) for state in range(len(self.edges))]
        labels = [frozenset(n for i, n in enumerate(names) if mask >> i & 1) for mask in marks]
        model = Kripke(tuple(names), self.edges, labels).model()
        automaton = carrier(self.sets, self.acceptance)
        return build_product(
            model, interpreted(model), automaton, dict(model.constants), stutter=self.stutter
        )


def cycle(length: int) -> list[list[int]]:
    return [[(state + 1) % length] for state in range(length)]


WEAK, TERMINAL = Strength.WEAK, Strength.TERMINAL
ANY_RUN = (Clause(0, 0),)
TWO_SETS = (Clause(0, 0b11),)
EITHER = (Clause(0, 0b01), Clause(0, 0b110))
RABIN = (Clause(0b01, 0b10),)

GRAPHS: dict[str, Graph] = {
    "one state without edges": Graph([[]], {0: 1}, accepting=False, strength=WEAK),
    "one state, its deadlock stutters": Graph([[]], {0: 1}, strength=TERMINAL, stutter=True),
    "a deadlock stutters, not accepting": Graph([[]], accepting=False, strength=TERMINAL, stutter=True),
    "an accepting self-loop": Graph([[0]], {0: 1}, strength=TERMINAL),
    "a self-loop that is not accepting": Graph([[0]], accepting=False, strength=TERMINAL),
    "a trivial accepting component": Graph([[1], [2], [2]], {1: 1}, accepting=False, strength=WEAK),
    "trivial accepting components in a row": Graph(
        [[1, 2], [2], [3], []], {0: 1, 1: 1, 2: 1, 3: 1}, accepting=False, strength=WEAK
    ),
    "a self-loop after a deadlock": Graph([[1, 2], [], [2]], {2: 1}, strength=TERMINAL),
    "a cycle that is accepting in one state": Graph(cycle(5), {3: 1}),
    "an accepting cycle": Graph(cycle(5), dict.fromkeys(range(5), 1), strength=TERMINAL),
    "an accepting state before a cycle": Graph([[1], [2], [1]], {0: 1}, accepting=False, strength=WEAK),
    "an accepting state after a cycle": Graph([[1], [0, 2], []], {2: 1}, accepting=False, strength=WEAK),
    "a cycle that is weak and can be left": Graph([[1], [0, 2], [2]], {0: 1, 1: 1}, strength=WEAK),
    "two cycles that share a state": Graph([[1, 2], [0], [0]], {2: 1}),
    "a cross edge into a finished cycle": Graph(
        [[1, 3], [2], [1], [1]], {3: 1}, accepting=False, strength=WEAK
    ),
    "the same edge twice": Graph([[1, 1], [0, 0]], {1: 1}),
    "any cycle": Graph([[1], [2], [1]], acceptance=ANY_RUN, strength=WEAK),
    "no cycle at all": Graph([[1, 2], [2], []], accepting=False, acceptance=ANY_RUN, strength=WEAK),
    "both sets on one cycle": Graph(cycle(4), {0: 1, 2: 2}, acceptance=TWO_SETS),
    "two sets on two cycles": Graph([[0, 1], [1]], {0: 1, 1: 2}, accepting=False, acceptance=TWO_SETS),
    "two sets on a figure of eight": Graph([[1, 2], [0], [0]], {1: 1, 2: 2}, acceptance=TWO_SETS),
    "the second clause": Graph([[1], [2], [1]], {1: 2, 2: 4}, acceptance=EITHER),
    "half of each clause": Graph([[1], [2], [1]], {0: 1, 1: 2}, accepting=False, acceptance=EITHER),
    "a cycle around Fin": Graph([[1, 2], [0], [3], [2]], {0: 1, 1: 2, 2: 2}, acceptance=RABIN),
    "every cycle through Fin": Graph([[1], [0]], {0: 1, 1: 2}, accepting=False, acceptance=RABIN),
    "Fin before the cycle": Graph([[1], [1]], {0: 1, 1: 2}, acceptance=RABIN),
}


def applies(accepts: Accepts, graph: Graph) -> bool:
    """Does a checker decide this graph? It may be weak although the automaton that carries it is not."""
    order = list(Strength)
    return (
        not accepts.testing
        and Letter.DESTINATION in accepts.letters
        and order.index(accepts.strength) <= order.index(graph.strength)
        and (accepts.fin or not any(fin for fin, _ in graph.acceptance))
        and (accepts.max_clauses is None or len(graph.acceptance) <= accepts.max_clauses)
        and (accepts.max_sets is None or graph.sets <= accepts.max_sets)
        and (graph.total or not accepts.total)
    )


def long_path(length: int) -> tuple[Model, Automaton]:
    """Count to a number; only the last state is accepting, and it stutters."""
    count = Binary("+", Read(0), Const(1))
    step = Command("step", (), Binary("<", Read(0), Const(length - 1)), (), (Assign(0, None, count),))
    end = {"m0": Binary("==", Read(0), Const(length - 1))}
    return Model("long", (Variable("x", Type.INT32),), (step,), constants=end), carrier(1, BUCHI)
