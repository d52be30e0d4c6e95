"""`shortest`: no accepting run of the product is shorter, by brute force; and `--shortest`."""

from __future__ import annotations

from pathlib import Path

import pytest
from products import cases, search
from runner import PETERSON, buchi

from buchi import _engine
from buchi.pipeline import registry
from buchi.schemas.automaton import Clause

Edges = dict[int, list[tuple[int, int]]]


def depths(product: _engine.Product) -> tuple[dict[int, int], Edges]:
    """Return the distance of every state from the initial ones, and all edges."""
    found = {state: 0 for state, _ in product.initial()}
    edges: Edges = {}
    level = list(found)
    while level:
        following = []
        for state in level:
            edges[state] = product.post(state)
            for target, _ in edges[state]:
                if target not in found:
                    found[target] = found[state] + 1
                    following.append(target)
        level = following
    return found, edges


def shortest_cycle(start: int, clause: Clause, edges: Edges, most: int) -> int | None:
    """Return the length of the shortest accepting closed walk through a state, up to `most`."""
    here = {(start, 0)}
    for length in range(1, most + 1):
        here = {
            (target, seen | marks & clause.inf)
            for state, seen in here
            for target, marks in edges[state]
            if not marks & clause.fin
        }
        if (start, clause.inf) in here:
            return length
    return None


def least_length(product: _engine.Product, acceptance: tuple[Clause, ...], most: int) -> int:
    """Return the least total length of an accepting lasso; `most` is known to be possible."""
    found, edges = depths(product)
    for state, depth in found.items():
        for clause in acceptance:
            cycle = shortest_cycle(state, clause, edges, most - depth - 1)
            if cycle is not None:
                most = depth + cycle
    return most


@pytest.mark.parametrize("name", ["on states, source", "several sets", "clauses", "fin", "testing"])
@pytest.mark.parametrize(("count", "most"), [(600, 9), (150, 120)])
def test_no_run_is_shorter(name: str, count: int, most: int) -> None:
    """Small products are looked at as a whole, of larger ones the part that is near."""
    shortened = violated = 0
    for case in cases(name, count, "shortest", most):
        acceptance, product = case.automaton.acceptance, case.product()
        outcome = case.search(registry.checker("shortest"))
        plain = search(registry.checker("tgrp"), product, acceptance)
        assert outcome.accepting == plain.accepting
        if outcome.accepting:
            length, before = (len(found.prefix) + len(found.cycle) for found in (outcome, plain))
            assert length == least_length(product, acceptance, before)
            violated += 1
            shortened += length < before
    assert violated > count / 12
    assert shortened > 5


def test_the_option() -> None:
    long = buchi("check", PETERSON, "--ltl", "GF A.critical", "--json").json["counterexample"]
    ended = buchi("check", PETERSON, "--ltl", "GF A.critical", "--shortest", "--json")
    short = ended.json["counterexample"]
    assert (ended.code, ended.json["checker"]) == (1, "shortest")
    # B goes round alone: three steps until it has given way, then the five of its cycle.
    assert (len(short["prefix"]), len(short["cycle"])) == (3, 5)
    assert len(long["prefix"]) + len(long["cycle"]) > 8


def test_the_option_excludes_another_checker() -> None:
    ended = buchi("check", PETERSON, "--ltl", "GF A.critical", "--shortest", "--checker", "hpy")
    assert ended.code == 2
    assert "--shortest is a search of its own" in ended.err


FAR = """
int x, y;
process X {
    state s;
    init s;
    trans
        s -> s { guard x < 300; effect x = x + 1; },
        s -> s { guard x == 300; effect x = 299; };
}
process Y { state s; init s; trans s -> s { guard y < 300; effect y = y + 1; }; }
system async;
"""
"""Every cycle is 299 steps from the start, and many states are nearer."""
NEAR = """
int x, y, z;
process P { state a, b, c; init a; trans a -> b {}, b -> c {}, c -> b {}; }
process X { state s; init s; trans s -> s { guard x < 400; effect x = x + 1; }; }
process Y { state s; init s; trans s -> s { guard y < 400; effect y = y + 1; }; }
process Z { state s; init s; trans s -> s { guard z < 400; effect z = z + 1; }; }
system async;
"""
"""There is a cycle near the start, and 193 million states."""


def test_a_limit_leaves_the_shortest_so_far(tmp_path: Path) -> None:
    """The violation is known before all is explored that a shorter one may need."""
    (tmp_path / "far.dve").write_text(FAR)
    arguments = ("check", tmp_path / "far.dve", "--ltl", "F x == 1000", "--shortest", "--json")
    ended = buchi(*arguments, "--max-states", "20000")
    assert (ended.code, ended.json["verdict"]) == (1, "violated")
    assert "was not finished (states)" in ended.err
    run = buchi(*arguments).json["counterexample"]
    assert (len(run["prefix"]), len(run["cycle"])) == (299, 2)


def test_what_is_far_from_a_short_run_is_not_explored(tmp_path: Path) -> None:
    (tmp_path / "near.dve").write_text(NEAR)
    found = buchi("check", tmp_path / "near.dve", "--ltl", "F x == 1000", "--shortest", "--json").json
    assert (len(found["counterexample"]["prefix"]), len(found["counterexample"]["cycle"])) == (1, 2)
    assert found["states"] < 1000


def test_a_fault_further_away_does_not_matter(tmp_path: Path) -> None:
    """A state in which the model fails is on no run."""
    text = NEAR.replace("effect x = x + 1", "effect x = x + 1 / (1 - x)")
    (tmp_path / "near.dve").write_text(text)
    ended = buchi("check", tmp_path / "near.dve", "--ltl", "F x == 1000", "--shortest", "--json")
    assert (ended.code, len(ended.json["counterexample"]["cycle"])) == (1, 2)
    ended = buchi("check", tmp_path / "near.dve", "--ltl", "F true", "--checker", "shortest")
    assert (ended.code, ended.out.splitlines()[0]) == (0, "holds")


def test_of_what_is_safety_it_is_a_run_that_ends(tmp_path: Path) -> None:
    (tmp_path / "near.dve").write_text(NEAR)
    ended = buchi("check", tmp_path / "near.dve", "--ltl", "G !P.c", "--shortest", "--json")
    run = ended.json["counterexample"]
    assert (ended.json["checker"], len(run["prefix"]), run["cycle"]) == ("reach", 3, [])
    named = buchi("check", tmp_path / "near.dve", "--ltl", "G !P.c", "--checker", "shortest", "--json").json
    assert (named["checker"], len(named["counterexample"]["cycle"])) == ("shortest", 2)
