"""Tells on standard error how far an experiment is: a bar on a terminal, else a line from time to time."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from buchi.pipeline.experiments.run import Skipped
from buchi.pipeline.experiments.supervisor import Outcome
from buchi.schemas.run import RunStatus

LINES = 10.0
"""Seconds between two lines where there is no terminal."""
FRAMES = 0.2
"""Seconds between two pictures of the bar."""
SKIPPED = "left out"


@dataclass
class Tally:
    """How many runs there are, and how those that ended did."""

    total: int
    ended: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)

    def count(self, outcome: Outcome) -> None:
        """Count one more."""
        self.ended[SKIPPED if isinstance(outcome, Skipped) else outcome.status.value] += 1

    @property
    def done(self) -> int:
        """How many ended, in whatever way."""
        return sum(self.ended.values())

    def line(self) -> str:
        """Return done and left, rate, expected end and failures."""
        rate = self.done / max(time.monotonic() - self.started, 1e-3)
        parts = [f"{self.done:,} done, {self.total - self.done:,} left"]
        parts += [f"{rate:,.1f} runs/s" if rate >= 0.1 else f"{60 * rate:,.1f} runs/min"] * (self.done > 0)
        if 0 < self.done < self.total:
            parts.append(f"ends about {_moment((self.total - self.done) / rate)}")
        ends = (RunStatus.FAILED.value, RunStatus.KILLED.value)
        bad = [f"{self.ended[end]:,} {end}" for end in ends if self.ended[end]]
        return " · ".join([*parts, *bad])


def _moment(seconds: float) -> str:
    """Return the time so many seconds from now, with the day where it is not today."""
    now = datetime.now()
    end = now + timedelta(seconds=min(seconds, 1e8))
    return f"{end:%H:%M:%S}" if end.date() == now.date() else f"{end:%Y-%m-%d %H:%M}"


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

    def update(self, outcome: Outcome | None) -> None:
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
