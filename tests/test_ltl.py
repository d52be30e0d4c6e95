"""Formulas: the syntaxes of SPIN and Spot, propositions over models, and the places of mistakes."""

from __future__ import annotations

from contextlib import suppress

import pytest
import spot
from data import FOLDER, needs_data
from hypothesis import given
from hypothesis import strategies as st

from buchi.common.errors import InputError
from buchi.translators.hoa import read_hoa
from buchi.translators.ltl import parse_ltl
from buchi.translators.spot_helpers.automata import to_spot

READ = [
    ("[](P_0.CS -> <> P_1.CS)", 'G("P_0.CS" -> F "P_1.CS")'),
    ('!([]((P_1!="p9") || (z!=5) U t\\[1\\]!=0))', '!G("P_1!=p9" | ("z!=5" U "t[1]!=0"))'),
    ("P_1=='p9' || P_1==\"p9\"", '"P_1==p9"'),
    ("a[0] <= 2 U b", '"a[0]<=2" U b'),
    ('"P_0.j <= 3" && <>x', '"P_0.j<=3" & Fx'),
    ('"!a -> b" U c', '"!a->b" U c'),
    ("a<=>b", "a <-> b"),
    ("a<->b", "a <-> b"),
    ("a<=b", '"a<=b"'),
    ("a=>b", "a -> b"),
    ("a>=b", '"a>=b"'),
    ("a->b", "a -> b"),
    ("a>b", '"a>b"'),
    ("x->y==2", 'x -> "y==2"'),
    ("x<-1", '"x<-1"'),
    ("<>x<3", 'F"x<3"'),
    ("[]x>3", 'G"x>3"'),
    ("!x==3", '!"x==3"'),
    ("!x!=3", '!"x!=3"'),
    ("(a) <= (b) -> c", '"(a)<=(b)" -> c'),
    ("a+b*2 < 3 && c", '"a+b*2<3" & c'),
    ("a[i+1]==3", '"a[i+1]==3"'),
    ("F[2:3]a", "XX(a | Xa)"),
    ("X[2]a", "XXa"),
    ("X a[2]", 'X "a[2]"'),
    ("F == 3", '"F==3"'),
    ("Fork.free", '"Fork.free"'),
    ("F Fork.free", 'F "Fork.free"'),
    ("a /\\ b \\/ c", "(a & b) | c"),
    ("a V b", "a R b"),
    ("true U x>=0", '1 U "x>=0"'),
    ("a ==\n b", '"a==b"'),
]


@pytest.mark.parametrize(("text", "meaning"), READ)
def test_reading(text, meaning):
    assert spot.formula(parse_ltl(text).formula) == spot.formula(meaning)


@pytest.mark.parametrize(("text", "_"), READ)
def test_what_is_printed_is_read_alike(text, _):
    once = parse_ltl(text)
    assert parse_ltl(once.formula) == once
    assert parse_ltl(once.formula, names=once.propositions) == once
    assert spot.formula(once.formula) == spot.formula(parse_ltl(once.formula).formula)


BAD = [
    ("p0 U", 5, "unexpected end"),
    ("a && && b", 6, "unexpected and operator"),
    ("((a)", 1, "missing closing parenthesis"),
    ('"open', 1, "unclosed string"),
    ("x ==", 3, "unexpected"),
    ("a = 1", 3, "=="),
    ('z != 5 && P_1=="p9" && && b', 24, "unexpected and operator"),
    ("", 1, "empty"),
    ("a < b < c", 7, "unexpected"),
    ("a $ b", 3, "unexpected"),
]


@pytest.mark.parametrize(("text", "column", "reason"), BAD)
def test_mistakes_have_a_place(text, column, reason):
    with pytest.raises(InputError, match=reason) as caught:
        parse_ltl(text, "--ltl")
    assert caught.value.place is not None
    assert caught.value.place.column == column
    assert str(caught.value).startswith("--ltl:")
    assert " " * (column - 1) + "^" in str(caught.value)


def test_the_line_of_a_mistake():
    with pytest.raises(InputError) as caught:
        parse_ltl("G(a\n& &b)")
    assert (caught.value.place.line, caught.value.place.column) == (2, 3)


def test_too_deep_is_an_error_of_the_user():
    with pytest.raises(InputError):
        parse_ltl("(" * 20_000 + "a")


def test_sere_is_refused():
    with pytest.raises(InputError, match="does not belong to an LTL formula"):
        parse_ltl("{a;b}!")


@given(st.text(alphabet="ab \"'!=<>-[]()&|UXFG.01\\", max_size=12))
def test_any_text_is_read_or_refused(text):
    with suppress(InputError):
        parse_ltl(text)


def formulas():
    return sorted(FOLDER.glob("sttt-beem/*/*.ltl"))


@needs_data
def test_the_artifact_agrees_with_its_automata():
    """Each .ltl holds a property, each _tgba.hoa the automaton of its negation."""
    assert len(formulas()) == 1600
    for path in formulas()[::20]:
        agrees(path)


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_the_whole_artifact_agrees_with_its_automata(part):
    for path in formulas()[part::8]:
        agrees(path)


def agrees(path):
    hoa = path.with_name(path.stem + "_tgba.hoa")
    ltl = parse_ltl(path.read_text(), str(path))
    automaton = read_hoa(hoa.read_text(), str(hoa))
    assert set(automaton.propositions) <= set(ltl.propositions)
    assert spot.are_equivalent(to_spot(automaton), spot.formula(ltl.negated().formula)), path
