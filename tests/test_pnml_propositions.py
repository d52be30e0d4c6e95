"""Propositions over nets: sums of places, what is fireable, names with signs; with units and without."""

from __future__ import annotations

import pytest
from nets import pnml

from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.pnml import PNML
from buchi.models.propositions import parse_proposition
from buchi.pipeline.check import check

MARKING = {"a": 1, "b": 0, "a-b": 3, "a.b.c": 4, "a-b-c": 5, "x.y": 6, "tokens": 7}
TRANSITIONS = {
    "t": ({"a": 1}, {"b": 1}),
    "u": ({"b": 1}, {"a": 1}),
    "t-u": ({"a-b": 9}, {}),
    "t.u": ({"a-b": 3, "b": 1}, {"b": 1}),
    "free": ({}, {}),
}


def model(units: bool = False) -> Model:
    """Return the net; `a` and `b` are a unit anyway, by an invariant."""
    claimed = [["a", "b"]] if units else []
    return PNML().load(pnml(MARKING, TRANSITIONS, claimed), "net.pnml").model


def value(text: str, net: Model) -> int:
    return Evaluator(net).evaluate(parse_proposition(text, net), Evaluator(net).initial())


@pytest.mark.parametrize("units", [False, True])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", 1),
        ("a + b", 1),
        ("(1) <= (a + b)", 1),
        ("a + b <= 0", 0),
        ("a-b", 3),
        ("a - b", 1),
        ("b - a", -1),
        ("a-b-c", 5),
        ("a-b - a", 2),
        ("a-b-a", 2),
        ("a-b-c-a-b", 2),
        ("a.b.c == 4", 1),
        (r"a\-b + a\.b\.c", 7),
        ("x.y", 6),
        ("tokens", 7),
        ("tokens + 1", 8),
        ("tokens(a)", 1),
        ("tokens(a, b, a-b) * 2", 8),
        ("tokens( a.b.c,x.y )", 10),
        ("tokens(tokens)", 7),
        ("fireable(t)", 1),
        ("fireable(u)", 0),
        ("fireable(u, t)", 1),
        ("fireable(t-u)", 0),
        ("fireable(t.u)", 0),
        ("fireable(free)", 1),
        ("!fireable(u) && fireable('t')", 1),
    ],
)
def test_values(text: str, expected: int, units: bool) -> None:
    assert value(text, model(units)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fireable(v)", "the model has no transition v"),
        ("fireable(a-b)", "the model has no transition a-b"),
        ("tokens(t)", "the model has no t"),
        ("tokens()", "unexpected"),
        ("fireable(t", "unexpected end"),
        ("a-b-d == 1", "the model has no d"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_proposition(text, model())


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("G (a + b == 1)", True),
        ("G fireable(t, u)", True),
        ("G (fireable(t) -> X fireable(u))", False),
        ('G ("fireable(t)" xor fireable(u))', True),
        ("F G !fireable(t)", False),
        ("G (a-b <= 3 && tokens(a,b) >= 1)", True),
        (r"G (a\-b + a <= 3)", False),
        ("[]((a\\.b\\.c) <= (a-b-c))", True),
        ("G fireable(t-u) || G !fireable(t-u)", True),
    ],
)
def test_formulas(formula: str, holds: bool) -> None:
    loaded = PNML().load(pnml(MARKING, TRANSITIONS), "net.pnml")
    assert check(loaded, ltl=formula).verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)


def test_a_transition_that_can_never_fire_is_known() -> None:
    net = PNML().load(pnml({"a": 1, "b": 0}, {"t": ({"a": 1, "b": 1}, {"b": 1})}, ["ab"]), "net.pnml").model
    assert value("fireable(t)", net) == 0
