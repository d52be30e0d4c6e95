"""Work in a child process that another one watches over: whatever the work does, it can be limited and ended.

The child tells the parent what it is doing, what it may use and what it has found so far. The parent looks at the
child's time and memory, ends it when it must, and can then say what the work was and why it ended. A child whose
parent dies, dies with it.

Nothing slow is imported here: the command line begins with this module.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import resource
import select
import signal
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeVar

Result = TypeVar("Result")

TICK = 0.05
"""Seconds between two looks at a child."""
GRACE = 0.6
"""Seconds beyond its time that a child has to end by itself."""
FAREWELL = 1.5
"""Seconds that a child has to end by itself after it was interrupted, and ten times that if it has others to end."""
PATIENCE = 4
"""Interrupts after which a child is not waited for."""
FLOOR = 160 << 20
"""Bytes that a child may always take: the program itself."""
OVER = 1.04
"""How far above its limit the memory of a child may be before it is ended from outside."""
PAGE = resource.getpagesize()

STAGE, LIMIT, SO_FAR, OUTPUT, CODE, RESULT = b"SLUOCR"
"""What a child can say."""
_HEAD = struct.Struct("<BI")
_LIMIT = struct.Struct("<dQ")
_FOREVER = -1.0


class Stage(NamedTuple):
    """What a child is doing.

    A crash while it reads is the fault of what it reads. One that has processes of its own to end is given the time.
    """

    what: str
    reads: bool = False
    has_others: bool = False


class Death(NamedTuple):
    """How a child ended that had no answer.

    `reason` is `time`, `memory` or `interrupted` where it had to end, and None where it crashed.
    """

    stage: Stage
    reason: str | None
    how: str
    seconds: float

    def __str__(self) -> str:
        if self.reason is None:
            return f"{self.stage.what} ended in a crash ({self.how})"
        words = {
            "time": "the time limit was reached",
            "memory": "memory ran out",
            "interrupted": "interrupted",
        }
        return f"{words[self.reason]} while {self.stage.what}"


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
    message = memoryview(_HEAD.pack(kind, len(content)) + content)
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
    say(LIMIT, _LIMIT.pack(_FOREVER if seconds is None else seconds, _Self.ceiling or 0))


def memory_left() -> int | None:
    """Return the bytes that this process may yet take; None where nobody counts them."""
    return None if _Self.ceiling is None else max(1, _Self.ceiling - resident(os.getpid()))


def hold_memory() -> None:
    """Let the system refuse more memory than is left, since a look from outside may come too late."""
    left = memory_left()
    if left is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = _pages(os.getpid(), 5) * PAGE + left
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


def resident(pid: int) -> int:
    """Return the bytes of memory that a process has."""
    return _pages(pid, 1) * PAGE


def _pages(pid: int, column: int) -> int:
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


def be_silent() -> None:
    """Let nothing that this process prints be seen."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def end_with(lifeline: int) -> None:
    """Have the kernel end this process when the other end of a pipe is closed: nobody is left who waits for it."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        if os.read(lifeline, 1) == b"":  # it was closed before the kernel had been asked
            os.kill(os.getpid(), signal.SIGKILL)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Child:
    """A forked process, as its parent sees it."""

    def __init__(self, work: Callable[[], None], farewell: float = FAREWELL) -> None:
        """Start `work` in a child; interrupts stay blocked in it until it calls `heed_interrupts`."""
        line, said = os.pipe()
        watched, lifeline = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self.pid = _fork()
            if self.pid == 0:
                os.close(line)
                os.close(lifeline)
                _begin(work, said, watched)
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
        self._killed: str | None = None
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
            self._kill("interrupted")
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
        if len(self._heard) < _HEAD.size:
            return None
        kind, size = _HEAD.unpack_from(self._heard)
        end = _HEAD.size + size
        if len(self._heard) < end:
            return None
        content = bytes(self._heard[_HEAD.size : end])
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
            seconds, self._ceiling = _LIMIT.unpack(content)
            self._ends = None if seconds == _FOREVER else time.monotonic() + seconds + GRACE
        elif kind == SO_FAR:
            self.so_far = content
        else:
            return False
        return True

    def _look(self) -> None:
        """End the child if it is over a limit."""
        now = time.monotonic()
        if self._ends is not None and now > self._ends:
            self._kill("time")
        elif self._ceiling and resident(self.pid) > self._ceiling:
            self._kill("memory")
        elif self._interrupts and now > self._interrupted + self._time_to_end():
            self._kill("interrupted")

    def _time_to_end(self) -> float:
        return self._farewell * (10 if self.stage.has_others else 1)

    def _kill(self, reason: str) -> None:
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
            reason = "memory" if killed or full else None
        return Death(self.stage, reason, how, time.monotonic() - self._started)


def _fork() -> int:
    """Fork; that other threads exist in this process does not concern the child, which goes on with one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def signal_name(number: int) -> str:
    """Return the name of a signal; those for real time have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _begin(work: Callable[[], None], line: int, lifeline: int) -> None:
    """Become the child; never return."""
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        _Self.line, _Self.ceiling, _Self.inherited = line, None, resident(os.getpid())
        end_with(lifeline)
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _interrupt_main)
        work()
    finally:
        os._exit(0)


class Interrupted(KeyboardInterrupt):
    """A request to end. CPython ends a process whose KeyboardInterrupt passed through `exec` by a signal."""


QUIET = 2.0
"""Seconds in which further interrupts do not disturb the end that the first one began."""
_interrupted_at = float("-inf")


def _interrupt_main(_signal: int, _frame: object) -> None:
    """Interrupt; again only if that has led to no end, since Python drops exceptions in some places."""
    global _interrupted_at
    if time.monotonic() - _interrupted_at > QUIET:
        _interrupted_at = time.monotonic()
        raise Interrupted


def heed_interrupts() -> None:
    """Let interrupts come, in a child: from here on there is somebody who catches them."""
    if is_isolated():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


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


class Ended(Exception):  # noqa: N818  (it is an end, not an error)
    """A call that was isolated had no answer; `so_far` is what it had left for this case."""

    def __init__(self, death: Death, so_far: bytes | None) -> None:
        super().__init__(str(death))
        self.death = death
        self.so_far = so_far


def call(work: Callable[[], Result], farewell: float = FAREWELL) -> Result:
    """Return what `work` returns, or raise what it raises, after it ran in a child. Raises Ended where it did not.

    Nothing that `work` does to this process is seen here. An interrupted child has `farewell` seconds to end.
    """
    _flush()
    child = Child(lambda: _answer(work), farewell)
    answer = None
    try:
        with interrupts_call(child.interrupt):
            while (heard := child.hear()) is not None:
                answer = heard[1] if heard[0] == RESULT else answer
    finally:
        death = child.end()
    if answer is None:
        raise Ended(death, child.so_far)
    returned, value = pickle.loads(answer)
    if not returned:
        raise value
    return value  # type: ignore[no-any-return]


def _answer(work: Callable[[], Any]) -> None:
    try:
        heed_interrupts()
        answer = pickle.dumps((True, work()))
    except BaseException as error:  # it belongs to the one who called
        answer = pickle.dumps((False, _sendable(error)))
    say(RESULT, answer)


def _sendable(error: BaseException) -> BaseException:
    """Return an exception that survives the way to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _flush() -> None:
    """Leave nothing in buffers that parent and child would both write."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
