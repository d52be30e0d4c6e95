"""Executes jobs on this machine: a thread for each process, which watches over it and hands it its jobs."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TypeAlias

from buchi.pipeline import memory
from buchi.pipeline.executors.jobs import Job, Outcome
from buchi.pipeline.executors.places import Places
from buchi.pipeline.executors.processes import Kept
from buchi.pipeline.executors.supervisor import Supervisor

TICK = 0.1

_Waiting: TypeAlias = SimpleQueue[Job[Outcome] | None]


def execute(
    jobs: Iterator[Job[Outcome]], count: int, kept: Kept | None = None
) -> Generator[Outcome | None, None, None]:
    """Execute jobs in `count` places: see `Executor`. Where `kept` is given, workers are forks that have it.

    Without a limit of its own, a job may take its share of the memory that is free now.
    """
    waiting: _Waiting[Outcome] = SimpleQueue()
    ended: SimpleQueue[Outcome] = SimpleQueue()
    places, share = Places(count), max(1, memory.default_limit() // count)
    # Held by the thread that takes the outcomes, but while it waits: a fork in the middle of what it does, such as
    # building a schema, would have a lock that nobody opens.
    calm = threading.Lock()
    supervisors: list[Supervisor[Outcome]] = [Supervisor(share, kept, calm) for _ in range(count)]
    threads = [
        threading.Thread(target=_serve, args=(s, places, waiting, ended), daemon=True) for s in supervisors
    ]
    for thread in threads:
        thread.start()
    try:
        with calm:
            yield from _exchange(jobs, 2 * count, waiting, ended, calm)
    finally:
        _stop(supervisors, threads, waiting)


def _stop(
    supervisors: list[Supervisor[Outcome]], threads: list[threading.Thread], waiting: _Waiting[Outcome]
) -> None:
    with suppress(Empty):
        while True:
            waiting.get_nowait()
    for supervisor in supervisors:
        waiting.put(None)
        supervisor.stop()
    for thread in threads:
        thread.join()


@contextmanager
def _released(lock: threading.Lock) -> Iterator[None]:
    lock.release()
    try:
        yield
    finally:
        lock.acquire()


def _exchange(
    jobs: Iterator[Job[Outcome]],
    ahead: int,
    waiting: _Waiting[Outcome],
    ended: SimpleQueue[Outcome],
    calm: threading.Lock,
) -> Iterator[Outcome | None]:
    """Keep `ahead` jobs handed out, so that no process waits for the next one."""
    handed_out = 0
    while True:
        for job in islice(jobs, ahead - handed_out):
            waiting.put(job)
            handed_out += 1
        if not handed_out:
            return
        try:
            with _released(calm):
                outcome = ended.get(timeout=TICK)
        except Empty:
            yield None
        else:
            handed_out -= 1
            yield outcome


def _serve(
    supervisor: Supervisor[Outcome],
    places: Places,
    waiting: _Waiting[Outcome],
    ended: SimpleQueue[Outcome],
) -> None:
    try:
        while (job := waiting.get()) is not None:
            with places.taken(job.places):
                ended.put(supervisor.execute(job))
    finally:
        supervisor.close()
