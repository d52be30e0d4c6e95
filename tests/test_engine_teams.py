"""What workers share, as a program in C++: under contention, and by steps in an order that can be repeated."""

from __future__ import annotations

import subprocess
from pathlib import Path

PROGRAM = Path(__file__).parent / "engine" / "teams.sh"


def test_what_workers_share_is_what_one_would_have() -> None:
    ended = subprocess.run([PROGRAM, "1"], capture_output=True, text=True, timeout=500)
    assert (ended.returncode, ended.stderr) == (0, "")
