"""Models that are made to hurt: each is read in linear time or refused with its place, and none runs what it holds."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from runner import buchi

from buchi.models import backends, c_source, evaluate
from buchi.models.backends import Backend, build
from buchi.models.bytecode import interpreted
from buchi.models.c_source import TooLargeError
from buchi.models.dve import DVE, commands
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.schemas.errors import InputError


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
    expected = [evaluator.pack(state) for _, state in evaluator.successors(evaluator.initial())]
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


# What is compiled


def buffer(capacity: int) -> str:
    return (
        f"channel {{int}} c[{capacity}]; int x;"
        " process P { state q; init q; trans q -> q { guard x < 1; sync c!7; }; }"
        " process Q { state q; init q; trans q -> q { sync c?x; }; } system async;"
    )


def test_a_large_buffer_is_compiled_at_once() -> None:
    model = load(buffer(65_535))
    assert len(c_source.c_source(model)) < 10_000
    build(model, Backend.COMPILED)


@pytest.mark.parametrize("capacity", [1, 2, 7, 8, 9, 10, 40])
def test_a_buffer_moved_as_a_block_moves_as_before(capacity: int) -> None:
    model = load(buffer(capacity))
    compiled, evaluator = backends.compiled(model), Evaluator(model)
    state = evaluator.initial()
    for _ in range(2 * capacity):
        expected = [evaluator.pack(successor) for _, successor in evaluator.successors(state)]
        assert compiled.successors(evaluator.pack(state)) == expected
        assert interpreted(model).successors(evaluator.pack(state)) == expected
        state = evaluator.unpack(expected[0])


@pytest.mark.parametrize("size", [100, 700, 16_000])
def test_functions_of_bounded_size_agree_with_the_reference(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Whatever the size, the successors come in the order of the commands."""
    monkeypatch.setattr(c_source, "PIECE", size)
    monkeypatch.setattr(c_source, "DIRECT_CALLS", 1)
    body = ",".join(
        f"q -> {to} {{ effect x = x + {i}; }}, r -> q {{ guard x % 3 == {i % 3}; }}"
        for i, to in enumerate("qrqrqr")
    )
    text = one(body, states="q, r").replace(
        "system", "process R { state a; init a; assert a: x < 9; trans a -> a {}; } system"
    )
    model = load(text)
    compiled, evaluator = backends.compiled(model), Evaluator(model)
    seen, pending = set(), [evaluator.initial()]
    while pending:
        state = pending.pop()
        if state in seen or state[0] >= 9:
            continue
        seen.add(state)
        after = [successor for _, successor in evaluator.successors(state)]
        assert compiled.successors(evaluator.pack(state)) == [evaluator.pack(s) for s in after]
        pending += after
    assert len(seen) > 10


@pytest.mark.parametrize(
    "text",
    [
        effect("a[" * 3_000 + "0" + "]" * 3_000),
        effect("+".join(["x"] * 10_000)),
        one("q -> q { effect " + ",".join(["x = x + 1"] * 5_000) + "; }"),
        one(",".join(f"q -> q {{ guard x == {i}; effect x = {i}; }}" for i in range(1_000))),
    ],
    ids=["indices", "sum", "effects", "commands"],
)
def test_what_would_keep_a_compiler_busy_is_interpreted(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_source, "WHOLE", 100_000)
    model = load(text)
    with pytest.raises(TooLargeError, match="too large for a compiler"):
        c_source.c_source(model)
    built = build(model)
    assert built.backend is Backend.INTERPRETED
    assert "too large for a compiler" in str(built.note)
    with pytest.raises(InputError, match="too large for a compiler"):
        build(model, Backend.COMPILED)


@pytest.fixture
def slow_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler that starts another process, as they do, and never ends."""
    compiler, started = tmp_path / "slow-cc", tmp_path / "started"
    compiler.write_text(f"#!/bin/sh\nsleep 600 & echo $! > {started}.new; mv {started}.new {started}; wait\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    return started


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1][:3]
    except OSError:
        return False


def ends(pid: int) -> bool:
    """Wait until a process has ended; a signal takes a moment."""
    for _ in range(100):
        if not is_running(pid):
            return True
        time.sleep(0.02)
    return False


def test_a_compiler_that_takes_too_long_is_ended_with_all_it_started(
    slow_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backends, "SECONDS", 0.5)
    built = build(load(buffer(3)))
    assert "took more than 0.5 seconds" in str(built.note)
    assert ends(int(slow_compiler.read_text()))


def test_so_it_is_when_the_user_interrupts(slow_compiler: Path) -> None:
    def interrupt() -> None:
        while not slow_compiler.exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        build(load(buffer(3)))
    thread.join()
    assert ends(int(slow_compiler.read_text()))


def test_so_it_is_when_we_are_killed(slow_compiler: Path) -> None:
    child = os.fork()
    if child == 0:
        build(load(buffer(3)))
        os._exit(0)
    while not slow_compiler.exists():
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert ends(int(slow_compiler.read_text()))


def test_a_compiler_has_limits_in_time_and_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n(ulimit -t; ulimit -v) > {tmp_path}/limits\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    assert build(load(buffer(3))).backend is Backend.INTERPRETED
    seconds, kilobytes = map(int, (tmp_path / "limits").read_text().split())
    assert (seconds, kilobytes) <= (backends.SECONDS, backends.KILOBYTES)


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
