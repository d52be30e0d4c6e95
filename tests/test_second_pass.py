"""Where the first pass of Tarjan+ misses a livelock and its second pass decides."""

from __future__ import annotations

import random

from products import Case

from buchi import _engine
from buchi.models.kripke import Kripke
from buchi.pipeline import registry
from buchi.pipeline.table import table
from buchi.schemas.automaton import Automaton
from buchi.schemas.testing import Change, Start, TestingAutomaton

P, NONE = frozenset({"p"}), frozenset[str]()


def stays_true_for_ever() -> Automaton:
    """Return a deterministic testing automaton of "p is true for ever, in the end".

    In the first state p is true, and staying there is accepted; in the second p is false. There is no
    Büchi-accepting state.
    """
    return table(
        TestingAutomaton(
            propositions=("p",),
            states=2,
            initial=(Start(1, 0), Start(0, 1)),
            edges=(Change(0, 1, 1), Change(1, 1, 0)),
            accepting=(),
            livelock=(0,),
        )
    )


def overlooked() -> Kripke:
    """Return a structure with one cycle on which p stays true, 0 -> 4 -> 2 -> 0.

    It is searched along 0, 1, 2, 3, 4, with changes in between. The step 4 -> 2 is the first of the three
    that is looked at: 4 remembers that it stutters on to 2. Then 2 remembers that it stutters on to 0, but
    nobody tells 4. At the step 0 -> 4 all that is known of 4 is 2, which is on the path no longer.
    """
    return Kripke(("p",), [[1, 4], [2], [3, 0], [4], [2]], [P, NONE, P, NONE, P])


def search(name: str, kripke: Kripke, automaton: Automaton) -> _engine.Outcome:
    return Case(kripke, automaton).search(registry.checker(name))


def test_the_second_pass_finds_what_the_first_one_overlooks() -> None:
    outcome = search("tarjan+", overlooked(), stays_true_for_ever())
    assert (outcome.accepting, outcome.counters.passes) == (True, 2)


def test_the_same_cycle_is_found_at_once_in_another_order() -> None:
    first = overlooked()
    other = Kripke(first.propositions, [[4, 1], *first.edges[1:]], first.labels)
    outcome = search("tarjan+", other, stays_true_for_ever())
    assert (outcome.accepting, outcome.counters.passes) == (True, 1)


def test_one_pass_is_enough_for_our_own_check() -> None:
    assert search("ta-scc", overlooked(), stays_true_for_ever()).accepting


def random_structure(rng: random.Random) -> Kripke:
    """Return a structure without self-loops, in which p is seldom true for long."""
    states = rng.randint(13, 17)
    others = [[target for target in range(states) if target != source] for source in range(states)]
    edges = [rng.sample(targets, rng.randint(2, 3)) for targets in others]
    return Kripke(("p",), edges, [P if rng.random() < 0.3 else NONE for _ in range(states)])


def test_random_structures_need_the_second_pass_now_and_then() -> None:
    """Fixed seed: every verdict is Spot's, and some are right only thanks to the second pass."""
    rng, automaton = random.Random("second pass"), stays_true_for_ever()
    ran = found = 0
    for _ in range(800):
        kripke = random_structure(rng)
        outcome = search("tarjan+", kripke, automaton)
        ran += outcome.counters.passes == 2
        found += outcome.counters.passes == 2 and outcome.accepting
        if outcome.counters.passes == 2:
            assert outcome.accepting == Case(kripke, automaton).accepting
    assert ran > found > 0
