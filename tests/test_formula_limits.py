"""Formulas that are too deep, too large or no text are refused at once, with their place."""

from __future__ import annotations

from time import process_time

import pytest
import spot

from buchi.common.errors import InputError
from buchi.models.kripke import Kripke
from buchi.models.propositions import parse_proposition
from buchi.translators.ltl import parse_ltl
from buchi.translators.spot_helpers.comparisons import MAX_DEPTH

MODEL = Kripke(("p",), [[0]], [frozenset({"p"})]).model()


DEEP = 15_000
"""Deeper than Spot's recursion goes."""


def _meant(names: tuple[str, ...]) -> None:
    for name in names:
        parse_proposition(name, MODEL)


@pytest.mark.parametrize(
    "text",
    [
        "X" * DEEP + " a",
        "X " * DEEP + " a",
        "!" * DEEP + " a",
        "(" * DEEP + "a" + ")" * DEEP,
        "(" * DEEP,
        "x+(" * DEEP + "x" + ")" * DEEP,
        "x+(" * DEEP + "x" + ")" * DEEP + " == 1",
        "a[" * DEEP + "1" + "]" * DEEP,
        "-" * DEEP + "1",
        "a U " * DEEP + "b",
        "a <-> " * DEEP + "b",
        "F[0:200]" * 5 + "a",
        "X[100000]a",
        f"F[2:{'9' * 5000}]a",
        '"\\' * DEEP,
        "[*" * DEEP,
        "'" * (DEEP + 1),
        "X(a & " * DEEP + "b" + ")" * DEEP,
    ],
    ids=lambda text: text[:8],
)
def test_what_would_exhaust_spot_is_refused_at_once(text: str) -> None:
    began = process_time()
    with pytest.raises(InputError):
        _meant(parse_ltl(text).propositions)
    assert process_time() - began < 3  # what is quadratic takes longer


@pytest.mark.parametrize(
    "text",
    [
        "X" * (MAX_DEPTH - 1) + " a",
        "(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1),
        " & ".join(["(a -> F b)"] * 5000),
        " & ".join(["G F a U b"] * 5000),
        "F[0:20]" * 3 + "a",
        "x + (" * 200 + "1" + ")" * 200 + " == 1",
    ],
    ids=lambda text: text[:8],
)
def test_what_is_merely_large_is_read(text: str) -> None:
    once = parse_ltl(text)
    assert spot.formula(once.formula) == spot.formula(parse_ltl(once.formula).formula)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (" & ".join(f"p{i}" for i in range(1000)), "1000 propositions; the limit is 63"),
        ("a & \0b", "character 5 of the formula is a NUL"),
        ("a & \udc80", "character 5 of the formula is not valid UTF-8"),
        ('"a\udc80"', "not valid UTF-8"),
        ("\"s == 'a\x1bb'\"", "control character"),
        ('"a\x07b"', "control character"),
        ('"a\\\\b"', "backslash"),
        ('""', "empty"),
        ('" "', "empty"),
        ("X[!]a", "unexpected"),
        ("a[*3]", "does not belong"),
        ("a ##1 b", "does not belong"),
        ("G (a) [2]", "unexpected"),
        ("é & a", "unexpected é"),
        ("Ⓧ a", "unexpected Ⓧ"),
    ],
)
def test_nonsense_is_told(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        _meant(parse_ltl(text).propositions)
    assert str(caught.value).encode()


def test_a_message_is_short() -> None:
    with pytest.raises(InputError) as caught:
        parse_ltl("a & " * DEEP + ")")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["a W & b X []", "a b X[]", "E V X[]t W h((((p(("])
def test_a_box_where_spot_expects_bounds(text):
    """Spot's own message would have a length that is never set."""
    with pytest.raises(InputError) as caught:
        parse_ltl(text)
    assert len(str(caught.value)) < 300
