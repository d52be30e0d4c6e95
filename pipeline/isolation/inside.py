"""The side of the child: what it says, and the limits that it takes upon itself."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from buchi.pipeline.isolation.messages import FOREVER, HEAD, HEEDED, LIMIT, LIMITS, SO_FAR, STAGE
from buchi.pipeline.isolation.processes import PAGE, pages, resident
from buchi.pipeline.isolation.signals import SIGNALS, interrupt_main

FLOOR = 160 << 20
"""Bytes that a child may always take: the program itself."""
OVER = 1.04
"""How far above its limit the memory of a child may be before it is ended from outside."""


class _Self:
    """This process as a child: its line to the parent, and the memory it may have."""

    line: int | None = None
    inherited = 0
    """Bytes that it had from its parent when it began."""
    ceiling: int | None = None


def is_isolated() -> bool:
    """Does another process watch over this one?"""
    return _Self.line is not None


def say(kind: int, content: bytes = b"") -> None:
    """Tell the parent something; without one, nobody hears it."""
    if _Self.line is None:
        return
    message = memoryview(HEAD.pack(kind, len(content)) + content)
    while message:
        message = message[os.write(_Self.line, message) :]


def stage(what: str, *, reads: bool = False, has_others: bool = False) -> None:
    """Say what is done from now on; see `Stage`."""
    say(STAGE, bytes([reads, has_others]) + what.encode(errors="replace"))


def so_far(result: str) -> None:
    """Leave the JSON of a result `unknown`, for the case that this process must be ended."""
    say(SO_FAR, result.encode())


def limit(seconds: float | None, size: int | None) -> None:
    """Take limits upon this process from now on. `size` are the bytes it may have beyond what it began with."""
    if _Self.line is None:
        return
    if size is not None:
        _Self.ceiling = _Self.inherited + max(int(size * OVER), FLOOR)
        hold_memory()
    say(LIMIT, LIMITS.pack(FOREVER if seconds is None else seconds, _Self.ceiling or 0))


def begin_anew() -> None:
    """Count as inherited what this process has now: what it does next has the memory of a new one."""
    _Self.inherited = resident(os.getpid())


def memory_left() -> int | None:
    """Return the bytes that this process may yet take; None where nobody counts them."""
    return None if _Self.ceiling is None else max(1, _Self.ceiling - resident(os.getpid()))


def hold_memory() -> None:
    """Let the system refuse more memory than is left, since a look from outside may come too late."""
    left = memory_left()
    if left is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = pages(os.getpid(), 5) * PAGE + left
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))


@contextmanager
def memory_is_metered() -> Iterator[None]:
    """Let the engine reserve addresses: it counts the memory behind them by itself."""
    if _Self.ceiling is None:
        yield
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    try:
        yield
    finally:
        hold_memory()


def be_silent() -> None:
    """Let nothing that this process prints be seen."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    if nowhere > 2:
        os.close(nowhere)


def end_with(lifeline: int) -> None:
    """Have the kernel end this process when the other end of a pipe is closed: nobody is left who waits for it."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        if os.read(lifeline, 1) == b"":  # it was closed before the kernel had been asked
            os.kill(os.getpid(), signal.SIGKILL)


def begin(work: Callable[[], None], line: int, lifeline: int) -> None:
    """Become the child; never return."""
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        _Self.line, _Self.ceiling, _Self.inherited = line, None, resident(os.getpid())
        end_with(lifeline)
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, interrupt_main)
        work()
    finally:
        os._exit(0)


def begin_apart(lifeline: int, errors: int) -> None:
    """Become a worker that another process than that of its line watches over; what it prints are its last words."""
    if _Self.line is not None:
        os.close(_Self.line)
    _Self.line = _Self.ceiling = None
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    be_silent()
    os.dup2(errors, 2)
    end_with(lifeline)


def join_terminal() -> None:
    """Be among those whom the terminal belongs to: a child that has a group of its own may not read from it."""
    if is_isolated() and os.isatty(0):
        with suppress(OSError):
            os.setpgid(0, os.getpgid(os.getppid()))


NOTICE = 0.05
"""Seconds in which the parent, too, hears of an interrupt that came from the terminal."""


def heeded() -> None:
    """Tell that an interrupt was heeded, and that this process goes on: it is not to be ended for it."""
    if is_isolated():
        time.sleep(NOTICE)
        say(HEEDED)


def heed_interrupts() -> None:
    """Let interrupts come, in a child: from here on there is somebody who catches them."""
    if is_isolated():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
