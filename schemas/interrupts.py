"""Keeps interrupts from where they would be lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[None]:
    """Let an interrupt wait.

    Raised while modules are loaded, some of them swallow or disguise it; raised among the functions that Python runs
    at a fork, it is lost.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
