"""Executes runs on a Dask cluster. Its workers see the same files, and have the same version of buchi.

Each thread of a Dask worker watches over a worker process of ours, so that limits hold there as they do here. When a
Dask worker dies, the scheduler gives its runs to another; a run that takes down several is recorded as killed.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from itertools import islice
from typing import TYPE_CHECKING, Any

from buchi import __version__
from buchi.common.ends import Reason
from buchi.common.errors import InputError, LimitReached
from buchi.pipeline import memory
from buchi.pipeline.experiments.records import failed, killed
from buchi.pipeline.experiments.run import Run
from buchi.pipeline.experiments.supervisor import Executed, Supervisor

if TYPE_CHECKING:
    from distributed import Client, Future

TICK = 0.2
PATIENCE = 15.0
"""Seconds to wait for the scheduler."""

_here = threading.local()
_supervisors: list[Supervisor] = []


def execute(runs: Iterator[Run], address: str) -> Generator[Executed | None, None, None]:
    """Yield what comes out of the runs, in the order in which they end; None from time to time in between.

    Raises LimitReached when the scheduler is lost: the runs that were pending are still to be done.
    """
    client = _connected(address)
    pending: dict[Future, Run] = {}
    try:
        with _loss_noticed(address):
            _check_versions(client)
        threads = 0
        while True:
            with _loss_noticed(address):
                threads = threads or sum(client.nthreads().values()) or 1
                _hand_out(client, islice(runs, max(0, 2 * threads - len(pending))), pending)
                if not pending:
                    return
                ended = list(_ended(client, pending))
            yield from ended
            if None in ended:
                threads = 0  # time to ask again: a cluster grows and shrinks
    finally:
        with suppress(Exception):  # a cluster that is gone has no workers of ours left
            client.cancel(list(pending), force=True)
            client.run(stop_here)
        with suppress(Exception):
            client.close()


def _hand_out(client: Client, runs: Iterator[Run], pending: dict[Future, Run]) -> None:
    for run in runs:
        pending[client.submit(run_here, run, key=f"buchi-{run.key}", pure=False)] = run


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


def _ended(client: Client, pending: dict[Future, Run]) -> Iterator[Executed | None]:
    """Wait for runs to end, and take them out of those that are pending."""
    from distributed import TimeoutError as NothingEnded
    from distributed import wait

    try:
        with client.as_current():
            done = wait(list(pending), timeout=TICK, return_when="FIRST_COMPLETED").done
    except NothingEnded:
        yield None
        return
    for future in done:
        yield _outcome(future, pending[future])
        del pending[future]
        future.release()


def _outcome(future: Future, run: Run) -> Executed:
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    now = datetime.now(timezone.utc)
    try:
        outcome: Executed = future.result()
    except KilledWorker:
        return killed(run, now, "several Dask workers died of it")
    except (CancelledError, OSError):
        raise
    except Exception as error:  # whatever the cluster does is the record of this run
        return failed(run, now, f"{type(error).__name__}: {error}")
    return outcome


def run_here(run: Run) -> Executed:
    """Execute a run, on a Dask worker."""
    if not hasattr(_here, "supervisor"):
        _here.supervisor = Supervisor(max(1, memory.default_limit() // _threads_here()))
        _supervisors.append(_here.supervisor)
    outcome: Executed = _here.supervisor.execute(run)
    return outcome


def _threads_here() -> int:
    """Return how many runs may share the memory of this machine: those of a worker, for each of its processors."""
    return os.cpu_count() or 1


def stop_here() -> None:
    """End our processes on a Dask worker; a later run starts new ones."""
    while _supervisors:
        _supervisors.pop().stop()
    _forget()


def _forget() -> None:
    global _here
    _here = threading.local()


def version_here() -> Any:
    """Return the version of buchi on a Dask worker."""
    return __version__
