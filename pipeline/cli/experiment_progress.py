"""Tells on standard error how far an experiment is: a bar on a terminal, else a line from time to time."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from buchi.pipeline.experiments.execution import Executed
from buchi.pipeline.experiments.tally import Tally

LINES = 10.0
"""Seconds between two lines where there is no terminal."""
FRAMES = 0.2
"""Seconds between two pictures of the bar."""


class Progress(AbstractContextManager["Progress"]):
    """Shows a tally while the block runs."""

    def __init__(self, tally: Tally, console: Console) -> None:
        self._tally = tally
        self._console = console
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None
        self._period = FRAMES if self._live else LINES
        self._next = time.monotonic() + self._period

    def __enter__(self) -> Progress:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.update(self._picture(), refresh=True)
            self._live.stop()
        else:
            self._console.print(Text(self._tally.line()))

    def update(self, outcome: Executed | None) -> None:
        """Count what came out of a run, and show it if it is time to."""
        if outcome is not None:
            self._tally.count(outcome)
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._period
        if self._live:
            self._live.update(self._picture(), refresh=True)
        else:
            self._console.print(Text(self._tally.line()))

    def _picture(self) -> Table:
        picture = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=max(1, self._tally.total), completed=self._tally.done, width=12)
        picture.add_row(bar, self._tally.line())
        return picture
