"""DVE texts: what is accepted, and how what is not accepted is explained."""

from __future__ import annotations

import gc

import pytest

from buchi.common.errors import InputError
from buchi.models.dve import DVE
from buchi.models.dve.parser import parse
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.models.guarded import Type
from buchi.models.source import Source

ONE = "process P {{ {local} state q; init q; trans q -> q {{ {body} }}; }} system async;"
IDLE = "process P { state a; init a; } system async;"


def load(text: str) -> Loaded:
    return DVE().load(text, "m.dve")


def value(expression: str, declarations: str = "") -> int:
    """Return the value of a constant expression."""
    model = load(f"{declarations} int value = {expression}; {IDLE}").model
    return model.variables[-2].initial[0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("100 / 10 / 2", 5),
        ("1 << 2 + 1", 8),
        ("5 & 3 == 3", 1),  # 5 & (3 == 3)
        ("1 | 6 ^ 2 & 3", 5),  # 1 | (6 ^ (2 & 3))
        ("1 < 2 == 1", 1),
        ("1 or 0 and 0", 1),
        ("1 || 0 && 0", 1),
        ("0 imply 0 or 1", 1),
        ("1 imply 0", 0),
        ("not 1 == 0", 1),  # (not 1) == 0
        ("!!5", 1),
        ("- - 5", 5),
        ("-2 * -3", 6),
        ("~0", -1),
        ("true + true", 2),
        ("false", 0),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 % -2", 1),
        ("2 - -1", 3),
        ("1 // a comment\n + 1", 2),
        ("1 /* a\n comment **/ + 1", 2),
        ("notable + android", 3),
    ],
)
def test_expressions(expression: str, expected: int) -> None:
    assert value(expression, "const int notable = 1, android = 2;") == expected


def test_arithmetic_of_constants_is_32_bit() -> None:
    assert value("2147483647 + 1 < 0") == 1
    assert value("(0-2147483647-1) / (0-1) < 0") == 1
    assert value("(0-2147483647-1) % (0-1)") == 0
    assert value("1 << 33") == 2


def test_constants_and_constant_arrays() -> None:
    model = load("const byte n = 2, t[n + 1] = {n, n * 2}; byte x = t[1], a[n] = {t[0]};" + IDLE).model
    assert model.tables == ((2, 4, 0),)
    assert model.variables[0].initial == (4,)
    assert model.variables[1].initial == (2, 0)


def test_variables_in_order_of_declaration() -> None:
    text = """
        byte x; channel {byte, int} c[3]; int y[2];
        process P { byte z; int w[2]; state a, b; init b; }
        process Q { state a; init a; }
        system async;
    """
    variables = load(text).model.variables
    assert [(v.name, v.type, v.length) for v in variables] == [
        ("x", Type.BYTE, None),
        ("c.length", Type.BYTE, None),
        ("c.0", Type.BYTE, 3),
        ("c.1", Type.INT16, 3),
        ("y", Type.INT16, 2),
        ("P", Type.BYTE, None),
        ("P.z", Type.BYTE, None),
        ("P.w", Type.INT16, 2),
        ("Q", Type.BYTE, None),
    ]
    assert (variables[5].initial, variables[5].values) == ((1,), ("a", "b"))


@pytest.mark.parametrize(("locations", "kind"), [(256, Type.BYTE), (257, Type.WORD)])
def test_program_counter_is_as_wide_as_needed(locations: int, kind: Type) -> None:
    names = ", ".join(f"l{i}" for i in range(locations))
    model = load(f"process P {{ state {names}; init l{locations - 1}; }} system async;").model
    assert (model.variables[0].type, model.variables[0].initial) == (kind, (locations - 1,))


def test_source_location_is_inherited() -> None:
    text = "process P { state a, b; init a; trans a -> b {}, -> a {}, b -> a {}, -> b {}; } system async;"
    assert [c.name for c in load(text).model.commands] == ["P: a -> b", "P: a -> a", "P: b -> a", "P: b -> b"]


def test_keywords_may_touch_signs_but_not_letters() -> None:
    load("byte x;process P{state a;init a;trans a->a{guard not(x)and(x);effect x=1;};}system async;")
    with pytest.raises(InputError, match="unexpected"):
        load("byte x; process P { state a; init a; trans a -> a { guardx == 1; }; } system async;")


def test_a_local_name_hides_a_global_one() -> None:
    text = "byte x = 1;" + ONE.format(local="byte x = 2;", body="effect x = x + 1;")
    evaluator = Evaluator(load(text).model)
    ((_, state),) = evaluator.successors(evaluator.initial())
    assert evaluator.show(state) == {"x": "1", "P": "q", "P.x": "3"}


def test_an_array_alone_is_its_first_element() -> None:
    text = "byte e[2] = {3, 4}, x;" + ONE.format(local="", body="effect x = e, e = 9;")
    evaluator = Evaluator(load(text).model)
    ((_, state),) = evaluator.successors(evaluator.initial())
    assert evaluator.show(state) == {"e[0]": "9", "e[1]": "4", "x": "3", "P": "q"}


def test_more_zeros_than_elements_are_ignored() -> None:
    assert load("byte t[2] = {1, 0, 0};" + IDLE).model.variables[0].initial == (1, 0)


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["x"] * 19_000),
        " and ".join(["x"] * 19_000),
        "(" * 5_000 + "x" + ")" * 5_000,
        "x + (" * 999 + "x" + ")" * 999,
        "not " * 5_000 + "x",
        "a[" * 3_000 + "0" + "]" * 3_000,
    ],
    ids=["sum", "conjunction", "parentheses", "right-nested", "not", "elements"],
)
def test_long_and_deep_expressions(expression: str) -> None:
    text = "byte x = 1, a[1];" + ONE.format(local="", body=f"guard {expression};")
    assert load(text).model.commands[0].guard is not None


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("byte x", 1, 7, "unexpected end of the text"),
        ("byte 3x;", 1, 6, "unexpected '3'"),
        ("byte x @;", 1, 8, "unexpected '@'"),
        ("byte x; /* never", 1, 9, "this comment is never closed"),
        ("// only a comment", 1, 18, "unexpected end of the text"),
        (f"{IDLE} rest", 1, 46, "unexpected 'rest'"),
        ("system async;", 1, 8, "the model has no process"),
        ("process P { state a; init a; }\nsystem async property P;", 2, 8, "the model has no process"),
        ("process P { state a; init a; }\nsystem sync;", 2, 8, "synchronous composition is not supported"),
        ("process P { state a; init b; } system async;", 1, 27, "process P has no location b"),
        ("process P { state a, a; init a; } system async;", 1, 22, "a is declared twice"),
        (f"byte x;\n\tint x; {IDLE}", 2, 6, "x is declared twice"),
        (f"byte P; {IDLE}", 1, 17, "P is declared twice"),
        (f"byte and; {IDLE}", 1, 6, "and is a word of the language"),
        (f"byte x[0 - 1]; {IDLE}", 1, 6, "the size of x is -1"),
        (f"byte x[0]; {IDLE}", 1, 6, "the size of x is 0"),
        (f"byte y, x[y]; {IDLE}", 1, 9, "the size of x must be a constant"),
        (f"byte x = 1 / 0; {IDLE}", 1, 6, "the value of x must be a constant"),
        (f"byte x[2] = 1; {IDLE}", 1, 6, "x needs values in braces"),
        (f"byte x = {{1}}; {IDLE}", 1, 6, "x needs one value"),
        (f"byte x[1] = {{1, 2}}; {IDLE}", 1, 6, "x has 1 elements but 2 values"),
        (f"const byte x; {IDLE}", 1, 12, "the constant x has no value"),
        (f"byte x = 2147483648; {IDLE}", 1, 10, "a number must be below 2147483648"),
        (f"channel {{byte}} c[0 - 1]; {IDLE}", 1, 16, "the capacity of c is -1"),
        ("process P { state a; init a; commit b; } system async;", 1, 37, "process P has no location b"),
        ("process P { state a; init a; accept b; } system async;", 1, 37, "process P has no location b"),
        ("process P { state a; init a; assert b: 1; } system async;", 1, 37, "process P has no location b"),
    ],
)  # fmt: skip
def test_errors_have_a_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(text)
    assert caught.value.message.startswith(message)
    place = caught.value.place
    assert place is not None
    assert (place.source, place.line, place.column) == ("m.dve", line, column)


@pytest.mark.parametrize(
    ("body", "message", "suggestion"),
    [
        ("guard counter == 1;", "unknown name counter", "did you mean counted?"),
        ("guard Q.wait;", "process Q has no wait", "did you mean await?"),
        ("guard R.a;", "unknown name R", None),
        ("guard counted.a;", "counted is a variable, not a process", None),
        ("guard counted[0];", "counted is a variable, not an array", None),
        ("guard c;", "c is a channel, not a value", None),
        ("guard a;", "a is a location, not a value", "to ask whether the process is there, write P.a"),
        ("guard Q;", "Q is a process, not a value", "to ask where it is, write Q.LOCATION"),
        ("effect limit = 1;", "limit is a constant and cannot be assigned here", None),
        ("effect counted[1] = 1;", "counted is a variable, not an array", None),
        ("effect Q = 1;", "Q is a process and cannot be assigned here", None),
        ("sync counted!;", "counted is a variable, not a channel", None),
        ("sync d!1;", "channel d carries 2 values, not 1", None),
        ("sync d!;", "channel d carries 2 values, not 0", None),
        ("sync d?counted;", "channel d carries 2 values, not 1", None),
        (
            "sync c?counted;",
            "channel c passes 0 values from Q: await -> await, but 1 are received here",
            None,
        ),
        ("guard counted = 1;", "unexpected '='", "expected ';' or '[' or an operator"),
        ("guard 1; sync;", "unexpected ';'", "expected a name"),
        ("effect counted = ;", "unexpected ';'", "expected '(' or a name or a number"),
        ("effect counted = 1; guard 1;", "unexpected 'guard'", "expected '}'"),
    ],
)
def test_errors_of_transitions(body: str, message: str, suggestion: str | None) -> None:
    text = f"""byte counted; const byte limit = 1; channel c; channel {{byte, int}} d[0];
        process P {{ state a; init a; trans a -> a {{ {body} }}; }}
        process Q {{ state await; init await; trans await -> await {{ sync c!; }}; }}
        system async;"""
    with pytest.raises(InputError) as caught:
        load(text)
    assert (caught.value.message, caught.value.suggestion) == (message, suggestion)
    assert caught.value.place is not None


def test_first_transition_needs_a_source() -> None:
    with pytest.raises(InputError, match="the first transition of P has no source location"):
        load("process P { state a; init a; trans -> a {}; } system async;")


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_empty_text(text: str) -> None:
    with pytest.raises(InputError, match="the model is empty"):
        load(text)


def test_caret_stands_under_the_column_behind_tabs() -> None:
    with pytest.raises(InputError) as caught:
        load("process P {\n\t\tstate a; init b;\n} system async;")
    lines = str(caught.value).splitlines()
    assert lines[0] == "m.dve:2:17: process P has no location b"
    assert lines[1][lines[2].index("^")] == "b"


def test_the_cycle_collector_is_on_again_after_an_error() -> None:
    with pytest.raises(InputError):
        load("byte")
    assert gc.isenabled()


def test_the_tree_keeps_what_was_written() -> None:
    system = parse(Source("m.dve", f"channel c; channel {{int}} d[2]; byte x, y[3]; {IDLE}"))
    assert [type(d).__name__ for d in system.declarations] == ["Channels", "Channels", "Variables"]
    assert [process.name for process in system.processes] == ["P"]
