"""`--checker auto`: which check goes with which automaton, and what each refuses."""

from __future__ import annotations

from typing import Any

import pytest
from runner import PETERSON, buchi

from buchi.checkers.reach import Reach
from buchi.checkers.sd import Sd
from buchi.pipeline.dispatch import PREFERRED, choose_checker
from buchi.pipeline.table import table
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Cube, Edge
from buchi.schemas.kinds import Kind
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba

P = (Cube(1, 0),)
CHAINS: dict[Kind, list[Any]] = {
    Kind.TGBA: [LtlToTgba],
    Kind.TLBA: [LtlToTlba],
    Kind.SLBA: [LtlToTlba, TlbaToSlba],
    Kind.TA: [LtlToTlba, TlbaToSlba, SlbaToTa],
    Kind.TGRA: [LtlToTgra],
    Kind.TFLA: [LtlToTgra, TgraToTfla],
}


def automaton_of(formula: str, kind: Kind) -> Automaton:
    value: Any = parse_ltl(formula)
    for translator in CHAINS[kind]:
        value = translator().run(value, translator.options())
    return table(value)


@pytest.mark.parametrize(
    ("formula", "kind", "checker"),
    [
        ("F p", Kind.TGBA, "reach"),
        ("F p", Kind.TLBA, "reach"),
        ("F p", Kind.SLBA, "reach"),
        ("p U q", Kind.TGBA, "reach"),
        ("G p", Kind.TGBA, "sd"),
        ("F G p", Kind.TLBA, "sd"),
        ("F G p", Kind.SLBA, "sd"),
        ("F G p", Kind.TA, "tarjan+"),
        ("G F p", Kind.TGBA, "ascc"),
        ("G F p & G F q", Kind.TGBA, "ascc"),
        ("G F p", Kind.TLBA, "ascc"),
        ("F G p & G F q | F G q & G F r", Kind.TGRA, "tgrp"),
        ("F G p & G F q | F G q & G F r", Kind.TFLA, "tfla"),
    ],
)
def test_what_auto_takes(formula: str, kind: Kind, checker: str) -> None:
    choice = choose_checker("auto", automaton_of(formula, kind))
    assert (choice.checker.name, choice.why) == (checker, PREFERRED[checker])


def test_what_the_user_names_needs_no_reason() -> None:
    assert choose_checker("gv", automaton_of("F p", Kind.TGBA)).why is None


def test_reachability_is_no_proof_where_runs_may_end() -> None:
    assert choose_checker("auto", automaton_of("F p", Kind.TGBA), total=False).checker.name == "sd"


def small(edges: list[tuple[int, Any, int, int]], inf: int = 1) -> Automaton:
    return Automaton(
        propositions=("p",),
        states=1 + max(max(a, b) for a, _, _, b in edges),
        initial=((EVERY_LETTER, 0),),
        edges=tuple(Edge(*edge) for edge in edges),
        sets=1,
        acceptance=(Clause(0, inf),),
    )


ANY = EVERY_LETTER


@pytest.mark.parametrize(
    ("edges", "inf", "refusal"),
    [
        ([(0, P, 0, 1), (1, ANY, 1, 1)], 1, None),
        ([(0, P, 1, 1), (1, ANY, 1, 1)], 1, "needs every accepting state to be on a cycle"),
        ([(0, P, 0, 1), (1, ANY, 1, 1)], 0, "needs every accepting state to be on a cycle"),
        ([(0, P, 0, 1), (1, P, 1, 1)], 1, "needs a terminal automaton"),
        ([(0, P, 0, 1), (1, ANY, 1, 1), (1, ANY, 1, 0)], 1, "needs a terminal automaton"),
        ([(0, P, 0, 1), (1, ANY, 1, 1), (1, ANY, 0, 2)], 1, "needs acceptance on states"),
    ],
)
def test_what_reachability_takes(edges: list[Any], inf: int, refusal: str | None) -> None:
    found = Reach.accepts.refusal(small(edges, inf))
    assert (found or "").startswith(refusal or "")
    assert (found is None) == (refusal is None)


def test_a_weak_automaton_with_marks_on_some_edges_of_a_state_is_not_for_simple_search() -> None:
    """The edge that leaves the accepting loop has no mark: weak, but the state is not simply accepting."""
    automaton = small([(0, P, 1, 0), (0, ANY, 0, 1), (1, P, 0, 1)])
    assert "acceptance on states" in (Sd.accepts.refusal(automaton) or "")
    assert choose_checker("auto", automaton).checker.name == "ascc"


def test_the_reason_is_told_beside_the_json_and_in_the_text() -> None:
    safe = "G !(A.critical && B.critical)"
    why = f"reach was chosen since {PREFERRED['reach']}"
    plain, json = buchi("check", PETERSON, "--ltl", safe), buchi("check", PETERSON, "--ltl", safe, "--json")
    assert (why in plain.out, why in json.err, "why" in json.json) == (True, True, False)


def test_dropped_deadlocks_refuse_reachability() -> None:
    ended = buchi("check", PETERSON, "--ltl", "G !A.critical", "--checker", "reach", "--deadlock", "drop")
    assert ended.code == 2
    assert "every state has a successor" in ended.err
    assert "try --checker" in ended.err
