"""A run of an experiment as a job for an executor: its outcome is a record, or that it was left out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from buchi.common.ends import Limits, Reason
from buchi.pipeline.executors.jobs import Here
from buchi.pipeline.experiments import records
from buchi.pipeline.experiments.run import Run, Skipped
from buchi.schemas.run import RunRecord

Executed: TypeAlias = RunRecord | Skipped


@dataclass(frozen=True)
class Execution:
    """A run to be executed."""

    run: Run

    @property
    def key(self) -> str:
        """The key of the run."""
        return self.run.key

    @property
    def places(self) -> int:
        """As many as it has workers."""
        return self.run.route.workers

    @property
    def limits(self) -> Limits:
        """Those of the run."""
        return self.run.options.limits

    def execute(self, here: Here) -> Executed:
        """Execute it with what the runs before have left on the workbench."""
        from buchi.pipeline.experiments.workbench import Workbench  # only workers need it

        bench = here.keep(Workbench, lambda: Workbench(here.memory))
        return bench.execute(self.run, here.begin)

    def out_of_bounds(self, started: datetime, reason: Reason, message: str) -> Executed:
        """Return the record of a run whose worker was ended at a limit."""
        return records.out_of_bounds(self.run, started, reason, message)

    def lost(self, started: datetime, message: str) -> Executed:
        """Return the record of a run whose worker died."""
        return records.killed(self.run, started, message)

    def failed(self, started: datetime, message: str) -> Executed:
        """Return the record of a run that could not be executed."""
        return records.failed(self.run, started, message)
