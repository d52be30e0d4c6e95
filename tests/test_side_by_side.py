"""Routes of a comparison in processes of their own: the table is the same, and a death is one row."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing
from dataclasses import dataclass

import pytest
from experiment_files import is_alive, wait_for
from runner import PETERSON, buchi, finish, start

import buchi as library
from buchi.common.ends import Limits
from buchi.common.errors import InputError
from buchi.pipeline import isolation
from buchi.pipeline.executors import local
from buchi.pipeline.isolation import descendants

HOLDS = ["compare", PETERSON, "--ltl", "G !(A.critical && B.critical)"]
VIOLATED = ["compare", PETERSON, "--ltl", "G F A.critical"]
TIMES = ("seconds", "bytes")
"""What no two runs have in common."""


def rows(ended) -> list[dict[str, object]]:
    return [{k: v for k, v in row.items() if k not in TIMES} for row in ended.json["rows"]]


class TestTheTable:
    @pytest.mark.parametrize("how", [["--jobs", "3"], ["--isolate"], ["--jobs", "auto"]], ids=" ".join)
    @pytest.mark.parametrize(
        "arguments", [HOLDS, VIOLATED, [*HOLDS, "--via", "ta"]], ids=["holds", "violated", "ta"]
    )
    def test_is_the_same(self, arguments, how):
        alone, beside = buchi(*arguments, "--json"), buchi(*arguments, "--json", *how)
        assert (alone.code, rows(alone)) == (beside.code, rows(beside))
        assert beside.json["interrupted"] is False

    def test_is_that_of_python(self):
        found = library.compare(PETERSON, "G F A.critical", jobs=2)
        alone = library.compare(PETERSON, "G F A.critical")
        assert [(r.kind, r.checker, r.states) for r in found.rows] == [
            (r.kind, r.checker, r.states) for r in alone.rows
        ]

    def test_an_error_of_the_model_is_told_as_ever(self, tmp_path):
        path = tmp_path / "fails.dve"
        path.write_text(
            "byte x; process P { state s; init s;"
            " trans s -> s { effect x = x + 1 + 0 / (3 - x); }; } system async;"
        )
        given = ["compare", path, "--ltl", "G x <= 255", "--json"]
        alone, beside = buchi(*given), buchi(*given, "--jobs", "2")
        assert (alone.code, alone.json) == (beside.code, beside.json)
        with pytest.raises(InputError, match="division by zero"):
            library.compare(path, "G x <= 255", jobs=2)

    def test_limits_hold_for_each_route(self, counter):
        given = ["compare", counter, "--ltl", "G x <= 255", "--via", "tgba", "--json"]
        ended = buchi(*given, "--jobs", "2", "--max-states", "1000")
        taken = [row for row in ended.json["rows"] if row["verdict"]]
        assert (ended.code, {row["reason"] for row in taken}) == (3, {"states"})

    @pytest.mark.parametrize("text", ["0", "many", "29"])
    def test_what_is_no_number(self, text):
        ended = buchi(*HOLDS, "--jobs", text)
        assert (ended.code, f"--jobs {text} is not a number" in ended.err) == (2, True)


class TestDeaths:
    @pytest.mark.parametrize(
        ("action", "told"),
        [
            ("os._exit(0)", "error: the worker died (exit code 0)"),
            ("os.kill(os.getpid(), signal.SIGSEGV)", "error: the worker died (SIGSEGV)"),
            ("os.kill(os.getpid(), signal.SIGKILL)", "error: the worker died (SIGKILL)"),
            ("sys.exit(1)", "error: the worker died (exit code 1): SystemExit: 1"),
            ("raise ValueError('words')", "error: the worker died (exit code 1): ValueError: words"),
            ("bytearray(1 << 50)", "unknown: memory"),
        ],
    )
    def test_one_is_one_row(self, plugin, action, told):
        given = [*HOLDS, "--via", "tgba", "--jobs", "2"]
        ended = finish(start(*given, **plugin(action)))
        line = next(line for line in ended.out.splitlines() if line.startswith("  evil"))
        assert (ended.code, line.endswith(told)) == (0, True), ended
        others = finish(start(*given)).out.splitlines()
        assert len(ended.out.splitlines()) == len(others) + 1

    def test_one_that_never_returns(self, plugin):
        given = [*HOLDS, "--via", "tgba", "--jobs", "2", "--timeout", "1", "--json"]
        ended = finish(start(*given, **plugin("while True: pass")))
        (evil,) = [row for row in ended.json["rows"] if row["checker"] == "evil"]
        assert (ended.code, evil["verdict"], evil["reason"]) == (0, "unknown", "time")

    def test_one_that_takes_more_than_its_memory(self, plugin):
        given = [*HOLDS, "--via", "tgba", "--jobs", "2", "--max-memory", "50MB", "--json"]
        action = "rows = [bytearray(b'x' * (1 << 20)) for _ in range(300)] or time.sleep(60)"
        ended = finish(start(*given, **plugin(action)))
        (evil,) = [row for row in ended.json["rows"] if row["checker"] == "evil"]
        assert (ended.code, evil["verdict"], evil["reason"]) == (0, "unknown", "memory")

    def test_of_a_process_from_outside(self, counter):
        process = start("compare", counter, "--ltl", "G x <= 255", "--via", "tgba", "--jobs", "2", "--json")
        wait_for(lambda: len(descendants(process.pid)) >= 4)
        os.kill(descendants(process.pid)[-1], signal.SIGKILL)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        errors = [row["error"] for row in ended.json["rows"] if row["error"]]
        assert (ended.code, errors) == (3, ["the worker died (SIGKILL)"])

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
    def test_no_process_is_left(self, counter, number):
        process = start("compare", counter, "--ltl", "G x <= 255", "--via", "tgba", "--jobs", "2")
        wait_for(lambda: len(descendants(process.pid)) >= 4)
        ours = descendants(process.pid)
        process.send_signal(number)
        process.communicate(timeout=30)
        wait_for(lambda: not any(map(is_alive, ours)), seconds=2)


LOCK = threading.Lock()
LIMITS = Limits(seconds=5)


@dataclass(frozen=True)
class Locking:
    """A job that dies, or else needs a lock."""

    number: int
    places: int = 1
    limits: Limits = LIMITS

    @property
    def key(self) -> str:
        return str(self.number)

    def execute(self, here) -> tuple[str]:
        here.begin()
        if self.number == 0:
            os._exit(1)
        with LOCK:
            return ("done",)

    def out_of_bounds(self, _started, reason, _message) -> tuple[str]:
        return (reason.value,)

    def lost(self, _started, _message) -> tuple[str]:
        return ("lost",)

    failed = lost


def test_no_process_is_born_with_a_lock_that_nobody_opens(monkeypatch):
    """The one that takes the place of the first would be made while its outcome is looked at under the lock."""
    fork = isolation.fork
    monkeypatch.setattr(isolation, "fork", lambda: time.sleep(0.2) or fork())
    found = []
    with closing(local.execute(map(Locking, range(3)), 1, {})) as outcomes:
        for outcome in outcomes:
            if outcome is not None:
                with LOCK:
                    time.sleep(0.5)
                found += outcome
    assert found == ["lost", "done", "done"]
