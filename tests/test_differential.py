"""Every applicable route gives Spot's verdict, and every counterexample replays, on random pairs."""

from __future__ import annotations

import pytest
from differential import PROPOSITIONS, Oracle, Pair, batch, routes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from buchi.models.kripke import Kripke
from buchi.pipeline import registry

BATCHES, FORMULAS, STRUCTURES = 12, 10, 20
"""2 400 pairs; random products without a formula are in test_kernels."""
SLOW_BATCHES, SLOW_FORMULAS, SLOW_STRUCTURES = 200, 20, 50
"""200 000 pairs, other than those above."""


def check_batch(seed: int, formulas: int, structures: int) -> None:
    verdicts, searches = [], 0
    for pair in batch(seed, formulas, structures):
        searches += pair.check()
        verdicts.append(pair.expected)
    assert len(verdicts) == formulas * structures
    assert searches > 20 * len(verdicts)
    assert set(verdicts) == {True, False}


@pytest.mark.parametrize("seed", range(BATCHES))
def test_every_route_gives_spots_verdict(seed: int) -> None:
    check_batch(seed, FORMULAS, STRUCTURES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1000 + SLOW_BATCHES))
def test_every_route_gives_spots_verdict_on_many_pairs(seed: int) -> None:
    check_batch(seed, SLOW_FORMULAS, SLOW_STRUCTURES)


def test_every_checker_is_compared() -> None:
    used = {
        checker.name
        for formula in ("G p", "F p", "p", "G F p & G F q", "F G p", "G(p -> F q)", "G p | G F q", "X p")
        for route in routes(formula)
        for checker in route.checkers
    }
    assert used == set(registry.checkers())


unary = st.sampled_from(["!", "X", "F", "G"])
binary = st.sampled_from(["&", "|", "->", "U", "R", "W"])
random_formulas = st.recursive(
    st.sampled_from([*PROPOSITIONS, "true", "false"]),
    lambda smaller: (
        st.builds("{}({})".format, unary, smaller)
        | st.builds("({}) {} ({})".format, smaller, binary, smaller)
    ),
    max_leaves=5,
)


@st.composite
def structures(draw: st.DrawFn) -> Kripke:
    count = draw(st.integers(1, 5))
    targets = st.lists(st.integers(0, count - 1), max_size=3, unique=True)
    labels = st.frozensets(st.sampled_from(PROPOSITIONS))
    return Kripke(
        PROPOSITIONS,
        draw(st.lists(targets, min_size=count, max_size=count)),
        draw(st.lists(labels, min_size=count, max_size=count)),
    )


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formula=random_formulas, kripke=structures(), stutter=st.booleans())
def test_every_route_gives_spots_verdict_on_small_pairs(formula: str, kripke: Kripke, stutter: bool) -> None:
    """The same property; hypothesis shrinks what fails."""
    Pair(formula, kripke, Oracle(formula), routes(formula), stutter).check()
