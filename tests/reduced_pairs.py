"""Random models of processes, stutter-invariant formulas, every route and checker by stubborn sets: Spot judges.

Spot decides on all states of the model, which the evaluator finds; what is searched is the part by stubborn sets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import spot

import buddy  # isort: skip  (it exists only after spot is imported)
from certificates import certify_product
from differential import Route, routes
from random_processes import random_processes

from buchi import _engine
from buchi.checkers.declaration import AnyChecker
from buchi.models.bytecode import interpreted
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Expr, Model
from buchi.models.propositions import parse_proposition
from buchi.models.stubborn import stubborn_sets
from buchi.pipeline.product import build_automaton
from buchi.pipeline.reduction import Kept, reduced

ATOMS = ("P0.a", "P0.b", "P1.a", "P1.b", "x == 1", "y == 0", "t[0] == 1", "x > 0", "P0.v == 1", "P1.v != 0")
MOST = 400
"""States of a model that is looked at."""


def formulas(seed: int, count: int) -> list[str]:
    """Return random formulas of one to four propositions that do not see repetitions."""
    found = []
    for number in (1, 2, 3, 4):
        wanted = spot.randltl([f"p{i}" for i in range(number)], count * 8, seed=seed, tree_size=(2, 11))
        invariant = (str(f) for f in wanted if spot.is_stutter_invariant(f) and not f.is_boolean())
        found += [formula for formula, _ in zip(invariant, range(count // 4), strict=False)]
    return found


@dataclass(frozen=True)
class Asked:
    """A formula with all that can be known of it without a model."""

    formula: str

    @cached_property
    def propositions(self) -> list[str]:
        return sorted(str(ap) for ap in spot.atomic_prop_collect(spot.formula(self.formula)))

    @cached_property
    def routes(self) -> list[Route]:
        return routes(self.formula)

    @cached_property
    def dictionary(self) -> Any:
        return spot.make_bdd_dict()

    @cached_property
    def forbidden(self) -> Any:
        return spot.translate(f"!({self.formula})", dict=self.dictionary)


class Space:
    """All states of a model by the evaluator, with their successors."""

    def __init__(self, seed: object) -> None:
        self.model: Model = DVE().load(random_processes(seed), "random.dve", overflow_is_error=False).model
        self.evaluator = Evaluator(self.model)
        self.numbers: dict[bytes, int] = {}
        self.edges: list[list[int]] = []
        self.is_small = self._visit()

    def _visit(self) -> bool:
        start = interpreted(self.model).initial
        self.numbers[start], pending = 0, [start]
        targets: dict[int, list[bytes]] = {}
        while pending:
            packed = pending.pop()
            state = self.evaluator.unpack(packed)
            targets[self.numbers[packed]] = found = [
                self.evaluator.pack(target) for _, target in self.evaluator.successors(state)
            ]
            for target in found:
                if target not in self.numbers:
                    self.numbers[target] = len(self.numbers)
                    pending.append(target)
            if len(self.numbers) > MOST:
                return False
        self.edges = [sorted({self.numbers[t] for t in targets[i]}) for i in range(len(targets))]
        return True


@dataclass(frozen=True)
class Pair:
    """A model and a formula, with what its propositions mean."""

    asked: Asked
    space: Space
    meanings: dict[str, Expr]
    stutter: bool
    seed: object

    @cached_property
    def letters(self) -> list[int]:
        """The propositions that are true in each state, as a bit mask."""
        evaluator, names = self.space.evaluator, self.asked.propositions
        return [
            sum(1 << i for i, name in enumerate(names) if evaluator.evaluate(self.meanings[name], state))
            for state in map(evaluator.unpack, self.space.numbers)
        ]

    def successors(self, state: int) -> Sequence[int]:
        return self.space.edges[state] or ([state] if self.stutter else [])

    @cached_property
    def expected(self) -> bool:
        """Does the model violate the formula, by Spot and on all states?"""
        steps = [(i, self.letters[i], t) for i in range(len(self.letters)) for t in self.successors(i)]
        return self._accepts(len(self.letters), steps)

    def _accepts(self, states: int, steps: list[tuple[int, int, int]]) -> bool:
        graph = spot.make_twa_graph(self.asked.dictionary)
        variables = [graph.register_ap(name) for name in self.asked.propositions]
        graph.new_states(states)
        graph.set_init_state(0)
        for source, letter, target in steps:
            graph.new_edge(source, target, _cube(variables, letter))
        return bool(graph.intersects(self.asked.forbidden))

    def check(self) -> int:
        """Search the part by every route; return the states that it has fewer than the model."""
        model, observed = self.space.model, Kept(tuple(self.meanings.values()))
        engine = reduced(model, interpreted(model), observed)
        for route in self.asked.routes:
            automaton = build_automaton(route.automaton, model, self.meanings)
            product, new = (_engine.Product(engine, automaton, self.stutter, None) for _ in range(2))
            for checker in route.checkers if self.stutter else route.checkers_if_dropped:
                self._check_one(route, checker, new if checker.name == "reach" else product)
            if not self.expected and route is self.asked.routes[len(self.letters) % len(self.asked.routes)]:
                self.certify(route, product)
        return len(self.space.numbers) - _engine.explore(engine, _engine.Control()).counters.states

    def certify(self, route: Route, product: _engine.Product) -> None:
        """Certify a product that was searched, and of which commands were left out."""
        model, observed = self.space.model, tuple(self.meanings.values())
        certify_product(
            product,
            model,
            route.automaton,
            self.meanings,
            stutter=self.stutter,
            sets=stubborn_sets(model, observed),
        )

    def check_teams(self) -> int:
        """Search the part by two workers, where a checker takes them; return how many did."""
        model = self.space.model
        engine = reduced(model, interpreted(model), Kept(tuple(self.meanings.values())))
        takers = [
            (route, checker)
            for route in self.asked.routes
            for checker in (route.checkers if self.stutter else route.checkers_if_dropped)
            if checker.accepts.workers
        ]
        for route, checker in takers:
            automaton = build_automaton(route.automaton, model, self.meanings)
            self._check_one(route, checker, _engine.Product(engine, automaton, self.stutter, None), 2)
        return len(takers)

    def _check_one(
        self, route: Route, checker: AnyChecker, product: _engine.Product, workers: int = 1
    ) -> None:
        acceptance, accepting = route.automaton.acceptance, False
        if acceptance:
            outcome = _engine.check(checker.kernel, product, acceptance, _engine.Control(), workers)
            accepting = outcome.accepting
        assert accepting == self.expected, f"{route.name} with {checker.name}: {self}"
        if accepting:
            assert self._replays(product, outcome), f"{route.name} with {checker.name}: {self}"

    def _replays(self, product: _engine.Product, outcome: _engine.Outcome) -> bool:
        """Is it a run of the whole model? Where it has a cycle, is its word forbidden?"""
        states = [self.space.numbers[product.model_state(s)] for s in (*outcome.prefix, *outcome.cycle)]
        start = len(outcome.prefix)
        steps = pairwise([*states, *states[start : start + 1]])
        if states[0] != 0 or any(target not in self.successors(state) for state, target in steps):
            return False
        word = [self.letters[state] for state in states]
        targets = [*range(1, len(word)), start]
        return start == len(word) or self._accepts(
            len(word), list(zip(range(len(word)), word, targets, strict=True))
        )

    def __str__(self) -> str:
        end = "stutter" if self.stutter else "drop"
        meant = dict(zip(self.asked.propositions, map(str, self.meanings.values()), strict=True))
        return f"seed {self.seed}, deadlocks {end}, formula {self.asked.formula}, {meant}"


def _cube(variables: list[int], letter: int) -> Any:
    result = buddy.bddtrue
    for i, variable in enumerate(variables):
        result &= buddy.bdd_ithvar(variable) if letter >> i & 1 else buddy.bdd_nithvar(variable)
    return result


def batch(seed: int, count: int, models: int) -> Iterator[Pair]:
    """Yield `count` formulas with each of so many models; all follow from the seed."""
    spaces = [Space(f"{seed} {i}") for i in range(models)]
    spaces = [space for space in spaces if space.is_small]
    for number, formula in enumerate(formulas(seed, count)):
        asked = Asked(formula)
        for i, space in enumerate(spaces):
            rng = random.Random(f"{seed} {number} {i}")
            atoms = rng.sample(ATOMS, len(asked.propositions))
            meanings = {
                name: parse_proposition(atom, space.model)
                for name, atom in zip(asked.propositions, atoms, strict=True)
            }
            yield Pair(asked, space, meanings, stutter=i % 5 != 0, seed=(seed, number, i))
