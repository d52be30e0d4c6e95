"""Keeps interrupts from where they would be lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back(*, for_good: bool = False) -> Iterator[None]:
    """Let an interrupt wait; `for_good` also after the block, where nothing but the end is left to come.

    Raised while modules are loaded, some of them swallow or disguise it; raised among the functions that Python runs
    at a fork, it is lost.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        if not for_good:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
