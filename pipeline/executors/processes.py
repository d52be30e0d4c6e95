"""Starts worker processes: a new interpreter, or a fork of this process with all that it has made already."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO, Any, Protocol, TypeAlias

from buchi.pipeline import isolation
from buchi.pipeline.executors.worker import serve

GRACE = 1.0
"""Seconds that a worker which broke its connection has to end."""
TICK = 0.005

_PROGRAM = "import sys; sys.path[:1] = []; from buchi.pipeline.executors.worker import main; main()"

Kept: TypeAlias = dict[Any, Any]
"""What jobs of a worker share, by their own keys."""


class _Process(Protocol):
    """What is used of a process."""

    pid: int

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit code."""


class Worker:
    """A process that executes jobs: a new one, or where `kept` is given a fork of this one that is born with it."""

    def __init__(self, memory: int, kept: Kept | None = None) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        with _ONE_AT_A_TIME:
            self.connection, other = Pipe()
            watched, self._lifeline = os.pipe()
            inside = _Inside(other, watched, self._errors, memory)
            if kept is None:
                self._process: _Process = inside.started()
            else:
                self._process = inside.forked(kept, [self._lifeline, self.connection.fileno()])
            os.close(watched)
            other.close()

    def resident(self) -> int:
        """Return the memory that it has."""
        return isolation.resident(self._process.pid)

    def is_alive(self) -> bool:
        """Return whether it runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it, and the programs it may have started, at once."""
        if self.is_alive():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with suppress(ProcessLookupError, PermissionError):  # it may not have made its group yet
                os.kill(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it and leave nothing of it."""
        self.kill()
        self._process.wait()
        os.close(self._lifeline)
        self.connection.close()
        self._errors.close()

    def obituary(self) -> str:
        """Return how it died, with its last words."""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "the worker broke the connection"
        how = isolation.signal_name(-code) if code < 0 else f"exit code {code}"
        self._errors.seek(0)
        words = self._errors.read().decode(errors="replace").strip().splitlines()[-1:]
        return ": ".join([f"the worker died ({how})", *words])


_ONE_AT_A_TIME = threading.Lock()
"""A fork has all descriptors of this process: no other worker may be half made, or its end would not be heard."""


class _Inside:
    """What the new process has: its end of the connection and of the lifeline, and a file for its last words."""

    def __init__(self, connection: Connection, lifeline: int, errors: IO[bytes], memory: int) -> None:
        self._connection, self._lifeline, self._errors, self._memory = connection, lifeline, errors, memory

    def started(self) -> _Process:
        """Start an interpreter."""
        numbers = [self._connection.fileno(), self._lifeline]
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _PROGRAM, *map(str, [*numbers, self._memory])],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=numbers,
            start_new_session=True,
        )

    def forked(self, kept: Kept, not_mine: list[int]) -> _Process:
        """Fork; the descriptors that are `not_mine` are those of the parent."""
        pid = isolation.fork()
        if pid == 0:
            try:
                self._be_worker(kept, not_mine)
            finally:
                os._exit(1)
        return _Fork(pid)

    def _be_worker(self, kept: Kept, not_mine: list[int]) -> None:
        os.setsid()
        for number in not_mine:
            os.close(number)
        isolation.begin_apart(self._lifeline, self._errors.fileno())
        try:
            serve(self._connection, self._memory, kept)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))


class _Fork:
    """A forked process, with what is used of `subprocess.Popen`; several threads may ask."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        with self._lock:
            if self._code is None:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit code. Raises TimeoutExpired."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired("a fork", timeout or 0)
            time.sleep(TICK)
        return code
