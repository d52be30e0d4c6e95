"""What a record tells of the world around a run: versions, machine, processor time and memory of the process."""

from __future__ import annotations

import os
import platform
import re
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from buchi.common.errors import InputError
from buchi.pipeline.experiments.run import digest

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


@cache
def versions() -> dict[str, str]:
    """Return the versions that may matter."""
    return {
        "buchi": version("buchi"),
        "spot": version("spottl"),
        "python": platform.python_version(),
    }


@cache
def machine() -> dict[str, str]:
    """Return what kind of machine this is; its name stays private."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor() or platform.machine(),
        "cores": str(os.cpu_count()),
    }


def _processor() -> str | None:
    try:
        match = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        return None
    return match[1] if match else None


def check_unchanged(text: str, expected: str, name: str) -> None:
    """Refuse a file that is no longer what it was when the experiment was planned. Raises InputError."""
    if digest(text) != expected:
        raise InputError(f"{name} has changed since the experiment was started", suggestion="run it again")


class Clock:
    """Measures processor time and peak memory of this process from now on."""

    def __init__(self) -> None:
        self._start = time.process_time()
        with suppress(OSError):
            _CLEAR.write_text("5")  # the peak begins anew

    def cpu_seconds(self) -> float:
        """Return the processor time of all threads since then."""
        return time.process_time() - self._start

    def peak_bytes(self) -> int | None:
        """Return the most memory that the process, with all it keeps for later runs, had since then."""
        try:
            match = re.search(r"^VmHWM:\s*(\d+) kB", _STATUS.read_text(), re.MULTILINE)
        except OSError:
            return None
        return int(match[1]) * 1024 if match else None
