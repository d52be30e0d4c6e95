"""Any acceptance condition: `generic` beside Spot, and beside the checks that take the condition as one disjunction."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from products import Case, random_automaton, random_kripke
from runner import PETERSON

from buchi.common.ends import Verdict
from buchi.pipeline import registry
from buchi.pipeline.check import check
from buchi.pipeline.options import CheckOptions
from buchi.schemas.automaton import Automaton, Clause, Letter
from buchi.translators.hoa import read_hoa, write_hoa

Conditions = tuple[tuple[Clause, ...], ...]
SETS = 6
PAIRS, SLOW_PAIRS = 1500, 25_000
"""For each shape of the condition."""


def streett(rng: random.Random) -> Conditions:
    count = rng.randint(1, SETS // 2)
    return tuple((Clause(1 << 2 * i, 0), Clause(0, 2 << 2 * i)) for i in range(count))


def rabin(rng: random.Random) -> Conditions:
    count = rng.randint(1, SETS // 2)
    return (tuple(Clause(1 << 2 * i, 2 << 2 * i) for i in range(count)),)


def parity(rng: random.Random) -> Conditions:
    """The greatest set that is seen again and again is even, or odd."""
    count, even = rng.randint(1, SETS), rng.random() < 0.5
    winning = [i for i in range(count) if i % 2 != even]
    return (
        tuple(Clause((1 << count) - (2 << i), 1 << i) for i in winning) or (Clause((1 << count) - 1, 0),),
    )


def arbitrary(rng: random.Random) -> Conditions:
    def clause() -> Clause:
        used = rng.sample(range(SETS), rng.randint(1, 3))
        split = rng.randint(0, len(used))
        return Clause(sum(1 << i for i in used[:split]), sum(1 << i for i in used[split:]))

    return tuple(tuple(clause() for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(1, 3)))


SHAPES: dict[str, Callable[[random.Random], Conditions]] = {
    "streett": streett,
    "rabin": rabin,
    "parity": parity,
    "arbitrary": arbitrary,
}


def cases(shape: str, count: int, seed: int) -> Iterator[Case]:
    rng = random.Random(f"{shape} {seed}")
    for _ in range(count):
        states = rng.randint(1, 8)
        density = rng.choice([1.2, 1.8, 2.4]) / states
        yield Case(random_kripke(rng, states, density), marked(rng, SHAPES[shape](rng)), rng.random() < 0.75)


def marked(rng: random.Random, conditions: Conditions) -> Automaton:
    """Return an automaton with few marks on each edge, so that what is finite and infinite varies."""
    automaton = random_automaton(rng, rng.choice([Letter.SOURCE, Letter.DESTINATION]))
    rare = rng.choice([0.15, 0.3, 0.5])

    def marks() -> int:
        return sum(1 << i for i in range(SETS) if rng.random() < rare)

    edges = tuple(edge._replace(marks=marks()) for edge in automaton.edges)
    update = {"edges": edges, "sets": SETS, "acceptance": conditions[0], "further": conditions[1:]}
    return automaton.model_copy(update=update)


def check_cases(shape: str, count: int, seed: int) -> None:
    generic, seen = registry.checker("generic"), set()
    for case in cases(shape, count, seed):
        takers = list(case.takers())
        assert generic in takers
        for checker in takers:
            assert case.search(checker).accepting == case.accepting, (checker.name, case)
            seen.add((checker.name, case.accepting))
    assert {(name, verdict) for name in ("generic", "tgrp") for verdict in (True, False)} <= seen


@pytest.mark.parametrize("shape", SHAPES)
def test_spots_verdict(shape: str) -> None:
    check_cases(shape, PAIRS, 1)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_spots_verdict_on_many_products(shape: str) -> None:
    check_cases(shape, SLOW_PAIRS, 2)


def test_components_are_those_of_the_product() -> None:
    """What is taken apart is not counted again."""
    generic, ascc = registry.checker("generic"), registry.checker("tfla")
    for case in cases("streett", 200, 3):
        if not case.accepting:
            whole = Case(case.kripke, case.automaton.model_copy(update=NOTHING), case.stutter)
            components = case.search(generic).counters.components
            assert components == whole.search(ascc).counters.components


NOTHING = {"acceptance": (Clause(0, 1 << SETS),), "sets": SETS + 1, "further": ()}

STREETT = """HOA: v1
States: 1
Start: 0
AP: 2 "A.critical" "B.critical"
Acceptance: 32 {acceptance}
--BODY--
State: 0
[0] 0 {{0}}
[1&!0] 0 {{{marks}}}
[!0&!1] 0
--END--
"""


@pytest.mark.parametrize(("marks", "verdict"), [("1", Verdict.VIOLATED), ("1 2", Verdict.HOLDS)])
def test_a_condition_that_is_long_as_one_disjunction_is_taken_as_it_is(
    tmp_path: Path, marks: str, verdict: Verdict
) -> None:
    """Streett pairs: with A, B is critical again and again; and with mark 2, nobody is, which cannot be."""
    pairs = "&".join(f"(Fin({2 * i})|Inf({2 * i + 1}))" for i in range(16))
    text = STREETT.format(acceptance=pairs, marks=marks)
    automaton = read_hoa(text)
    assert len(automaton.conditions) == 16
    assert read_hoa(write_hoa(automaton)) == automaton
    file = tmp_path / "streett.hoa"
    file.write_text(text)
    result = check(PETERSON, automaton=file, options=CheckOptions())
    assert (result.verdict, result.checker) == (verdict, "generic")
