"""What the checkers declare is enough: on whatever automaton one takes, it is right.

The automata are random, not made from formulas, so that marks are where no translator would put them: on states
of no cycle, on some edges of a state, on parts that cannot be reached.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from test_engine import product_of, random_automaton, random_kripke
from test_kernels import (
    assert_accepting,
    random_ta,
    several_clauses,
    several_sets,
    spot_finds_a_run,
    state_based,
    terminal,
    weak,
)

from buchi import _engine
from buchi.pipeline import registry
from buchi.pipeline.dispatch import choose_checker
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Letter

ROUNDS = 250
Maker = Callable[[random.Random], Automaton]


def one_set(rng: random.Random) -> Automaton:
    automaton = random_automaton(rng, rng.choice([Letter.SOURCE, Letter.DESTINATION]))
    return automaton.model_copy(update={"acceptance": (Clause(0, 1),)})


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
    automaton = rng.choice([weak, terminal, state_based(Letter.SOURCE)])(rng)
    return automaton.model_copy(update={"initial": ((EVERY_LETTER, automaton.states - 1),)})


MAKERS: dict[str, Maker] = {
    "weak": weak,
    "weak, remarked": remarked(weak),
    "terminal": terminal,
    "terminal, remarked": remarked(terminal),
    "one set": one_set,
    "on states": state_based(Letter.DESTINATION),
    "on states, remarked": remarked(state_based(Letter.SOURCE)),
    "all runs": all_runs,
    "unreachable part": unreachable_part,
    "several sets": several_sets,
    "clauses": several_clauses(fin=False),
    "fin": several_clauses(fin=True),
    "testing": random_ta,
}


def check_rounds(name: str, rounds: int, seed: str) -> Counter[str]:
    """Check every checker that takes a random automaton; return how often each did."""
    rng, taken = random.Random(f"{name} {seed}"), Counter[str]()
    for number in range(rounds):
        kripke, automaton = random_kripke(rng, rng.randint(1, 7), rng.choice([0.15, 0.3])), MAKERS[name](rng)
        stutter = rng.random() < 0.7
        expected = spot_finds_a_run(kripke, automaton, stutter)
        for checker in registry.checkers().values():
            if checker.accepts.refusal(automaton, total=stutter) is None:
                product = product_of(kripke, automaton, stutter)
                outcome = _engine.check(checker.kernel, product, automaton.acceptance, _engine.Control())
                assert (checker.name, outcome.accepting) == (checker.name, expected), (seed, number)
                if expected:
                    assert_accepting(product, outcome, automaton)
                taken[checker.name] += 1
        assert taken[choose_checker("auto", automaton, total=stutter).checker.name]
    return taken


@pytest.mark.parametrize("name", MAKERS)
def test_a_checker_is_right_on_what_it_takes(name: str) -> None:
    taken = check_rounds(name, ROUNDS, "normal")
    assert taken["tgrp"] == ROUNDS
    assert name not in ("terminal", "terminal, remarked", "unreachable part") or taken["reach"] > 10
    assert name not in ("weak", "weak, remarked", "all runs") or taken["sd"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_a_checker_is_right_on_many_automata(name: str) -> None:
    check_rounds(name, 50 * ROUNDS, "slow")
