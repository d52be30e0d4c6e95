"""Every translator keeps the language: Spot compares each automaton with the formula."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
import spot
from hypothesis import given, settings
from hypothesis import strategies as st
from languages import (
    PATTERNS,
    RANDOM_EACH,
    Oracle,
    disagreements,
    forms,
    patterns,
    random_formulas,
    run,
    within,
)

from buchi.common.errors import InputError
from buchi.pipeline.table import table
from buchi.schemas.testing import TaMark
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.spot_helpers.automata import spot_claims, to_spot
from buchi.translators.tela_tgra import TelaToTgra
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba

LEAVES = st.sampled_from(["p", "q", "r", "1", "0"])
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("!XFG"), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, st.sampled_from(["&", "|", "->", "<->", "U", "R", "W", "M"]), inner).map(
            lambda t: f"({t[0]}) {t[1]} ({t[2]})"
        ),
    ),
    max_leaves=5,
)
SECONDS = 20.0


def ta(text):
    tlba = run(LtlToTlba, parse_ltl(text))
    return run(SlbaToTa, run(TlbaToSlba, tlba))


@pytest.mark.parametrize("family", ["eh", "sb", "beem"])
def test_patterns_of_the_literature(family):
    judge(patterns(family), cut_off=0)


@pytest.mark.parametrize("propositions", [1, 2, 3, 4])
def test_some_random_formulas(propositions):
    judge(random_formulas(propositions, 15), cut_off=0)


@settings(max_examples=60, deadline=None)
@given(FORMULAS)
def test_generated_formulas(text):
    assert disagreements(text) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", PATTERNS)
def test_all_patterns(family):
    judge(patterns(family), cut_off=len(patterns(family)) // 20)


@pytest.mark.slow
@pytest.mark.parametrize("propositions", [1, 2, 3, 4])
def test_random_formulas(propositions):
    judge(random_formulas(propositions), cut_off=RANDOM_EACH // 20)


def judge(formulas, cut_off):
    """Expect no disagreement, and at most so many formulas on which Spot cannot judge in time."""
    results = {text: within(SECONDS, text) for text in formulas}
    assert [found for result in results.values() for found in result or ()] == []
    unjudged = [text for text, result in results.items() if result is None]
    assert len(unjudged) <= cut_off, unjudged


@pytest.mark.parametrize("text", ["GFa", "a U b", "FGa", "Ga | Fb", "F(a & Fb)", "0", "1"])
def test_structure_is_claimed_as_spot_sees_it(text):
    for name, form in forms(text):
        if name.startswith("ltl-"):
            fresh = to_spot(form)
            assert form.claims == spot_claims(fresh, form.claims.stutter_invariant)


def test_a_deterministic_tgra_is_deterministic():
    for text in patterns("dac")[:10]:
        assert run(LtlToTgra, parse_ltl(text), prefer="deterministic").claims.deterministic


def test_the_fin_sets_of_a_clause_are_united():
    """Fin(0) & Fin(1): two sets before, one after, on the edges of both."""
    hoa = """HOA: v1
States: 1
Start: 0
AP: 2 "a" "b"
Acceptance: 2 Fin(0) & Fin(1)
--BODY--
State: 0
[0&!1] 0 {0}
[!0&1] 0 {1}
[0&1] 0 {0 1}
[!0&!1] 0
--END--
"""
    from buchi.translators.hoa import read_hoa

    tela = read_hoa(hoa)
    tgra = run(TelaToTgra, tela)
    assert (tela.kind.value, tgra.sets) == ("tela", 1)
    assert Oracle("FG(!a & !b)").accepts(tgra)
    assert sorted(edge.marks for edge in tgra.edges) == [0, 1, 1, 1]


def test_one_jump_per_cycle_is_fewer():
    tgra = run(LtlToTgra, parse_ltl("FG(a | Xb | XXc)"), prefer="deterministic")
    literal, reduced = (run(TgraToTfla, tgra, method=method) for method in ("literal", "reduced"))
    assert tgra.states > 1
    assert literal.states == 2 * tgra.states
    assert reduced.states <= literal.states
    assert len(reduced.edges) < len(literal.edges)


def test_the_testing_automaton_of_the_figure():
    """Figure 1 (c) of Geldenhuys & Hansen: FG p has a TA with livelock-accepting and no Büchi-accepting state."""
    automaton = ta("FGp")
    assert automaton.accepting == ()
    assert automaton.livelock


def test_every_form_has_a_table():
    for text in ("GFa", "a U b", "0"):
        for _, form in forms(text):
            assert table(form).propositions == form.propositions


def test_the_table_of_a_testing_automaton_tells_stuttering_from_changes():
    automaton = ta("GFa & GF!a")
    edges = table(automaton).edges
    stuttering = [edge for edge in edges if edge.marks & TaMark.STUTTER]
    changes = [edge for edge in edges if edge.marks & TaMark.CHANGE]
    assert len(stuttering) == automaton.states
    assert all(edge.source == edge.destination and edge.label == ((0, 1),) for edge in stuttering)
    assert len(changes) + len(stuttering) == len(edges)
    assert all(not edge.marks & TaMark.LIVELOCK for edge in stuttering), "no word that ends in a livelock"
    assert any(edge.marks & TaMark.BUCHI for edge in changes)


def without_repetitions(word):
    """Return the first letters of a word, of neighbours that are alike only one."""
    letters = [*word.prefix, *(letter for _ in range(50) for letter in word.cycle)]
    return [letter for letter, _ in groupby(spot.bdd_format_formula(word.get_dict(), b) for b in letters)][
        :20
    ]


@pytest.mark.parametrize(
    "text", ["X a", "G(a -> X b)", "a & X!a", "GF(a & X a)", "F(a & X(a & X!a))", "(X X a) U b"]
)
def test_what_is_not_stutter_invariant_has_no_testing_automaton(text):
    with pytest.raises(InputError, match="not stutter-invariant") as caught:
        ta(text)
    message = str(caught.value)
    assert "Spot" in message
    words = [re.search(f"{how} +(.*cycle.*)", message)[1] for how in ("automaton accepts", "does not accept")]
    automaton = spot.translate(text)
    accepted, refused = (spot.parse_word(word, automaton.get_dict()) for word in words)
    assert accepted.intersects(automaton)
    assert not refused.intersects(automaton)
    assert without_repetitions(accepted) == without_repetitions(refused)


def test_a_formula_with_x_may_be_stutter_invariant():
    """An `a` that is followed by a change to `b`: written with X, but repetition cannot be seen."""
    text = "F(a & !b & X(b & !a))"
    assert spot.is_stutter_invariant(spot.formula(text))
    assert Oracle(text).accepts(ta(text))


def test_too_many_propositions_for_explicit_labels():
    tlba = run(LtlToTlba, parse_ltl(" & ".join(f"F p{i}" for i in range(4))))
    with pytest.raises(InputError, match=r"4 propositions .* the limit is 3 propositions"):
        run(TlbaToSlba, tlba, max_propositions=3)
    with pytest.raises(InputError, match=r"would have up to \d+ edges; the limit is 100"):
        run(TlbaToSlba, tlba, max_edges=100)
    wide = run(LtlToTlba, parse_ltl(" & ".join(f"p{i}" for i in range(40))))
    with pytest.raises(InputError, match=r"2\^40"):
        run(TlbaToSlba, wide)


@pytest.mark.parametrize("text", ["0", "1", "a & !a"])
def test_trivial_languages(text):
    for _, form in forms(text):
        assert Oracle(text).accepts(form)
