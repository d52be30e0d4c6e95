"""HOA in and out, and bad HOA."""

from __future__ import annotations

import pytest
from languages import GOOD_HOA as GOOD
from languages import Oracle, forms

from buchi.common.errors import InputError
from buchi.schemas.kinds import Kind
from buchi.schemas.testing import TestingAutomaton
from buchi.translators.hoa import read_hoa, write_hoa


@pytest.mark.parametrize("text", ["GFa & GFb", "a U b", "FGa | GFb", "0", "1", '"x[1]>=2" U "P.s"'])
def test_every_form_but_the_testing_automaton_goes_through_hoa(text):
    for name, form in forms(text):
        if not isinstance(form, TestingAutomaton):
            assert Oracle(text).accepts(read_hoa(write_hoa(form, name))), name


@pytest.mark.parametrize(
    ("acceptance", "kind"),
    [
        ("1 Inf(0)", Kind.TGBA),
        ("0 t", Kind.TGBA),
        ("2 Inf(0)&Inf(1)", Kind.TGBA),
        ("2 Inf(0)|Inf(1)", Kind.TFLA),
        ("0 f", Kind.TFLA),
        ("1 Fin(0)", Kind.TGRA),
        ("4 (Fin(0)&Inf(1))|(Fin(2)&Inf(3))", Kind.TGRA),
        ("2 Fin(0)&Fin(1)", Kind.TELA),
        ("3 (Fin(0)|Inf(1))&(Fin(2)|Inf(0))", Kind.TELA),
    ],
)
def test_the_narrowest_kind_is_chosen(acceptance, kind):
    text = GOOD if acceptance[0] != "0" else GOOD.replace(" {0}", "")
    assert read_hoa(text.replace("1 Inf(0)", acceptance)).kind is kind


def test_propositions_get_the_one_spelling():
    assert read_hoa(GOOD.replace('"a"', "\"P_1 != 'p9'\"")).propositions == ("P_1!=p9",)


def test_claims_of_a_file_are_not_believed():
    lying = GOOD.replace("--BODY--", "properties: terminal very-weak\n--BODY--")
    assert not read_hoa(lying).claims.terminal


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not an automaton"),
        ("digraph {}", "not an automaton"),
        ("HOA: v1", "unexpected end"),
        (GOOD.replace("[0]", "[7]"), "AP number"),
        (GOOD.replace("--END--", ""), "unexpected end"),
        (GOOD.replace("Acceptance: 1 Inf(0)", "Acceptance: 77 Inf(0)"), "acceptance sets"),
        (GOOD.replace("] 0 {0}", "] 9 {0}"), "state"),
        (GOOD.replace("{0}", "{4}"), "acceptance|set"),
        ("HOA: v1\x00\x01", "x.hoa"),
    ],
)
def test_bad_hoa(text, reason):
    with pytest.raises(InputError, match=reason) as caught:
        read_hoa(text, "x.hoa")
    assert str(caught.value).startswith("x.hoa")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("v1", "v1.1"),
        ("Start", f'name: "{"long " * 10_000}"\nStart'),
        ("Start", 'tool: "Owl" "1.0"\nowlArgs: "a" "-i"\nspot.highlight.edges: 1 2\nx.y-z: t f !a 5\nStart'),
        ("State: 0", 'State: 0 "a \\"state\\" \\\\"'),
        ("\n", "\r\n"),
        ("\n", '\n\t/* ] " [ */\n'),
    ],
)
def test_what_has_no_meaning_changes_nothing(old, new):
    assert read_hoa(GOOD.replace(old, new)) == read_hoa(GOOD)


def test_alternation_is_refused():
    both = GOOD.replace("States: 1", "States: 2").replace("[0] 0 {0}\n[!0] 0", "[t] 0&1\nState: 1\n[0] 1 {0}")
    with pytest.raises(InputError, match="alternating"):
        read_hoa(both)


def test_more_propositions_than_fit():
    names = " ".join(f'"p{i}"' for i in range(70))
    text = GOOD.replace('1 "a"', f"70 {names}").replace("[0]", f"[{'&'.join(map(str, range(70)))}]")
    with pytest.raises(InputError, match="the automaton tests 70 propositions; the limit is 63"):
        read_hoa(text, "x.hoa")
