"""Signals at many random moments, from the first on: the right exit code, nothing lost or doubled, nobody left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from experiment_files import LONG, TINY, assert_complete, is_alive, records, wait_for, write
from runner import COUNTER, PETERSON, buchi
from runner import start_installed as start

from buchi.common.errors import InputError
from buchi.pipeline.isolation import descendants

CHECK = ["check", str(PETERSON), "--ltl", "G F A.critical", "--json"]
COMPARE = ["compare", str(PETERSON), "--ltl", "G !(A.critical && B.critical)", "--json"]
NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def strike(process: subprocess.Popen[str], number: int, after: float) -> str:
    """Send a signal at a moment, and return the output; whatever it is, no process may be left."""
    end = time.monotonic() + after
    seen: set[int] = set()
    while time.monotonic() < end and process.poll() is None:
        seen.update(descendants(process.pid))
        time.sleep(0.01)
    process.send_signal(number)
    seen.update(descendants(process.pid))
    out, err = process.communicate(timeout=60)
    wait_for(lambda: not any(map(is_alive, seen)), seconds=10)
    assert "Traceback" not in err
    return out


def moments(name: str, count: int, seconds: float) -> list[tuple[int, float]]:
    """Return signals and when to send them."""
    rng = random.Random(name)
    return [(rng.choice(NUMBERS), seconds * rng.random()) for _ in range(count)]


def died_of(process: subprocess.Popen[str], number: int) -> bool:
    """Did a process end by the signal itself? So it does by SIGKILL, and where its program had not begun yet."""
    return process.returncode == -number


def check_answer(arguments: list[str], number: int, after: float) -> None:
    process = start(*arguments)
    out = strike(process, number, after)
    if died_of(process, number):
        return
    assert process.returncode in (0, 1, 3)
    answer = json.loads(out)
    assert process.returncode != 3 or "interrupted" in json.dumps(answer)


@pytest.mark.parametrize("arguments", [CHECK, COMPARE], ids=["check", "compare"])
def test_of_a_verdict(arguments):
    for number, after in moments(arguments[0], 3, 2.0):
        check_answer(arguments, number, after)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [CHECK, COMPARE], ids=["check", "compare"])
def test_of_a_verdict_very_often(arguments):
    for number, after in moments(f"{arguments[0]} often", 100, 1.5):
        check_answer(arguments, number, after)


TEAMS = {
    "two workers": ["check", "--workers", "2"],
    "four workers": ["check", "--workers", "4"],
    "race": ["check", "--race", "--workers", "3"],
    "isolate": ["check", "--isolate"],
    "jobs": ["compare", "--jobs", "2", "--via", "tgba"],
}
"""Commands with several threads or processes."""


def strike_anybody(folder: Path, name: str, count: int, seconds: float) -> set[str]:
    """Send signals to a command, or kill one of its processes; return the verdicts and reasons that came of it."""
    model = folder / "counter.dve"
    model.write_text(COUNTER.replace("z < 255", "z < 8"))
    command, *options = TEAMS[name]
    told: set[str] = set()
    rng = random.Random(f"anybody {name} {count}")
    for number, after in moments(name, count, seconds):
        process = start(command, model, "--ltl", "G x <= 255", *options, "--json")
        is_below = rng.random() < 0.5
        out = strike_below(process, rng, after) if is_below else strike(process, number, after)
        told.add(_told(process, number, out))
    return told


def strike_below(process: subprocess.Popen[str], rng: random.Random, after: float) -> str:
    """Kill one of the processes that a command has at a moment."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(after)
    below = descendants(process.pid)
    if below:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(below), signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    wait_for(lambda: not any(map(is_alive, below)), seconds=10)
    assert "Traceback" not in err
    return out


def _told(process: subprocess.Popen[str], number: int, out: str) -> str:
    """Return the verdict or reason that a command told: it holds, or nothing is known for a reason there is."""
    if died_of(process, number):
        return "nothing"
    answer = json.loads(out)
    if "error" in answer:  # it had not come so far that there was a verdict to tell of
        assert process.returncode == 3, answer
        return "nothing"
    if answer["verdict"] == "holds":
        assert process.returncode == (3 if answer.get("interrupted") else 0)
        return "holds"
    assert (process.returncode, answer["verdict"]) == (3, "unknown")
    reason = answer.get("reason") or ("interrupted" if answer["interrupted"] else "memory")
    assert reason in ("interrupted", "memory"), answer
    return str(reason)


@pytest.mark.parametrize("name", TEAMS)
def test_of_many_threads_and_processes(tmp_path, name):
    strike_anybody(tmp_path, name, 2, 2.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEAMS)
def test_of_many_threads_and_processes_very_often(tmp_path, name):
    told = strike_anybody(tmp_path, name, 40, 2.0)
    assert told >= {"interrupted"} | ({"memory"} if name != "jobs" else {"holds"})  # one route is not all


def conduct(folder: Path, count: int) -> None:
    path = write(folder, LONG)
    for number, after in moments(f"run {count}", count, 4.0):
        process = start("run", path, "--processes", "2")
        strike(process, number, after)
        assert died_of(process, number) or process.returncode in (0, 3)
    try:
        before = records(path)
    except InputError:  # it never came to a result
        before = []
    assert buchi("run", path, "--processes", "1").code == 0
    assert_complete(path, before)


def test_of_an_experiment(tmp_path):
    conduct(tmp_path, 2)


@pytest.mark.slow
def test_of_an_experiment_very_often(tmp_path):
    for part in range(5):
        (tmp_path / str(part)).mkdir()
        conduct(tmp_path / str(part), 10)


def publish(folder: Path, count: int) -> None:
    path = write(folder, TINY)
    assert buchi("run", path, "--processes", "1").code == 0
    page = folder / "page.html"
    page.write_text("the page of before")
    for number, after in moments(f"report {count}", count, 2.0):
        process = start("report", path.with_suffix(".sqlite"), "--html", page)
        strike(process, number, after)
        assert died_of(process, number) or process.returncode in (0, 3)
        assert page.read_text() == "the page of before" or page.read_text().rstrip().endswith("</html>")


def test_of_a_report(tmp_path):
    publish(tmp_path, 2)


@pytest.mark.slow
def test_of_a_report_very_often(tmp_path):
    publish(tmp_path, 50)
