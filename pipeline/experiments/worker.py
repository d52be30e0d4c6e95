"""The worker process: receives runs, executes them one after the other, sends back what came out.

It lives as long as the process that started it: when that is gone, however it went, the kernel ends the worker at once,
in the middle of a run if need be.
"""

from __future__ import annotations

import gc
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from buchi.pipeline import isolation

READY = "ready"
"""What a worker says first."""
BEGUN = "begun"
"""What it says when it has the model of a run: now its time begins."""


def main() -> None:
    """Work. Arguments: the numbers of the connection and of the lifeline, and the memory for a run."""
    connection, memory = Connection(int(sys.argv[1])), int(sys.argv[3])
    isolation.end_with(int(sys.argv[2]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that watches over this one
    from buchi.pipeline.experiments.workbench import Workbench, warm_up

    bench = Workbench(memory)
    warm_up()
    gc.freeze()  # what was imported stays, and need not be looked at again
    connection.send(READY)
    with suppress(EOFError, OSError):  # the other side is gone
        while True:
            connection.send(bench.execute(connection.recv(), lambda: connection.send(BEGUN)))
