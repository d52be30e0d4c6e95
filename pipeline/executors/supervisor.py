"""Keeps a worker process and executes jobs in it, within limits that hold whatever the job does.

A search looks at its limits by itself and ends with `unknown`. What does not, such as a translation that blows up, is
ended from here: the worker is killed and replaced, and the job has its outcome all the same.
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timezone
from typing import Generic

from buchi.common.ends import Reason
from buchi.pipeline.executors.jobs import Job, Outcome
from buchi.pipeline.executors.processes import Kept, Worker
from buchi.pipeline.executors.worker import BEGUN, READY
from buchi.pipeline.memory import format_size

TICK = 0.05
"""Seconds between two looks at the time and memory of a worker."""
GRACE = 1.0
"""Seconds beyond its limit that a job has to end by itself."""
LOADING = 600.0
"""Seconds that reading and compiling a model may take, which is no part of the time of a job."""
SLACK = 64 << 20
"""Bytes beyond its limit that a job may take, for what the search does not count."""


class _OverLimitError(Exception):
    """A job did not end at its limit."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Supervisor(Generic[Outcome]):
    """Executes jobs, one after the other.

    `memory` is what a job without a limit of its own may take for each of its places. Where `kept` is given, workers
    are forks of this process that have it; they are made while `calm` is held.
    """

    def __init__(
        self,
        memory: int,
        kept: Kept | None = None,
        calm: AbstractContextManager[object] = nullcontext(),  # noqa: B008  (it can be entered again)
    ) -> None:
        self._memory = memory
        self._kept = kept
        self._calm = calm
        self._worker: Worker | None = None
        self._busy = threading.Lock()
        self._stopped = False

    def execute(self, job: Job[Outcome]) -> Outcome:
        """Execute a job; it may take its worker with it, but nothing else."""
        started = datetime.now(timezone.utc)
        with self._busy:
            try:
                worker = self._living()
                worker.connection.send(job)
                return self._received(worker, job)
            except _OverLimitError as over:
                outcome = job.out_of_bounds(started, over.reason, str(over))
            except (EOFError, OSError):
                outcome = job.lost(started, self._worker.obituary() if self._worker else "it was stopped")
            self._end()
        return outcome

    def stop(self) -> None:
        """End the job that another thread executes here; there will be no further one."""
        self._stopped = True
        worker = self._worker
        if worker is not None:
            worker.kill()
        if self._busy.acquire(blocking=False):  # else the other thread does it
            self._end()
            self._busy.release()

    def close(self) -> None:
        """End the worker, after its job."""
        with self._busy:
            self._end()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def _living(self) -> Worker:
        """Return the worker, a new one if there is none, when it is ready. Raises EOFError."""
        if self._worker is not None and not self._worker.is_alive():
            self._end()
        if self._stopped:
            raise EOFError
        if self._worker is None:
            with self._calm:
                self._worker = Worker(self._memory, self._kept)
            if self._stopped:
                self._worker.kill()
            if self._worker.connection.recv() != READY:
                raise EOFError
        return self._worker

    def _received(self, worker: Worker, job: Job[Outcome]) -> Outcome:
        """Return what came out of a job. Raises _OverLimitError."""
        limits = job.limits
        most = worker.resident() + (limits.bytes or self._memory * job.places) + SLACK
        seconds = LOADING
        while True:
            self._wait(worker, seconds, most)
            message: Outcome | str = worker.connection.recv()
            if not isinstance(message, str):
                return message
            assert message == BEGUN
            seconds = limits.seconds or math.inf

    def _wait(self, worker: Worker, seconds: float, most: int) -> None:
        """Wait until a worker has something to say. Raises _OverLimitError."""
        end = time.monotonic() + seconds + GRACE
        while not worker.connection.poll(TICK):
            if time.monotonic() > end:
                raise _OverLimitError(Reason.TIME, f"did not end after {seconds:g} s, and was ended")
            if (taken := worker.resident()) > most:
                raise _OverLimitError(Reason.MEMORY, f"its process had {format_size(taken)}, and was ended")
