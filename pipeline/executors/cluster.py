"""Executes jobs on a Dask cluster. Its workers see the same files, and have the same version of buchi.

Each thread of a Dask worker is a place, and watches over a worker process of ours, so that limits hold there as they do
here. When a Dask worker dies, the scheduler gives its jobs to another; one that takes down several is lost.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from buchi import __version__
from buchi.common.ends import Reason
from buchi.common.errors import InputError, LimitReached
from buchi.pipeline import memory
from buchi.pipeline.executors.jobs import Job, Outcome
from buchi.pipeline.executors.places import Places
from buchi.pipeline.executors.supervisor import Supervisor

if TYPE_CHECKING:
    from distributed import Client, Future

TICK = 0.2
PATIENCE = 15.0
"""Seconds to wait for the scheduler."""


def execute(jobs: Iterator[Job[Outcome]], address: str) -> Generator[Outcome | None, None, None]:
    """Execute jobs on all threads of the cluster: see `Executor`.

    Raises LimitReached when the scheduler is lost: the jobs that were pending are still to be done.
    """
    client = _connected(address)
    owner = uuid4().hex
    pending: dict[Future, Job[Outcome]] = {}
    try:
        with _loss_noticed(address):
            _check_versions(client)
        threads = 0
        while True:
            with _loss_noticed(address):
                threads = threads or sum(client.nthreads().values()) or 1
                _hand_out(client, owner, islice(jobs, max(0, 2 * threads - len(pending))), pending)
                if not pending:
                    return
                ended: list[Outcome | None] = [*_ended(client, pending)]
            yield from ended
            if None in ended:
                threads = 0  # time to ask again: a cluster grows and shrinks
    finally:
        with suppress(Exception):  # a cluster that is gone has no workers of ours left
            client.cancel(list(pending), force=True)
            client.run(stop_here, owner)
        with suppress(Exception):
            client.close()


def places(address: str) -> int:
    """Return how many threads the workers of a cluster have now. Raises InputError and LimitReached."""
    client = _connected(address)
    try:
        with _loss_noticed(address):
            return sum(client.nthreads().values())
    finally:
        with suppress(Exception):
            client.close()


def _hand_out(
    client: Client, owner: str, jobs: Iterator[Job[Outcome]], pending: dict[Future, Job[Outcome]]
) -> None:
    for job in jobs:
        pending[client.submit(run_here, owner, job, key=f"buchi-{owner}-{job.key}", pure=False)] = job


@contextmanager
def _loss_noticed(address: str) -> Iterator[None]:
    """Tell a scheduler that is gone from a mistake of ours. Raises LimitReached."""
    from concurrent.futures import CancelledError

    try:
        yield
    except (CancelledError, OSError, TimeoutError) as error:
        message = f"the Dask scheduler at {address} is gone; run it again to go on"
        raise LimitReached(Reason.INTERRUPTED, message) from error


def _connected(address: str) -> Client:
    try:
        from distributed import Client
        from distributed.comm import resolve_address
    except ImportError:
        raise InputError(
            "--executor dask needs Dask", suggestion="install it by: pip install 'buchi[dask]'"
        ) from None
    try:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong there is told by us
        resolve_address(address)  # a client that was given no address lingers for half a minute
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"there is no Dask scheduler at {address}: {error}") from None


def _check_versions(client: Client) -> None:
    for worker, version in client.run(version_here).items():
        if version != __version__:
            raise InputError(f"the Dask worker {worker} has buchi {version}, and this is {__version__}")


def _ended(client: Client, pending: dict[Future, Job[Outcome]]) -> Iterable[Outcome | None]:
    """Wait for jobs to end, and take them out of those that are pending."""
    from distributed import TimeoutError as NothingEnded
    from distributed import wait

    try:
        with client.as_current():
            done = wait(list(pending), timeout=TICK, return_when="FIRST_COMPLETED").done
    except NothingEnded:
        return [None]
    outcomes = [_outcome(future, pending.pop(future)) for future in done]
    for future in done:
        future.release()
    return outcomes


def _outcome(future: Future, job: Job[Outcome]) -> Outcome:
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    now = datetime.now(timezone.utc)
    try:
        outcome: Outcome = future.result()
    except KilledWorker:
        return job.lost(now, "several Dask workers died of it")
    except (CancelledError, OSError):
        raise
    except Exception as error:  # whatever the cluster does is the outcome of this job
        return job.failed(now, f"{type(error).__name__}: {error}")
    return outcome


class _DaskWorker:
    """What jobs share on a Dask worker: its places, and for each owner of jobs the supervisors that execute them."""

    def __init__(self, threads: int) -> None:
        self.places = Places(threads)
        self.thread = threading.local()
        self.of: defaultdict[str, list[Supervisor[Any]]] = defaultdict(list)
        self.stopped: set[str] = set()

    def supervisor(self, owner: str) -> Supervisor[Any]:
        """Return that of this thread; there is no other, so that none is left when an owner vanishes."""
        known, whose = getattr(self.thread, "known", (None, None))
        if known is None or whose != owner:
            if known is not None:
                known.close()
            known = Supervisor(max(1, memory.default_limit() // (os.cpu_count() or 1)))
            self.thread.known = known, owner
            self.of[owner].append(known)
        if owner in self.stopped:
            known.stop()
        return known


_dask_worker: _DaskWorker | None = None
_made = threading.Lock()


def _this() -> _DaskWorker:
    global _dask_worker
    from distributed import get_worker

    with _made:
        if _dask_worker is None:
            _dask_worker = _DaskWorker(get_worker().state.nthreads)
    return _dask_worker


def run_here(owner: str, job: Job[Outcome]) -> Outcome:
    """Execute a job, on a Dask worker; it takes as many of its threads as it has itself."""
    this = _this()
    with this.places.taken(job.places):
        outcome: Outcome = this.supervisor(owner).execute(job)
    return outcome


def stop_here(owner: str) -> None:
    """End the processes for an owner on a Dask worker; it will have no others."""
    this = _this()
    this.stopped.add(owner)
    for supervisor in this.of.pop(owner, ()):
        supervisor.stop()


def version_here() -> Any:
    """Return the version of buchi on a Dask worker."""
    return __version__
