"""Executes runs on this machine: a thread for each process, which watches over it and hands it its runs."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue

from buchi.pipeline import memory
from buchi.pipeline.experiments.run import Run
from buchi.pipeline.experiments.supervisor import Executed, Supervisor

TICK = 0.1


def execute(runs: Iterator[Run], processes: int) -> Generator[Executed | None, None, None]:
    """Yield what comes out of the runs, in the order in which they end; None from time to time in between.

    Close the iterator to end everything at once. Without a limit of its own, a run may take its share of the memory
    that is free now.
    """
    waiting: SimpleQueue[Run | None] = SimpleQueue()
    ended: SimpleQueue[Executed] = SimpleQueue()
    share = max(1, memory.default_limit() // processes)
    supervisors = [Supervisor(share) for _ in range(processes)]
    threads = [threading.Thread(target=_serve, args=(s, waiting, ended), daemon=True) for s in supervisors]
    for thread in threads:
        thread.start()
    try:
        yield from _exchange(runs, 2 * processes, waiting, ended)
    finally:
        _stop(supervisors, threads, waiting)


def _stop(
    supervisors: list[Supervisor], threads: list[threading.Thread], waiting: SimpleQueue[Run | None]
) -> None:
    with suppress(Empty):
        while True:
            waiting.get_nowait()
    for supervisor in supervisors:
        waiting.put(None)
        supervisor.stop()
    for thread in threads:
        thread.join()


def _exchange(
    runs: Iterator[Run], ahead: int, waiting: SimpleQueue[Run | None], ended: SimpleQueue[Executed]
) -> Iterator[Executed | None]:
    """Keep `ahead` runs handed out, so that no process waits for the next one."""
    handed_out = 0
    while True:
        for run in islice(runs, ahead - handed_out):
            waiting.put(run)
            handed_out += 1
        if not handed_out:
            return
        try:
            outcome = ended.get(timeout=TICK)
        except Empty:
            yield None
        else:
            handed_out -= 1
            yield outcome


def _serve(supervisor: Supervisor, waiting: SimpleQueue[Run | None], ended: SimpleQueue[Executed]) -> None:
    try:
        while (run := waiting.get()) is not None:
            ended.put(supervisor.execute(run))
    finally:
        supervisor.close()
