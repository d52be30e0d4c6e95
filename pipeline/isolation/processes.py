"""What the system knows of a process."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress

PAGE = resource.getpagesize()


def resident(pid: int) -> int:
    """Return the bytes of memory that a process has."""
    return pages(pid, 1) * PAGE


def pages(pid: int, column: int) -> int:
    """Return a column of the memory statistics of a process: 1 is what is resident, 5 is data and stack."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[column])
    except (OSError, IndexError):
        return 0


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                children = [int(child) for child in file.read().split()]
            found += [one for child in children for one in (child, *descendants(child))]
    return found


def signal_name(number: int) -> str:
    """Return the name of a signal; those for real time have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
