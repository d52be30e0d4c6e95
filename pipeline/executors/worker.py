"""The worker process: receives jobs, executes them one after the other, sends back what came out.

It lives as long as the process that started it: when that is gone, however it went, the kernel ends the worker at once,
in the middle of a job if need be.
"""

from __future__ import annotations

import gc
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from buchi.pipeline import isolation
from buchi.pipeline.executors.jobs import Here

READY = "ready"
"""What a worker says first."""
BEGUN = "begun"
"""What it says when it has the model of a job: now its time begins."""


def main() -> None:
    """Work. Arguments: the numbers of the connection and of the lifeline, and the memory for a place."""
    isolation.end_with(int(sys.argv[2]))
    from buchi.pipeline.warm_up import warm_up  # a fork has all of that

    warm_up()
    serve(Connection(int(sys.argv[1])), int(sys.argv[3]), {})


def serve(connection: Connection, memory: int, kept: dict[Any, Any]) -> None:
    """Execute what comes, until the other side is gone; `kept` is what jobs share."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that watches over this one
    here = Here(memory, lambda: connection.send(BEGUN), kept)
    gc.freeze()  # what was imported stays, and need not be looked at again
    with suppress(EOFError, OSError):
        connection.send(READY)
        while True:
            connection.send(connection.recv().execute(here))
