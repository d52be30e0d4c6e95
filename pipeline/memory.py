"""How much memory a search may take, so that it ends with `unknown` and never by the kernel's hand.

The least of what the machine has free, what the control groups around this process leave it, and its own
resource limit.
"""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from pathlib import Path

from buchi.common.errors import InputError
from buchi.pipeline.control_groups import MEMBERSHIP, ROOT, Group, groups

SHARE = 0.9
"""The part of the free memory that a search may take; the rest is for the process and its neighbours."""
ADDRESS_RESERVE = 256 << 20
"""Address space that threads and libraries take beside the search; it counts only where address space is limited."""

_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SIZE = re.compile(r"\s*(\d{1,30}(?:\.\d{1,30})?)\s*([kmgt]?)(i?)(b?)\s*", re.IGNORECASE | re.ASCII)
_HOW = "give it as 500MB, 2GiB or a number of bytes"
MOST_BYTES = 1 << 60
"""More than any machine has, and still a number of the engine and of the kernel."""


def default_limit() -> int:
    """Return the bytes a search may take when the user sets no limit."""
    return max(1, int(SHARE * min(_free_bytes())))


def parse_size(given: str | int) -> int:
    """Return the bytes of a size such as `2GiB`, `500MB`, `1.5G` (a binary unit) or a plain number."""
    size = given if isinstance(given, int) else _read_size(given)
    if size < 1:
        raise InputError("this size leaves no memory", suggestion=_HOW)
    if size > MOST_BYTES:
        raise InputError(f"this size is more than {format_size(MOST_BYTES)}", suggestion=_HOW)
    return size


def _read_size(text: str) -> int:
    match = _SIZE.fullmatch(text)
    if match is None or not (match[2] or not match[3]):
        raise InputError(f"{text[:40]!r} is not a size", suggestion=_HOW)
    base = 1000 if match[4] and match[2] and not match[3] else 1024
    return int(float(match[1]) * base ** _UNITS[match[2].lower()])


def format_size(size: int) -> str:
    """Return a size as people read it."""
    value, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB", "EiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def _free_bytes() -> Iterator[int]:
    yield _machine_free(Path("/proc/meminfo"))
    yield from control_group_free()
    yield from _resource_free()


def _machine_free(meminfo: Path) -> int:
    try:
        match = re.search(r"^MemAvailable:\s*(\d+) kB", meminfo.read_text(), re.MULTILINE)
    except OSError:
        match = None
    return int(match[1]) * 1024 if match else 1 << 62


def control_group_free(membership: Path = MEMBERSHIP, root: Path = ROOT) -> Iterator[int]:
    """Yield what each control group (version 1 or 2) around this process leaves it."""
    for group in groups("memory", membership, root):
        limit, usage, reclaimable = _FILES[group.version]
        maximum, used = group.number(limit), group.number(usage)
        if maximum is not None and used is not None:
            yield max(0, maximum - used + _statistic(group, reclaimable))


_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}
"""Where a group tells its limit and its use, and what it could give back."""


def _statistic(group: Group, name: str) -> int:
    match = re.search(rf"^{name} (\d+)", group.text("memory.stat"), re.MULTILINE)
    return int(match[1]) if match else 0


def _resource_free() -> Iterator[int]:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        yield max(0, limit - pages * resource.getpagesize() - ADDRESS_RESERVE)
