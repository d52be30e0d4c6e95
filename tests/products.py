"""Random products of a structure and an automaton, what they are by definition, and Spot's verdict on them.

A search that finds nothing is certified by the small checker of certificates.

The automata are random, not made from formulas, so that marks are where no translator would put them: on states
of no cycle, on some edges of a state, on parts that cannot be reached. `MAKERS` names all shapes; the checkers
that take an automaton are found by what they declare.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from itertools import product as combinations
from typing import NamedTuple

import spot
from certificates import certify_product

from buchi import _engine
from buchi.checkers.declaration import AnyChecker, KernelChecker
from buchi.common.ends import Limits, Reason
from buchi.common.labels import exactly
from buchi.models.bytecode import interpreted
from buchi.models.kripke import Kripke
from buchi.pipeline import registry
from buchi.pipeline.product import build_automaton, build_product
from buchi.pipeline.python_search import CountedProduct
from buchi.pipeline.search import REASONS
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Cube, Edge, Letter
from buchi.schemas.counters import Counters
from buchi.schemas.testing import TA_ACCEPTANCE, TA_SETS, TaMark

PROPOSITIONS = ("p", "q")
Maker = Callable[[random.Random], Automaton]


def random_kripke(rng: random.Random, states: int, density: float, total: bool = False) -> Kripke:
    edges = [[t for t in range(states) if rng.random() < density] for _ in range(states)]
    if total:
        edges = [targets or [rng.randrange(states)] for targets in edges]
    labels = [frozenset(p for p in PROPOSITIONS if rng.random() < 0.5) for _ in range(states)]
    return Kripke(PROPOSITIONS, edges, labels)


def random_automaton(rng: random.Random, letter: Letter) -> Automaton:
    states = rng.randint(1, 4)

    def label() -> tuple[Cube, ...]:
        literals = [rng.choice([(1, 0), (0, 1), (0, 0), (0, 0)]) for _ in range(2)]
        masks = [(t << i, f << i) for i, (t, f) in enumerate(literals)]
        return (Cube(masks[0][0] | masks[1][0], masks[0][1] | masks[1][1]),) * rng.randint(1, 2)

    edges = tuple(
        Edge(rng.randrange(states), label(), rng.randrange(4), rng.randrange(states))
        for _ in range(rng.randint(0, 5 * states))
    )
    initial = tuple((label(), rng.randrange(states)) for _ in range(rng.randint(1, 3)))
    return Automaton(
        letter=letter, propositions=PROPOSITIONS, states=states, initial=initial, edges=edges, sets=2,
        acceptance=(Clause(0, 3),),
    )  # fmt: skip


# What a product is by definition


def satisfies(letter: frozenset[str], label: Sequence[Cube]) -> bool:
    mask = sum(1 << i for i, p in enumerate(PROPOSITIONS) if p in letter)
    return any(mask & cube.true == cube.true and mask & cube.false == 0 for cube in label)


def letter_of(kripke: Kripke, kind: Letter, source: int, target: int) -> frozenset[str]:
    before, after = kripke.labels[source], kripke.labels[target]
    return {Letter.SOURCE: before, Letter.DESTINATION: after, Letter.CHANGE: before ^ after}[kind]


def expected_post(
    kripke: Kripke, automaton: Automaton, stutter: bool, s: int, q: int
) -> list[tuple[int, int, int]]:
    targets = list(kripke.edges[s]) or ([s] if stutter else [])
    return [
        (t, edge.destination, edge.marks)
        for t in targets
        for edge in automaton.edges
        if edge.source == q and satisfies(letter_of(kripke, automaton.letter, s, t), edge.label)
    ]


def expected_starts(kripke: Kripke, automaton: Automaton) -> list[tuple[int, int]]:
    return [(0, q) for label, q in automaton.initial if satisfies(kripke.labels[0], label)]


@dataclass(frozen=True)
class Case:
    """A structure, an automaton, and whether deadlocks stutter: a product before it is built."""

    kripke: Kripke
    automaton: Automaton
    stutter: bool = True

    @cached_property
    def edges(self) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
        """The reachable states by definition, with what follows each."""
        found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        pending = expected_starts(self.kripke, self.automaton)
        while pending:
            state = pending.pop()
            if state not in found:
                found[state] = expected_post(self.kripke, self.automaton, self.stutter, *state)
                pending += [(t, q) for t, q, _ in found[state]]
        return found

    @cached_property
    def accepting(self) -> bool:
        """Does Spot find an accepting run? It is given the edges above and nothing of ours."""
        graph = spot.make_twa_graph()
        graph.set_acceptance(self.automaton.sets, acceptance_text(self.automaton))
        number = {state: i for i, state in enumerate(self.edges, 1)}
        graph.new_states(len(number) + 1)
        graph.set_init_state(0)
        for start in expected_starts(self.kripke, self.automaton):
            graph.new_edge(0, number[start], spot.buddy.bddtrue)
        for state, edges in self.edges.items():
            for t, q, marks in edges:
                sets = [i for i in range(self.automaton.sets) if marks >> i & 1]
                graph.new_edge(number[state], number[t, q], spot.buddy.bddtrue, sets)
        return not graph.is_empty()

    @cached_property
    def _built(self) -> tuple[_engine.Model, _engine.Automaton]:
        model = self.kripke.model()
        return interpreted(model), build_automaton(self.automaton, model, model.constants)

    def product(self, seed: int | None = None) -> _engine.Product:
        """The engine's product, in which nothing is stored yet."""
        return _engine.Product(*self._built, self.stutter, seed)

    def is_for(self, checker: AnyChecker) -> bool:
        """Does the checker declare to decide it?"""
        return checker.accepts.refusal(self.automaton, total=self.stutter) is None

    def takers(self) -> Iterator[AnyChecker]:
        """Yield the checkers that it is for."""
        return filter(self.is_for, registry.checkers().values())

    def search(self, checker: AnyChecker, seed: int | None = None) -> Found:
        """Search a new product; what is found has to be an accepting run of it."""
        product = self.product(seed)
        conditions = checker.accepts.conditions(self.automaton)
        assert conditions is not None, "the checker declares to decide it"
        if not all(conditions):  # as the pipeline does: nothing is accepted
            return Found(False, [], [], Counters(), None)
        outcome = search(checker, product, conditions[0], further=conditions[1:])
        if outcome.accepting:
            assert_accepting(product, outcome, self.automaton.conditions)
        elif self.automaton.normal_form() is not None:
            self.certify(product)
        return outcome

    def certify(self, product: _engine.Product) -> None:
        """Let the small checker look at what a search that found nothing leaves."""
        model = self.kripke.model()
        certify_product(product, model, self.automaton, model.constants, stutter=self.stutter)


class Found(NamedTuple):
    """What came of a search, whoever searched."""

    accepting: bool
    prefix: list[int]
    cycle: list[int]
    counters: _engine.Counters | Counters
    reason: Reason | None


def search(
    checker: AnyChecker,
    product: _engine.Product,
    acceptance: Sequence[Clause],
    states: int = 0,
    further: Sequence[Sequence[Clause]] = (),
) -> Found:
    """Run a checker, be it a kernel or written in Python, with at most so many states; 0 is no limit."""
    if isinstance(checker, KernelChecker):
        control = _engine.Control(states=states)
        outcome = _engine.check(checker.kernel, product, acceptance, control, further=further, numbered=True)
        reason = REASONS.get(outcome.end)
        return Found(outcome.accepting, outcome.prefix, outcome.cycle, outcome.counters, reason)
    ended = CountedProduct(product, Limits(states=states or None), None).search(checker, acceptance)
    return Found(ended.lasso is not None, *(ended.lasso or ([], [])), ended.counters, ended.reason)


def product_of(
    kripke: Kripke, automaton: Automaton, stutter: bool = True, seed: int | None = None
) -> _engine.Product:
    model = kripke.model()
    return build_product(model, interpreted(model), automaton, model.constants, stutter=stutter, seed=seed)


def acceptance_text(automaton: Automaton) -> str:
    def clause(fin: int, inf: int) -> str:
        fins = [f"Fin({i})" for i in range(32) if fin >> i & 1]
        infs = [f"Inf({i})" for i in range(32) if inf >> i & 1]
        return "(" + ("&".join(fins + infs) or "t") + ")"

    disjunctions = ("|".join(clause(*c) for c in condition) or "f" for condition in automaton.conditions)
    return "&".join(f"({text})" for text in disjunctions)


def assert_accepting(
    product: _engine.Product, outcome: Found, conditions: Sequence[Sequence[Clause]]
) -> None:
    """The run begins at an initial state, follows edges, and some choice of them is accepting.

    One that ends can be continued to such a run; that every way on is accepted is what `test_reach.py` looks at.
    """
    if not outcome.cycle:
        (acceptance,) = conditions
        found = _continued(product, outcome.prefix, acceptance)
        assert found is not None, "a run that cannot go on to an accepting one"
        outcome = found
    states = [*outcome.prefix, *outcome.cycle, outcome.cycle[0]]
    assert states[0] in {state for state, _ in product.initial()}
    choices = []
    for state, following in pairwise(states):
        marks = {m for target, m in product.post(state) if target == following}
        assert marks, "a step that is no edge"
        choices.append(marks)
    cycle = choices[len(outcome.prefix) :]

    def satisfied(clauses: Sequence[Clause]) -> bool:
        allowed = [{m for m in marks if not any(m & clause.fin for clause in clauses)} for marks in cycle]
        seen = 0
        for marks in allowed:
            for m in marks:
                seen |= m
        return all(allowed) and not any(clause.inf & ~seen for clause in clauses)

    assert any(satisfied(clauses) for clauses in combinations(*conditions)), "a run that is not accepting"


def _continued(product: _engine.Product, run: list[int], acceptance: Sequence[Clause]) -> Found | None:
    """Return an accepting run that begins as a finite one does, by brute force."""
    ways = _ways(product, run[-1])
    for state, way in ways.items():
        for following, marks in product.post(state):
            back = _ways(product, following).get(state)
            if back is not None and any(clause.inf & ~marks == 0 for clause in acceptance):
                return Found(True, [*run[:-1], *way[:-1]], [state, *back[:-1]], Counters(), None)
    return None


def _ways(product: _engine.Product, start: int) -> dict[int, list[int]]:
    """Return a shortest way to every state that can be reached."""
    found = {start: [start]}
    for state in (pending := [start]):
        for target, _ in product.post(state):
            if target not in found:
                found[target] = [*found[state], target]
                pending.append(target)
    return found


# Automata of every shape


def with_state_marks(automaton: Automaton, accepting: set[int]) -> Automaton:
    edges = tuple(e._replace(marks=int(e.source in accepting)) for e in automaton.edges)
    return automaton.model_copy(update={"edges": edges, "sets": 1, "acceptance": (Clause(0, 1),)})


def on_states(letter: Letter) -> Maker:
    def make(rng: random.Random) -> Automaton:
        automaton = random_automaton(rng, letter)
        return with_state_marks(automaton, {q for q in range(automaton.states) if rng.random() < 0.4})

    return make


def one_set(rng: random.Random) -> Automaton:
    automaton = random_automaton(rng, rng.choice([Letter.SOURCE, Letter.DESTINATION]))
    return automaton.model_copy(update={"acceptance": (Clause(0, 1),)})


def several_sets(rng: random.Random) -> Automaton:
    automaton = random_automaton(rng, rng.choice([Letter.SOURCE, Letter.DESTINATION]))
    edges = tuple(e._replace(marks=rng.randrange(8)) for e in automaton.edges)
    wanted = rng.choice([0, 3, 5, 7])
    return automaton.model_copy(update={"edges": edges, "sets": 3, "acceptance": (Clause(0, wanted),)})


def several_clauses(fin: bool) -> Maker:
    def make(rng: random.Random) -> Automaton:
        automaton = random_automaton(rng, Letter.SOURCE)
        edges = tuple(e._replace(marks=rng.randrange(16)) for e in automaton.edges)
        clauses = tuple(
            Clause(rng.choice([0, 1, 2, 4]) if fin else 0, rng.choice([2, 4, 8, 10, 12]))
            for _ in range(rng.randint(1, 3))
        )
        return automaton.model_copy(update={"edges": edges, "sets": 4, "acceptance": clauses})

    return make


def weak(rng: random.Random) -> Automaton:
    """Edges lead to the same state or a later one, so that every component is a single state."""
    automaton = random_automaton(rng, rng.choice([Letter.SOURCE, Letter.DESTINATION]))
    forward = tuple(
        e._replace(source=min(e.source, e.destination), destination=max(e.source, e.destination))
        for e in automaton.edges
    )
    return with_state_marks(
        automaton.model_copy(update={"edges": forward}), set(range(0, automaton.states, 2))
    )


def terminal(rng: random.Random) -> Automaton:
    automaton = weak(rng)
    last = automaton.states
    entry = Edge(rng.randrange(last), EVERY_LETTER if rng.random() < 0.3 else exactly(3, 2), 0, last)
    edges = (*automaton.edges, entry, Edge(last, EVERY_LETTER, 0, last))
    return with_state_marks(automaton.model_copy(update={"states": last + 1, "edges": edges}), {last})


def remarked(make: Maker) -> Maker:
    """Mark a few more states, edges or nothing, wherever they are."""

    def made(rng: random.Random) -> Automaton:
        automaton = make(rng)
        chosen = {q for q in range(automaton.states) if rng.random() < 0.3}
        single = rng.randrange(len(automaton.edges)) if automaton.edges and rng.random() < 0.3 else -1
        edges = tuple(
            e._replace(marks=e.marks ^ int(e.source in chosen or i == single))
            for i, e in enumerate(automaton.edges)
        )
        return automaton.model_copy(update={"edges": edges})

    return made


def all_runs(rng: random.Random) -> Automaton:
    """Accept every infinite run: no set is asked for."""
    automaton = rng.choice([weak, terminal, one_set])(rng)
    return automaton.model_copy(update={"acceptance": (Clause(0, 0),)})


def unreachable_part(rng: random.Random) -> Automaton:
    """Begin in the last state only, so that much of the automaton does not matter."""
    automaton = rng.choice([weak, terminal, on_states(Letter.SOURCE)])(rng)
    return automaton.model_copy(update={"initial": ((EVERY_LETTER, automaton.states - 1),)})


def testing(rng: random.Random) -> Automaton:
    """The table of a testing automaton."""
    states = rng.randint(1, 4)
    accepting = {q for q in range(states) if rng.random() < 0.3}
    livelock = {q for q in range(states) if rng.random() < 0.4}

    def marks(q: int, stutters: bool) -> int:
        if stutters:
            return int(TaMark.STUTTER | (TaMark.LIVELOCK if q in livelock else 0))
        return int(TaMark.CHANGE | (TaMark.BUCHI if q in accepting else 0))

    count = rng.randint(0, 5 * states)
    changes = [(rng.randrange(states), rng.randint(1, 3), rng.randrange(states)) for _ in range(count)]
    edges = [Edge(q, exactly(change, 2), marks(q, False), to) for q, change, to in changes]
    edges += [Edge(q, exactly(0, 2), marks(q, True), q) for q in range(states)]
    initial = tuple((exactly(rng.randrange(4), 2), rng.randrange(states)) for _ in range(rng.randint(1, 8)))
    return Automaton(
        letter=Letter.CHANGE,
        propositions=PROPOSITIONS,
        states=states,
        initial=initial,
        edges=tuple(edges),
        sets=TA_SETS,
        acceptance=TA_ACCEPTANCE,
    )


MAKERS: dict[str, Maker] = {
    "weak": weak,
    "weak, remarked": remarked(weak),
    "terminal": terminal,
    "terminal, remarked": remarked(terminal),
    "one set": one_set,
    "on states, source": on_states(Letter.SOURCE),
    "on states, destination": on_states(Letter.DESTINATION),
    "on states, remarked": remarked(on_states(Letter.SOURCE)),
    "all runs": all_runs,
    "unreachable part": unreachable_part,
    "several sets": several_sets,
    "clauses": several_clauses(fin=False),
    "fin": several_clauses(fin=True),
    "testing": testing,
}


def cases(name: str, count: int, seed: str, most: int = 9) -> Iterator[Case]:
    """Yield random cases with automata of one shape, and structures of up to `most` states."""
    rng = random.Random(f"{name} {seed}")
    for _ in range(count):
        states = rng.randint(1, most)
        kripke = random_kripke(rng, states, rng.choice([1.2, 1.8, 2.4]) / states)
        yield Case(kripke, MAKERS[name](rng), stutter=rng.random() < 0.75)
