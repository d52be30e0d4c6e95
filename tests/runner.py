"""Runs the command line, and things to run it on."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from buchi.pipeline.cli import app

ROOT = Path(__file__).parent.parent
PETERSON = ROOT / "examples" / "peterson.dve"

COUNTER = """
byte x, y, z;
process Count {
    state go;
    init go;
    trans
        go -> go { guard x < 255; effect x = x + 1; },
        go -> go { guard y < 255; effect y = y + 1; },
        go -> go { guard z < 255; effect z = z + 1; };
}
system async;
"""
"""16.7 million states: seconds of search."""

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
    with changed, redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        app([*map(str, arguments)], prog_name="buchi")
    assert isinstance(end.value.code, int)
    return Ended(end.value.code, out.getvalue(), err.getvalue())


def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start `buchi` as users do: in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "buchi", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100", **environment},
    )


def finish(process: subprocess.Popen[str]) -> Ended:
    """Wait for the end of a process; there is never a traceback."""
    try:
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()  # a test that fails leaves nothing running
    assert "Traceback" not in err
    return Ended(process.returncode, out, err)
