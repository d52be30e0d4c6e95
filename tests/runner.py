"""Runs the command line, and things to run it on."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

from buchi.pipeline.cli import app as cli
from buchi.pipeline.cli.guard import wants_json
from buchi.pipeline.isolation import descendants

ROOT = Path(__file__).parent.parent
PETERSON = ROOT / "examples" / "peterson.dve"

COUNTER = """
byte x, y, z;
process Count {
    state go;
    init go;
    trans
        go -> go { guard x < 255; effect x = x + 1 + (y - y); },
        go -> go { guard y < 255; effect y = y + 1 + (z - z); },
        go -> go { guard z < 255; effect z = z + 1 + (x - x); };
}
system async;
"""
"""16.7 million states: seconds of search. Each step reads what another writes, so that none can be left out."""


def long_run(thousands: int) -> str:
    """Return a model with one run, of so many thousand steps until it ends."""
    return f"""
int x, y;
process P {{
    state s;
    init s;
    trans
        s -> s {{ guard x < 999; effect x = x + 1 + (y - y); }},
        s -> s {{ guard x == 999 && y < {thousands - 1}; effect x = 0, y = y + 1; }};
}}
system async;
"""


_VALUES = [f'"gave_way == {i}"' for i in range(8)]
BLOW_UP = " || ".join(f"(GF {a} <-> G ({b} -> XXX F ({a} U {b})))" for a, b in pairwise(_VALUES))
"""A formula that Spot does not translate in any time that a test could wait."""


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The object on standard output; fails when there is anything else."""
        return json.loads(self.out)


def buchi(*arguments: object, **environment: str) -> Ended:
    """Run `buchi` with the arguments, in this process, in an environment with these changes."""
    out, err = io.StringIO(), io.StringIO()
    changed = mock.patch.dict(os.environ, {"COLUMNS": "100", **environment})
    words = [*map(str, arguments)]
    with changed, redirect_stdout(out), redirect_stderr(err):
        code = cli.command(words, wants_json(words))
    return Ended(code, out.getvalue(), err.getvalue())


def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start `buchi` in a process of its own."""
    return _start([sys.executable, "-m", "buchi", *map(str, arguments)], environment)


def start_installed(*arguments: object) -> subprocess.Popen[str]:
    """Start `buchi` as users do: by the command that was installed."""
    return _start([str(Path(sys.executable).parent / "buchi"), *map(str, arguments)], {})


def _start(words: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100", **environment},
    )
    _started.append(process)
    return process


_started: list[subprocess.Popen[str]] = []


def end_all() -> None:
    """End what a test has started and, since it failed, not waited for."""
    for process in _started:
        if process.returncode is None:
            process.kill()
            process.communicate()
    _started.clear()


def worker(process: subprocess.Popen[str]) -> int | None:
    """Return the child in which a command does its work, once there is one."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return int(children[0]) if children else None


def is_searching(process: subprocess.Popen[str]) -> bool:
    """Has the search of a command begun? It has a thread of its own."""
    child = worker(process)
    return child is not None and len(os.listdir(f"/proc/{child}/task")) > 1


def finish(process: subprocess.Popen[str]) -> Ended:
    """Wait for the end of a process; there is never a traceback."""
    try:
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()  # a test that fails leaves nothing running
    assert "Traceback" not in err
    return Ended(process.returncode, out, err)


def peak(*arguments: object) -> tuple[int, int]:
    """Return the exit code of `buchi`, and the largest memory that it and its children had together.

    What the system tells of a process that has ended includes the memory of the one that started it.
    """
    words = [sys.executable, "-m", "buchi", *map(str, arguments)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        most = max(most, sum(map(_own_memory, [process.pid, *descendants(process.pid)])))
        time.sleep(0.005)
    return process.returncode, most


def _own_memory(pid: int) -> int:
    """Return the memory that is a process's own: what it shares with others is counted with them."""
    with suppress(OSError, IndexError):
        columns = Path(f"/proc/{pid}/statm").read_text().split()
        return (int(columns[1]) - int(columns[2])) * os.sysconf("SC_PAGE_SIZE")
    return 0
