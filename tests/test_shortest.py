"""`shortest`: no accepting run of the product is shorter, by brute force; and `--shortest`."""

from __future__ import annotations

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
def test_no_run_is_shorter(name: str) -> None:
    shortened = violated = 0
    for case in cases(name, 600, "shortest"):
        acceptance, product = case.automaton.acceptance, case.product()
        outcome = case.search(registry.checker("shortest"))
        plain = search(registry.checker("tgrp"), product, acceptance)
        assert outcome.accepting == plain.accepting
        if outcome.accepting:
            length, before = (len(found.prefix) + len(found.cycle) for found in (outcome, plain))
            assert length == least_length(product, acceptance, before)
            violated += 1
            shortened += length < before
    assert violated > 50
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


def test_a_limit_leaves_the_shortest_so_far() -> None:
    """The violation is known before the whole product is explored for a shorter one."""
    ended = buchi("check", PETERSON, "--ltl", "GF A.critical", "--shortest", "--max-states", "75", "--json")
    assert (ended.code, ended.json["verdict"]) == (1, "violated")
    assert "was not finished (states)" in ended.err
