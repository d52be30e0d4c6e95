"""Every checker against Spot on random products: on whatever automaton one takes, it is right."""

from __future__ import annotations

from collections import defaultdict

import pytest
from products import MAKERS, Case, cases

from buchi import _engine
from buchi.checkers.declaration import KernelChecker
from buchi.checkers.look import Look
from buchi.pipeline import registry
from buchi.pipeline.dispatch import choose_checker

ROUNDS = 200


def check_case(case: Case, seed: int | None) -> set[str]:
    """Let every checker that takes the case decide it; return their names.

    Where there is no accepting run, all states have been stored, and a search that stores none twice has each
    of them once.
    """
    taken = set()
    for checker in case.takers():
        outcome = case.search(checker, seed)
        assert (checker.name, outcome.accepting) == (checker.name, case.accepting), case
        if not case.accepting:
            assert (checker.name, outcome.counters.states) == (checker.name, len(case.edges)), case
        taken.add(checker.name)
    assert choose_checker("auto", case.automaton, total=case.stutter).checker.name in taken
    return taken


def check_cases(name: str, rounds: int, seed: str) -> None:
    verdicts = set()
    for number, case in enumerate(cases(name, rounds, seed)):
        assert "tgrp" in check_case(case, None if number % 2 else number)
        verdicts.add(case.accepting)
    assert verdicts == {True, False}


@pytest.mark.parametrize("name", MAKERS)
def test_a_checker_is_right_on_what_it_takes(name: str) -> None:
    check_cases(name, ROUNDS, "normal")


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_a_checker_is_right_on_many_automata(name: str) -> None:
    check_cases(name, 50 * ROUNDS, "slow")


def test_every_checker_takes_many_of_them() -> None:
    """What is declared too narrowly would be tested seldom."""
    taken: dict[str, list[bool]] = defaultdict(list)
    for name in MAKERS:
        for case in cases(name, 100, "normal"):
            for checker in case.takers():
                taken[checker.name].append(case.accepting)
    for name in registry.checkers():
        assert min(taken[name].count(verdict) for verdict in (True, False)) >= 10, name


def test_every_kernel_has_a_checker() -> None:
    """But for the first look and what numbers components, which are parts of a check and none of their own."""
    declared = {c.kernel for c in registry.checkers().values() if isinstance(c, KernelChecker)}
    assert declared | {Look.kernel, "numbers"} == set(_engine.kernels())
