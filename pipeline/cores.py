"""How many cores this process may use: those that it is bound to, and what control groups leave it of them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

from buchi.pipeline.control_groups import MEMBERSHIP, ROOT, Group, groups


def cores() -> int:
    """Return how many threads of this process can run at a time; part of a core counts as one."""
    return max(1, min([len(os.sched_getaffinity(0)), *quotas()]))


def quotas(membership: Path = MEMBERSHIP, root: Path = ROOT) -> Iterator[int]:
    """Yield the cores that each control group with a quota leaves."""
    for group in groups("cpu", membership, root):
        quota, period = _quota(group)
        if quota is not None and period and quota > 0:
            yield math.ceil(quota / period)


def _quota(group: Group) -> tuple[int | None, int | None]:
    """Return the microseconds that a group may have in a period; None, or a negative number, is no limit."""
    if group.version == 1:
        return group.number("cpu.cfs_quota_us"), group.number("cpu.cfs_period_us")
    words = group.text("cpu.max").split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        return None, None
    return int(words[0]), int(words[1])
