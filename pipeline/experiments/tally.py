"""How many runs of an experiment there are, and how those that ended did."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from buchi.pipeline.experiments.execution import Executed
from buchi.pipeline.experiments.run import Skipped
from buchi.schemas.run import RunStatus

SKIPPED = "left out"


@dataclass
class Tally:
    """How many runs there are, and how those that ended did."""

    total: int
    ended: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)

    def count(self, outcome: Executed) -> None:
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
