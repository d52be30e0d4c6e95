"""Models that are made to hurt: each is read in linear time or refused with its place, and none runs what it holds."""

from __future__ import annotations

import re
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from runner import buchi

from buchi.common.errors import InputError
from buchi.models import backends, c_source, evaluate
from buchi.models.bytecode import interpreted
from buchi.models.dve import DVE, commands
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model


def load(text: str) -> Model:
    return DVE().load(text, "m.dve").model


def one(body: str, declared: str = "int x; byte a[5];", states: str = "q") -> str:
    """Return a model whose only process has these transitions."""
    return f"{declared} process P {{ state {states}; init q; trans {body}; }} system async;"


def effect(expression: str) -> str:
    return one(f"q -> q {{ effect x = {expression}; }}")


def refused(text: str) -> InputError:
    """Return why a model is refused; the message has a place and is not as long as the model."""
    with pytest.raises(InputError) as caught:
        load(text)
    assert caught.value.place is not None
    assert caught.value.place.line is not None
    assert len(str(caught.value)) < 2_000
    return caught.value


LONG = 21_000


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("x+(" * LONG + "x" + ")" * LONG, "nested too deeply"),
        ("x+(" * 1_000 + "x" + ")" * 1_000, "nested too deeply"),
        ("x+" * LONG + "x", "nested too deeply"),
        ("-" * LONG + "x", "nested too deeply"),
        ("not " * LONG + "x", "nested too deeply"),
        ("a[" * LONG + "0" + "]" * LONG, "nested too deeply"),
        ("(" * LONG + "x", "unexpected end|unexpected ';'"),
        ("9" * 5_000, "a number must be below"),
        ("P." + "9" * 5_000, "has no"),
        ("1" * LONG + "y", "unexpected"),
        ("y" * LONG, "unknown name"),
    ],
    ids=lambda text: text[:12],
)
def test_expressions_are_refused_with_their_place(expression: str, message: str) -> None:
    assert re.search(message, refused(effect(expression)).message)


def test_nesting_is_read_in_linear_time() -> None:
    """The inner parts were copied at every level: eight times the depth took sixty times as long."""

    def seconds(depth: int) -> float:
        text = effect("x+(" * depth + "x" + ")" * depth)
        start = time.process_time()
        refused(text)
        return time.process_time() - start

    assert seconds(40_000) < 30 * max(seconds(5_000), 0.05)


def test_long_lines_and_comments_are_read() -> None:
    assert load(effect("x + 1 /*" + "*" * 1_000_000 + "*/ + 2") + "//" + "y" * 1_000_000).commands


def test_a_long_comment_takes_no_memory() -> None:
    """The lexer kept a note of every character: a comment of 5 MB took a gigabyte."""
    text = effect("x") + "/*" + "*a" * 200_000 + "*/"
    tracemalloc.start()
    try:
        load(text)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_parentheses_alone_are_no_depth() -> None:
    model = load(effect("(" * LONG + "x" + ")" * LONG))
    assert Evaluator(model).successors(Evaluator(model).initial())


@pytest.mark.parametrize(
    "expression",
    [
        "+".join(["x"] * 19_000),
        "-" * 19_000 + "x",
        " imply ".join(["x"] * 9_000),
        "a[" * 3_000 + "0" + "]" * 3_000,
    ],
    ids=["sum", "minus", "imply", "indices"],
)
def test_what_is_not_refused_is_executed_by_all(expression: str) -> None:
    model = load(effect(expression))
    evaluator = Evaluator(model)
    expected = [(n, evaluator.pack(state)) for n, state in evaluator.successors(evaluator.initial())]
    assert interpreted(model).successors(evaluator.pack(evaluator.initial())) == expected


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("byte a[2147483647];", "not within"),
        ("byte a[" + "9" * 5_000 + "];", "below 2147483648"),
        ("channel {int} c[2147483647];", "not within"),
        ("byte " + ",".join(f"a{i}[65535]" for i in range(20)) + ";", "a state takes more than"),
        ("channel {" + ",".join(["int"] * 20) + "} c[65535];", "a state takes more than"),
        (
            "const byte " + ",".join(f"a{i}[65535] = {{1}}" for i in range(20)) + ";",
            "constant arrays have more",
        ),
        ("byte " + "n" * LONG + ";", "at most 255 characters"),
    ],
    ids=["array", "digits", "channel", "arrays", "fields", "tables", "name"],
)
def test_sizes_are_refused_with_their_place(declared: str, message: str) -> None:
    assert message in refused(declared + one("q -> q {}", "")).message


def rendezvous(sides: int) -> str:
    send, receive = (",".join([f"q -> q {{ sync c{sign}; }}"] * sides) for sign in "!?")
    return (
        f"channel c; process P {{ state q; init q; trans {send}; }}"
        f" process Q {{ state q; init q; trans {receive}; }} system async;"
    )


@pytest.mark.parametrize(
    "text",
    [
        rendezvous(200),
        one(",".join(["q -> q { sync c?; }"] * 3), "channel {byte} c[65535];"),
        rendezvous(30)
        .replace("sync c!", f"guard {'c0+' * 1000}c0; sync c!")
        .replace("channel", "byte c0; channel"),
    ],
    ids=["pairs", "buffers", "pairs of long guards"],
)
def test_what_multiplies_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MAX_SIZE", 300_000)
    assert "too large" in refused(text).message


def test_many_processes_are_read() -> None:
    one_process = "process P{} {{ state q; init q; trans q -> q {{}}; }}"
    model = load("".join(map(one_process.format, range(1_000))) + "system async;")
    assert len(model.commands) == 1_000
    assert not backends.is_tiny(
        load("byte " + ",".join(f"x{i}" for i in range(20_000)) + ";" + one("q -> q {}", ""))
    )


def test_many_committed_locations_are_read() -> None:
    names = [f"l{i}" for i in range(5_000)]
    text = one("q -> q {}", "", ",".join(["q", *names])).replace("trans", f"commit {','.join(names)}; trans")
    model = load(text)
    assert len(interpreted(model).successors(interpreted(model).initial)) == 1
    assert len(Evaluator(model).successors(Evaluator(model).initial())) == 1


def test_many_guards_of_a_property_are_refused() -> None:
    guards = ",".join(f"q -> q {{ guard x == {i}; }}" for i in range(2_000))
    text = one("q -> q {}").replace(
        "system async", f"process N {{ state q; init q; trans {guards}; }} system async property N"
    )
    assert "different guards" in refused(text).message


# What is run


HOSTILE = '*/ #include "/etc/passwd" \\\n??/ "); __import__("os").abort() #'


def renamed(model: Model) -> Model:
    """Return the same model with names that would be code wherever they were not quoted."""
    return replace(
        model,
        name=HOSTILE,
        variables=tuple(
            replace(v, name=f"{v.name}{HOSTILE}", values=tuple(f"{name}{HOSTILE}" for name in v.values))
            for v in model.variables
        ),
        commands=tuple(replace(command, name=HOSTILE) for command in model.commands),
        assertions=tuple(replace(assertion, name=HOSTILE) for assertion in model.assertions),
        constants={f"{name}{HOSTILE}": value for name, value in model.constants.items()},
    )


EVERYTHING = """
const int k = 3, t[3] = {1, 2, 3}; byte a[4]; int x; channel {int} c[2];
process P { state q, r; init q; commit r; assert q: x < 100;
    trans q -> r { guard a[x] == t[x]; sync c!x / 2 % 3; effect x = a[1] << 2; }, r -> q { sync c?x; }; }
process Q { state q; init q; trans q -> q { guard x == k; sync c?a[x]; effect x = -x; }; }
system async;
"""


def test_no_text_of_a_model_gets_into_c() -> None:
    model = load(EVERYTHING)
    assert c_source.c_source(renamed(model)) == c_source.c_source(model)


def test_nor_into_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def written(model: Model) -> list[str]:
        texts: list[str] = []
        monkeypatch.setattr(
            evaluate, "exec", lambda text, names: (texts.append(text), exec(text, names)), raising=False
        )
        evaluator = Evaluator(model)
        evaluator.successors(evaluator.initial())
        for command in model.commands:
            evaluator._writer.command(command)
        return texts

    model = load(EVERYTHING)
    assert written(model)
    assert written(renamed(model)) == written(model)


@pytest.mark.parametrize(
    "make",
    [
        lambda: effect("x+(" * LONG + "x" + ")" * LONG),
        lambda: effect("9" * 5_000),
        lambda: "byte a[2147483647];" + one("q -> q {}", ""),
        lambda: one("q -> q { effect x = 1", "int x;"),
    ],
    ids=["depth", "digits", "array", "end"],
)
def test_the_command_line_says_so_with_exit_code_2(tmp_path: Path, make: Callable[[], str]) -> None:
    model = tmp_path / "m.dve"
    model.write_text(make())
    ended = buchi("explore", model)
    assert ended.code == 2
    assert f"{model}:1:" in ended.err


def test_nested_indices_are_explored(tmp_path: Path) -> None:
    model = tmp_path / "m.dve"
    model.write_text(effect("a[" * 3_000 + "0" + "]" * 3_000))
    ended = buchi("explore", model, "--json")
    assert (ended.code, ended.json["states"]) == (0, 1)
