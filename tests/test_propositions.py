"""Propositions over a model: every spelling, and the messages for names that the model does not have."""

from __future__ import annotations

import pytest

from buchi.common.errors import InputError
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.propositions import parse_proposition

TEXT = """
    byte number[3] = {0, 2, 5}, wait = 7; int low = 0 - 4; const byte N = 3, t[2] = {8, 9};
    channel {byte, int} c[2];
    process P_0 { byte j = 3, list[2] = {1, 2}; const byte k = 6; state NCS, CS, wait; init CS; }
    process P_1 { byte j; state NCS, wait, CS; init wait; }
    system async;
"""


@pytest.fixture(scope="module")
def model() -> Model:
    return DVE().load(TEXT, "m.dve").model


def value(text: str, model: Model) -> int:
    evaluator = Evaluator(model)
    return evaluator.evaluate(parse_proposition(text, model), evaluator.initial())


@pytest.mark.parametrize(
    "text",
    [
        "P_0.CS",
        "P_0 == CS",
        "CS == P_0",
        'P_0=="CS"',
        "P_0!='NCS'",
        "P_1 == wait",  # the location, not the variable
        "P_1 == (wait)",
        "P_0 != wait",
        "P_1 == 1",
        "P_0 == P_1",  # both are in their location number 1
        "P_0 < 2",
        "wait == 7",
        "P_0.j <= 3",
        "P_0->j == 3",
        "P_0.list[1] == 2",
        "P_0 . list [ 1 ] == 2",
        "number[1] == 2",
        r"number\[1\]!=0",
        r"P_0\.list\[0\]==1",
        "number[P_0.j - 1] == 5",
        "low == -4",
        "low < 0",
        "N == 3",
        "P_0.k == 6",
        "t[1] == 9",
        "t[number[0]] == 8",
        "c.length == 0",
        "c.0[1] == 0",
        "P_0.CS and not P_1.CS",
        "P_0.CS && !P_1.CS || P_1.NCS",
        "P_0.NCS imply 1 / number[0]",
        "(((true)))",
        "5",
    ],
)
def test_true_in_the_initial_state(text: str, model: Model) -> None:
    assert value(text, model) != 0


@pytest.mark.parametrize(
    "text", ["P_0.NCS", 'P_0=="wait"', "P_0 != CS", "P_1.CS", "false", "number[0]", "not N"]
)
def test_false_in_the_initial_state(text: str, model: Model) -> None:
    assert value(text, model) == 0


@pytest.mark.parametrize(
    ("text", "message", "suggestion"),
    [
        ("nmber[0] == 1", "the model has no nmber", "did you mean number?"),
        ("j == 1", "the model has no j", "did you mean P_0.j or P_1.j?"),
        ("P_0.CSS", "the model has no P_0.CSS", "did you mean CS or NCS?"),
        ("P_2.CS", "the model has no P_2.CS", "did you mean P_1.CS or P_0.CS or P_1.NCS?"),
        ('P_0 == "CSS"', "process P_0 has no location CSS", "did you mean CS or NCS?"),
        ("P_0 == waiting", "process P_0 has no location waiting", "did you mean wait?"),
        ("P_0", "P_0 is a process and has no truth value", "write P_0 == NCS"),
        ("P_0 and P_1.CS", "P_0 is a process and has no truth value", "write P_0 == NCS"),
        ("P_0 + 1 == 2", "P_0 is a process and has no truth value", "write P_0 == NCS"),
        ("number == 1", "number is an array and needs an index", "write number[0]"),
        ("t == 1", "t is a constant array and needs an index", "write t[0]"),
        ("low[0] == 1", "low is not an array", None),
        ("'CS'", "'CS' is not compared with a process", "write P == 'CS'"),
        ("low == 'CS'", "'CS' is not compared with a process", "write P == 'CS'"),
        ("low ==", "unexpected end of the text", "expected '(' or a name or a number"),
        ("low = 1", "unexpected '='", "expected '[' or an operator or the end of the text"),
        (r"number\[1\] = 1", "unexpected '='", "expected an operator or the end of the text"),
        ("low == 1)", "unexpected ')'", "expected an operator or the end of the text"),
        (" ", "the proposition is empty", None),
    ],
)
def test_errors(text: str, message: str, suggestion: str | None, model: Model) -> None:
    with pytest.raises(InputError) as caught:
        parse_proposition(text, model)
    assert (caught.value.message, caught.value.suggestion) == (message, suggestion)


def test_errors_point_into_the_text_as_written(model: Model) -> None:
    with pytest.raises(InputError) as caught:
        parse_proposition(r"number\[1\] == 2 and lov > 1", model)
    lines = str(caught.value).splitlines()
    assert lines[0] == "proposition:1:22: the model has no lov"
    assert lines[1].strip() == r"number\[1\] == 2 and lov > 1"
    assert lines[1][lines[2].index("^") :].startswith("lov")


def test_a_long_proposition(model: Model) -> None:
    assert value(" and ".join(["low < 0"] * 5000), model) == 1
