"""What a hostile model can make of the compiler: it is bounded, it ends with us, and what it makes is right."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from test_hostile_models import effect, load, one

from buchi.common.errors import InputError
from buchi.models import backends, c_source
from buchi.models.backends import Backend, build
from buchi.models.bytecode import interpreted
from buchi.models.c_source import TooLargeError
from buchi.models.evaluate import Evaluator


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
        expected = [(n, evaluator.pack(successor)) for n, successor in evaluator.successors(state)]
        assert compiled.successors(evaluator.pack(state)) == expected
        assert interpreted(model).successors(evaluator.pack(state)) == expected
        state = evaluator.unpack(expected[0][1])


@pytest.mark.parametrize("size", [100, 700, 400_000])
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
        after = evaluator.successors(state)
        assert compiled.successors(evaluator.pack(state)) == [(n, evaluator.pack(s)) for n, s in after]
        pending += [successor for _, successor in after]
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
