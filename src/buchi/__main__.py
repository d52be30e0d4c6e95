"""The command `buchi`, and `python -m buchi`: heeds interrupts before it does anything that takes time."""

from __future__ import annotations

import gc
import os
import signal
import sys

_asked: list[int] = []
"""Interrupts that came before there was a child to pass them on to."""


GARBAGE = 50_000
"""Objects after which Python looks for cycles: to load modules makes many that stay, and looking at them takes long."""


def _heed_interrupts() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _frame: _asked.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)  # the launcher has blocked them


def main() -> None:
    """Run the command line and end with its exit code, which nothing done at the end of Python could change."""
    gc.set_threshold(GARBAGE)
    _heed_interrupts()
    from buchi.pipeline.cli.guard import guarded

    os._exit(guarded(sys.argv[1:], _asked))


if __name__ == "__main__":
    main()
