"""Every route on random (structure, formula) pairs, and Spot's own verdict on each.

Spot alone decides: the structure becomes one of its automata, which is intersected with its translation of the
negated formula. Nothing of that is shared with our product, tables or searches.
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
from languages import forms

from buchi import _engine
from buchi.checkers.declaration import AnyChecker
from buchi.common.errors import InputError
from buchi.models.bytecode import interpreted
from buchi.models.guarded import Model
from buchi.models.kripke import Kripke
from buchi.models.random_structures import RandomDocument, random_structure
from buchi.pipeline import registry
from buchi.pipeline.dispatch import choose_checker
from buchi.pipeline.product import build_automaton
from buchi.pipeline.table import table
from buchi.schemas.automaton import Automaton

PROPOSITIONS = ("p", "q")


def formulas(seed: int, count: int) -> list[str]:
    """Return random formulas with their operators."""
    return [str(f) for f in spot.randltl(list(PROPOSITIONS), count, seed=seed, tree_size=(2, 13))]


def structure(seed: int) -> Kripke:
    """Return a random structure of 4 to 12 states, with dead ends in every second one."""
    rng = random.Random(seed)
    wanted = RandomDocument(
        states=rng.randint(4, 12),
        density=rng.choice([0.02, 0.1, 0.2]),
        truth=rng.choice([0.2, 0.5, 0.8]),
        seed=seed,
        total=rng.random() < 0.5,
    )
    return random_structure(wanted)


def letter(label: frozenset[str]) -> int:
    return sum(1 << i for i, p in enumerate(PROPOSITIONS) if p in label)


def successors(kripke: Kripke, state: int, stutter: bool) -> Sequence[int]:
    return kripke.edges[state] or ([state] if stutter else [])


class Oracle:
    """Spot's verdicts on one formula."""

    def __init__(self, formula: str) -> None:
        self.dictionary = spot.make_bdd_dict()
        self.forbidden = spot.translate(f"!({formula})", dict=self.dictionary)
        self.allowed = spot.translate(formula, dict=self.dictionary)
        self._words: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}

    def violated(self, kripke: Kripke, stutter: bool) -> bool:
        """Has the structure a run that the formula forbids?"""
        edges = [
            (state, letter(kripke.labels[state]), target)
            for state in range(len(kripke.edges))
            for target in successors(kripke, state, stutter)
        ]
        return bool(self._graph(len(kripke.edges), edges).intersects(self.forbidden))

    def forbids(self, prefix: Sequence[int], cycle: Sequence[int]) -> bool:
        """Is the word of these letters forbidden, and where it ends, every word that begins with it?"""
        key = (tuple(prefix), tuple(cycle))
        if key not in self._words:
            self._words[key] = self._forbids(*key) if cycle else not self._can_go_on(prefix)
        return self._words[key]

    def _forbids(self, prefix: Sequence[int], cycle: Sequence[int]) -> bool:
        letters = [*prefix, *cycle]
        targets = [*range(1, len(letters)), len(prefix)]
        edges = list(zip(range(len(letters)), letters, targets, strict=True))
        return bool(self._graph(len(letters), edges).intersects(self.forbidden))

    def _can_go_on(self, prefix: Sequence[int]) -> bool:
        """Does the formula hold for a word that begins with these letters?"""
        last = len(prefix)
        steps = [(i, read, i + 1) for i, read in enumerate(prefix)]
        anything = [(last, read, last) for read in range(1 << len(PROPOSITIONS))]
        return bool(self._graph(last + 1, steps + anything).intersects(self.allowed))

    def _graph(self, states: int, edges: list[tuple[int, int, int]]) -> Any:
        graph = spot.make_twa_graph(self.dictionary)
        variables = [graph.register_ap(p) for p in PROPOSITIONS]
        graph.new_states(states)
        graph.set_init_state(0)
        for source, read, target in edges:
            graph.new_edge(source, target, _cube(variables, read))
        return graph


def _cube(variables: list[int], read: int) -> Any:
    result = buddy.bddtrue
    for i, variable in enumerate(variables):
        result &= buddy.bdd_ithvar(variable) if read >> i & 1 else buddy.bdd_nithvar(variable)
    return result


@dataclass(frozen=True)
class Route:
    """A chain of translators, the table of the automaton it makes, and the checkers that take it."""

    name: str
    automaton: Automaton
    checkers: tuple[AnyChecker, ...]
    checkers_if_dropped: tuple[AnyChecker, ...]


def routes(formula: str) -> list[Route]:
    """Return the routes for the negation of a formula; equal automata are looked at once."""
    found: dict[Any, Route] = {}
    for name, form in _forms(f"!({formula})"):
        automaton = table(form)
        key = (automaton.letter, automaton.initial, automaton.edges, automaton.acceptance)
        if key not in found:
            found[key] = Route(name, automaton, _takers(automaton, True), _takers(automaton, False))
    return list(found.values())


def _forms(text: str) -> Iterator[tuple[str, Any]]:
    try:
        yield from forms(text)
    except InputError as error:
        if "the limit is" not in str(error):
            raise


def _takers(automaton: Automaton, total: bool) -> tuple[AnyChecker, ...]:
    known = registry.checkers().values()
    takers = tuple(c for c in known if c.accepts.refusal(automaton, total=total) is None)
    assert choose_checker("auto", automaton, total=total).checker in takers
    return takers


@dataclass(frozen=True)
class Pair:
    """A structure and a formula with all that is known of it."""

    formula: str
    kripke: Kripke
    oracle: Oracle
    routes: list[Route]
    stutter: bool = True
    seed: object = None

    @cached_property
    def expected(self) -> bool:
        return self.oracle.violated(self.kripke, self.stutter)

    def check(self) -> int:
        """Take every route; return how many searches that were."""
        model = self.kripke.model()
        engine, meanings = interpreted(model), dict(model.constants)
        searches = 0
        for route in self.routes:
            automaton = build_automaton(route.automaton, model, meanings)
            product, new = (_engine.Product(engine, automaton, self.stutter, None) for _ in range(2))
            checkers = route.checkers if self.stutter else route.checkers_if_dropped
            first = len(self.kripke.edges) % len(checkers)
            for checker in (*checkers[first:], *checkers[:first]):  # another one meets the empty table
                self._check_one(route, checker, new if checker.name == "reach" else product)
                searches += 1
            if not self.expected and route.automaton.acceptance:
                self._certify(route, model, product, *([new] if new.states else []))
        return searches

    def _certify(self, route: Route, model: Model, *products: _engine.Product) -> None:
        """Let the small checker look at what searches that found nothing leave."""
        for product in products:
            certify_product(product, model, route.automaton, model.constants, stutter=self.stutter)

    def _check_one(self, route: Route, checker: AnyChecker, product: _engine.Product) -> None:
        acceptance, accepting = route.automaton.acceptance, False
        if acceptance:
            outcome = _engine.check(checker.kernel, product, acceptance, _engine.Control(), numbered=True)
            accepting = outcome.accepting
        assert accepting == self.expected, f"{route.name} with {checker.name}: {self}"
        if accepting:
            assert self._replays(product, outcome), f"{route.name} with {checker.name}: {self}"

    def _replays(self, product: _engine.Product, outcome: _engine.Outcome) -> bool:
        """Is it a run of the structure, by its edges, whose word is forbidden?"""
        found = (*outcome.prefix, *outcome.cycle)
        states = [int.from_bytes(product.model_state(state), "little") for state in found]
        start = len(outcome.prefix)
        steps = pairwise([*states, *states[start : start + 1]])
        letters = [letter(self.kripke.labels[state]) for state in states]
        return (
            states[0] == self.kripke.initial
            and all(target in successors(self.kripke, state, self.stutter) for state, target in steps)
            and self.oracle.forbids(letters[:start], letters[start:])
        )

    def __str__(self) -> str:
        end = "stutter" if self.stutter else "drop"
        return f"seed {self.seed}, deadlocks {end}, formula {self.formula}, structure {self.kripke}"


def batch(seed: int, count: int, structures: int) -> Iterator[Pair]:
    """Yield `count` formulas with `structures` structures each; all follow from the seed."""
    for number, formula in enumerate(formulas(seed, count)):
        oracle, ways = Oracle(formula), routes(formula)
        for i in range(structures):
            own = (seed * count + number) * structures + i
            yield Pair(formula, structure(own), oracle, ways, stutter=i % 5 != 0, seed=(seed, number, i))
