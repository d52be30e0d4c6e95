"""What each search counts, on fixed cases: other numbers are another search, whatever its verdicts."""

from __future__ import annotations

from functools import cache

import pytest
from products import MAKERS, Case, cases

from buchi import _engine
from buchi.checkers.declaration import KernelChecker
from buchi.common.graph import components, successors
from buchi.pipeline import registry

ROUNDS = 25
FIELDS = ("states", "transitions", "post_calls", "max_depth", "max_stack", "passes")
RECORDED: dict[str, tuple[int, ...]] = {
    "ascc": (287, 94, 1653, 3792, 1248, 817, 933, 287),
    "cvwy": (230, 67, 1476, 4716, 1693, 1125, 0, 230),
    "hpy": (230, 67, 1468, 3965, 1505, 962, 0, 230),
    "gmz": (230, 67, 1279, 5047, 1753, 745, 0, 230),
    "se": (230, 67, 1266, 3085, 1185, 738, 0, 230),
    "and": (230, 67, 1266, 2991, 1006, 670, 0, 230),
    "sd": (212, 58, 1158, 2783, 936, 622, 0, 212),
    "reach": (114, 27, 485, 1483, 450, 170, 0, 114),
    "gv": (265, 84, 1528, 3599, 1172, 764, 880, 265),
    "tarjan": (287, 94, 2125, 6353, 1890, 1168, 1468, 287),
    "c99": (287, 94, 1653, 6140, 2126, 817, 671, 287),
    "tfla": (304, 102, 1708, 3911, 1284, 848, 964, 304),
    "ufscc": (304, 102, 1708, 3911, 1284, 848, 0, 304),
    "renault-tarjan": (304, 102, 1720, 3985, 1301, 862, 0, 304),
    "renault-dijkstra": (304, 102, 1708, 3911, 1284, 848, 0, 304),
    "renault-mixed": (304, 102, 1720, 3985, 1301, 862, 0, 304),
    "cndfs": (230, 67, 1266, 2986, 1185, 738, 0, 230),
    "tgrp": (350, 116, 2054, 5523, 1784, 990, 1127, 404),
    "generic": (350, 116, 2015, 5523, 1677, 993, 1135, 350),
    "tarjan+": (25, 10, 126, 207, 99, 73, 78, 25),
    "ta-scc": (25, 10, 127, 227, 113, 77, 82, 25),
    "shortest": (350, 116, 2837, 12753, 3445, 838, 0, 350),
}
"""The sums of the fields over all cases that a checker takes, after their number and that of those with a run."""

TEAMS = ("ufscc", "renault-tarjan", "renault-dijkstra", "renault-mixed")


@cache
def all_cases() -> list[Case]:
    return [case for name in MAKERS for case in cases(name, ROUNDS, "counters", most=40)]


def count(name: str) -> tuple[int, ...]:
    checker = registry.checker(name)
    outcomes = [case.search(checker) for case in all_cases() if case.is_for(checker)]
    found = sum(outcome.accepting for outcome in outcomes)
    sums = (sum(getattr(outcome.counters, field) for outcome in outcomes) for field in FIELDS)
    return len(outcomes), found, *sums


@pytest.mark.parametrize("name", RECORDED)
def test_counters_are_those_recorded(name: str) -> None:
    assert count(name) == RECORDED[name]


def test_every_kernel_is_recorded() -> None:
    assert set(RECORDED) == {c.kernel for c in registry.checkers().values() if isinstance(c, KernelChecker)}


def number_of_components(case: Case) -> int:
    number = {state: i for i, state in enumerate(case.edges)}
    pairs = [(number[state], number[t, q]) for state, edges in case.edges.items() for t, q, _ in edges]
    return len(set(components(successors(len(number), pairs))))


@pytest.mark.parametrize("name", ["ascc", "tfla", "gv", "c99", "tarjan", *TEAMS])
def test_components_are_those_of_the_product(name: str) -> None:
    checker = registry.checker(name)
    for case in all_cases():
        if not case.is_for(checker) or case.accepting:
            continue
        for workers in (1, 2, 8) if checker.accepts.workers else (1,):
            acceptance = case.automaton.acceptance
            outcome = _engine.check(checker.kernel, case.product(), acceptance, _engine.Control(), workers)
            assert outcome.counters.components == number_of_components(case)
