"""Keeps a worker process and executes runs in it, within limits that hold whatever the run does.

A search looks at its limits by itself and ends with `unknown`. What does not, such as a translation that blows up, is
ended from here: the worker is killed and replaced, and the run has its record all the same.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from datetime import datetime, timezone
from multiprocessing import Pipe
from typing import TypeAlias

from buchi.common.ends import Reason
from buchi.pipeline import isolation
from buchi.pipeline.experiments.records import killed, out_of_bounds
from buchi.pipeline.experiments.run import Run, Skipped
from buchi.pipeline.experiments.worker import BEGUN, READY
from buchi.pipeline.memory import format_size
from buchi.schemas.run import RunRecord

Executed: TypeAlias = RunRecord | Skipped

TICK = 0.05
"""Seconds between two looks at the time and memory of a worker."""
GRACE = 1.0
"""Seconds beyond its limit that a run has to end by itself."""
LOADING = 600.0
"""Seconds that reading and compiling a model may take, which is no part of the time of a run."""
SLACK = 64 << 20
"""Bytes beyond its limit that a run may take, for what the search does not count."""

_PROGRAM = "import sys; sys.path[:1] = []; from buchi.pipeline.experiments.worker import main; main()"


class _Worker:
    """A process that executes runs."""

    def __init__(self, memory: int) -> None:
        self.connection, other = Pipe()
        watched, self._lifeline = os.pipe()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        number = other.fileno()
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _PROGRAM, str(number), str(watched), str(memory)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=[number, watched],
            start_new_session=True,
        )
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


class _OverLimitError(Exception):
    """A run did not end at its limit."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Supervisor:
    """Executes runs, one after the other; `memory` is what a run may take that has no limit of its own."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._worker: _Worker | None = None
        self._stopped = False

    def execute(self, run: Run) -> Executed:
        """Execute a run; it may take its worker with it, but nothing else."""
        started = datetime.now(timezone.utc)
        try:
            worker = self._living()
            worker.connection.send(run)
            return self._received(worker, run)
        except _OverLimitError as over:
            record = out_of_bounds(run, started, over.reason, str(over))
        except (EOFError, OSError):
            record = killed(run, started, self._worker.obituary() if self._worker else "it was stopped")
        self.close()
        return record

    def stop(self) -> None:
        """End the run that another thread executes here; there will be no further one."""
        self._stopped = True
        worker = self._worker
        if worker is not None:
            worker.kill()

    def close(self) -> None:
        """End the worker."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def _living(self) -> _Worker:
        """Return the worker, a new one if there is none, when it is ready. Raises EOFError."""
        if self._worker is not None and not self._worker.is_alive():
            self.close()
        if self._worker is None:
            self._worker = _Worker(self._memory)
            if self._stopped or self._worker.connection.recv() != READY:
                raise EOFError
        return self._worker

    def _received(self, worker: _Worker, run: Run) -> Executed:
        """Return what came out of a run. Raises _OverLimitError."""
        limits = run.options.limits
        most = worker.resident() + (limits.bytes or self._memory) + SLACK
        seconds = LOADING
        while True:
            self._wait(worker, seconds, most)
            message: Executed | str = worker.connection.recv()
            if not isinstance(message, str):
                return message
            assert message == BEGUN
            seconds = limits.seconds or math.inf

    def _wait(self, worker: _Worker, seconds: float, most: int) -> None:
        """Wait until a worker has something to say. Raises _OverLimitError."""
        end = time.monotonic() + seconds + GRACE
        while not worker.connection.poll(TICK):
            if time.monotonic() > end:
                raise _OverLimitError(Reason.TIME, f"did not end after {seconds:g} s, and was ended")
            if (taken := worker.resident()) > most:
                raise _OverLimitError(Reason.MEMORY, f"its process had {format_size(taken)}, and was ended")
