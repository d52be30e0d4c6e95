"""The worker process: receives runs, executes them one after the other, sends back what came out.

It lives as long as the process that started it: when that is gone, however it went, the connection breaks and the
worker ends at once, in the middle of a run if need be.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection
from queue import SimpleQueue

from buchi.pipeline.experiments.run import Run

READY = "ready"
"""What a worker says first."""
BEGUN = "begun"
"""What it says when it has the model of a run: now its time begins."""


def main() -> None:
    """Work until the other end is closed. Arguments: the number of the connection, and the memory for a run."""
    connection, memory = Connection(int(sys.argv[1])), int(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that watches over this one
    runs: SimpleQueue[Run] = SimpleQueue()
    threading.Thread(target=_receive, args=(connection, runs), daemon=True).start()
    from buchi.pipeline.experiments.bench import Bench, warm_up

    bench = Bench(memory)
    warm_up()
    gc.freeze()  # what was imported stays, and need not be looked at again
    connection.send(READY)
    while True:
        connection.send(bench.execute(runs.get(), lambda: connection.send(BEGUN)))


def _receive(connection: Connection, runs: SimpleQueue[Run]) -> None:
    """Receive beside the work, so that the end of the other side is noticed whatever this one does."""
    try:
        while True:
            runs.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
