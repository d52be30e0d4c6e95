"""Shows on a terminal how far a search is; shows nothing where standard error is no terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

from buchi.common.words import counted
from buchi.pipeline.memory import format_size
from buchi.pipeline.search import Progress, Watch, nobody

PATIENCE = 0.5
"""Seconds before anything is shown: a quick search leaves no trace on the screen."""


class Display:
    """A line with a spinner that is rewritten while a search runs."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._search: Progress | None = None
        self._started = 0.0
        self._shown = False

    def __call__(self, progress: Progress, what: str = "") -> None:
        """Show the progress as it is now."""
        now = time.monotonic()
        if progress is not self._search:
            self._search, self._started = progress, now
        if now - self._started < PATIENCE:
            return
        if not self._shown:
            self._status.start()
            self._shown = True
        self._status.update(progress_line(progress, now - self._started, what))


def progress_line(progress: Progress, seconds: float, what: str = "") -> str:
    """Return the progress in one line; only a depth-first search has a depth."""
    parts = [what] if what else []
    parts += [counted(progress.states, "state"), f"{progress.states / seconds:,.0f} states/s"]
    if progress.depth:
        parts.append(f"depth {progress.depth:,}")
    return " · ".join([*parts, format_size(progress.bytes), f"{seconds:.0f} s"])


@contextmanager
def shown_progress(console: Console) -> Iterator[Watch]:
    """Give a watch that shows the progress of a search on `console` while the block runs."""
    if not console.is_terminal:
        yield nobody
        return
    status = console.status("")
    try:
        yield Display(status)
    finally:
        status.stop()
