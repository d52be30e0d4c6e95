"""Requests to end, in a process that watches and in one that is watched."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A request to end. CPython ends a process whose KeyboardInterrupt passed through `exec` by a signal."""


QUIET = 2.0
"""Seconds in which further interrupts do not disturb the end that the first one began."""
_interrupted_at = float("-inf")


def interrupt_main(_signal: int, _frame: object) -> None:
    """Interrupt; again only if that has led to no end, since Python drops exceptions in some places."""
    global _interrupted_at
    if time.monotonic() - _interrupted_at > QUIET:
        _interrupted_at = time.monotonic()
        raise Interrupted


@contextmanager
def interrupts_call(action: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C and requests to terminate call `action` meanwhile: an exception could strike just anywhere."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heeded = {n: h for n in SIGNALS if (h := signal.getsignal(n)) is not signal.SIG_IGN}
    for number in heeded:
        signal.signal(number, lambda *_: action())
    try:
        yield
    finally:
        for number, handler in heeded.items():
            signal.signal(number, handler)
