"""The side of the parent: a child that it started, listens to, limits and ends."""

from __future__ import annotations

import os
import select
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from buchi.common.ends import Reason
from buchi.pipeline.isolation.inside import begin
from buchi.pipeline.isolation.messages import FOREVER, HEAD, HEEDED, LIMIT, LIMITS, SO_FAR, STAGE, Stage
from buchi.pipeline.isolation.processes import descendants, resident, signal_name
from buchi.pipeline.isolation.signals import SIGNALS

TICK = 0.05
"""Seconds between two looks at a child."""
GRACE = 0.6
"""Seconds beyond its time that a child has to end by itself."""
FAREWELL = 0.8
"""Seconds that a child has to end by itself after it was interrupted, and ten times that if it has others to end."""
PATIENCE = 4
"""Interrupts after which a child is not waited for."""


class Death(NamedTuple):
    """How a child ended that had no answer.

    `reason` is what it had to end for, and None where it crashed.
    """

    stage: Stage
    reason: Reason | None
    how: str
    seconds: float

    def __str__(self) -> str:
        if self.reason is None:
            return f"{self.stage.what} ended in a crash ({self.how})"
        return f"{_WORDS[self.reason]} while {self.stage.what}"


_WORDS = {
    Reason.TIME: "the time limit was reached",
    Reason.MEMORY: "memory ran out",
    Reason.INTERRUPTED: "interrupted",
}


class Child:
    """A forked process, as its parent sees it."""

    def __init__(self, work: Callable[[], None], farewell: float = FAREWELL) -> None:
        """Start `work` in a child; interrupts stay blocked in it until it calls `heed_interrupts`."""
        line, said = os.pipe()
        watched, lifeline = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self.pid = fork()
            if self.pid == 0:
                os.close(line)
                os.close(lifeline)
                begin(work, said, watched)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(said)
        os.close(watched)
        self._line, self._lifeline, self._farewell = line, lifeline, farewell
        self._heard = bytearray()
        self._started = time.monotonic()
        self._ends: float | None = None
        self._ceiling = 0
        self._interrupts = 0
        self._interrupted = 0.0
        self._killed: Reason | None = None
        self.stage = Stage("starting")
        self.so_far: bytes | None = None

    def hear(self) -> tuple[int, bytes] | None:
        """Return the next thing that the child says to whoever started it; None when it will say no more."""
        while True:
            message = self._next_message()
            if message is None and not self._listen():
                return None
            if message is not None and not self._takes_note(*message):
                return message

    def interrupt(self) -> None:
        """Ask the child to end; if it is asked too often, or does not, it is ended."""
        self._interrupts += 1
        if self._interrupts > PATIENCE or not self._farewell:
            self._kill(Reason.INTERRUPTED)
        elif self._interrupts == 1:
            self._interrupted = time.monotonic()
            self._send(signal.SIGINT)

    def wait_longer(self, seconds: float) -> None:
        """Do not count time that the child did not have."""
        if self._ends is not None:
            self._ends += seconds

    def let_finish(self) -> None:
        """Let the child end in its own time: it has done its work and only tells it."""
        self._ends = None

    def pause(self, number: int) -> None:
        """Stop the child, or let it go on."""
        self._send(number, group=True)

    def end(self) -> Death:
        """End the child and all it has started; return how it died, if it did."""
        self._send(signal.SIGKILL, group=True)
        _, status, used = os.wait4(self.pid, 0)
        os.close(self._line)
        os.close(self._lifeline)
        return self._death(status, used.ru_maxrss * 1024)

    def _next_message(self) -> tuple[int, bytes] | None:
        if len(self._heard) < HEAD.size:
            return None
        kind, size = HEAD.unpack_from(self._heard)
        end = HEAD.size + size
        if len(self._heard) < end:
            return None
        content = bytes(self._heard[HEAD.size : end])
        del self._heard[:end]
        return kind, content

    def _listen(self) -> bool:
        """Wait for more; return whether there may be any."""
        listener = select.poll()
        listener.register(self._line, select.POLLIN)
        while not listener.poll(TICK * 1000):
            self._look()
        heard = os.read(self._line, 1 << 16)
        self._heard += heard
        return bool(heard)

    def _takes_note(self, kind: int, content: bytes) -> bool:
        """Keep what is for the one who watches."""
        if kind == STAGE:
            self.stage = Stage(content[2:].decode(), bool(content[0]), bool(content[1]))
        elif kind == LIMIT:
            seconds, self._ceiling = LIMITS.unpack(content)
            self._ends = None if seconds == FOREVER else time.monotonic() + seconds + GRACE
        elif kind == SO_FAR:
            self.so_far = content
        elif kind == HEEDED:
            self._interrupts = 0
        else:
            return False
        return True

    def _look(self) -> None:
        """End the child if it is over a limit."""
        now = time.monotonic()
        if self._ends is not None and now > self._ends:
            self._kill(Reason.TIME)
        elif self._ceiling and resident(self.pid) > self._ceiling:
            self._kill(Reason.MEMORY)
        elif self._interrupts and now > self._interrupted + self._time_to_end():
            self._kill(Reason.INTERRUPTED)

    def _time_to_end(self) -> float:
        return self._farewell * (10 if self.stage.has_others else 1)

    def _kill(self, reason: Reason) -> None:
        """End the child and its descendants, those in groups of their own too; stopped, it starts no more of them."""
        self._killed = self._killed or reason
        self._send(signal.SIGSTOP)
        for pid in descendants(self.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._send(signal.SIGKILL, group=True)

    def _send(self, number: int, *, group: bool = False) -> None:
        with suppress(ProcessLookupError, PermissionError):
            (os.killpg if group else os.kill)(self.pid, number)
        if group:  # it may not have made its group yet
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, number)

    def _death(self, status: int, peak: int) -> Death:
        how = signal_name(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        reason = self._killed
        if reason is None and os.WIFSIGNALED(status):
            full = self._ceiling and peak > 0.7 * self._ceiling
            killed = os.WTERMSIG(status) == signal.SIGKILL
            reason = Reason.MEMORY if killed or full else None
        return Death(self.stage, reason, how, time.monotonic() - self._started)


def fork() -> int:
    """Fork; that other threads exist in this process does not concern the child, which goes on with one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()
