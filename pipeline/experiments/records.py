"""The parts of records that do not need the run to have ended by itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from buchi.common.ends import Reason, Verdict
from buchi.pipeline.experiments import surroundings
from buchi.pipeline.experiments.run import Run
from buchi.schemas.kinds import Kind
from buchi.schemas.run import Measured, RunRecord, RunStatus


def identity(run: Run, started: datetime, constant: bool | None = None) -> dict[str, Any]:
    """Return what a record says of the run itself, whatever came out.

    `constant` is the truth value of a property that is the same for every model.
    """
    configuration = run.configuration()
    configuration["property"]["constant"] = constant
    return {
        "key": run.key,
        "experiment": run.experiment,
        "model": run.model.name,
        "formula_id": run.question.id,
        "formula": run.question.formula,
        "route": run.route.name,
        "workers": run.route.workers,
        "repetition": run.repetition,
        "started": started.isoformat(timespec="milliseconds"),
        "versions": surroundings.versions(),
        "machine": surroundings.machine(),
        "configuration": configuration,
    }


def killed(run: Run, started: datetime, message: str) -> RunRecord:
    """Return the record of a run whose worker died; it is to be done again."""
    return _ended(run, started, RunStatus.KILLED, message=message)


def out_of_bounds(run: Run, started: datetime, reason: Reason, message: str) -> RunRecord:
    """Return the record of a run whose worker was ended at a limit: that is an answer, the same as `unknown`."""
    return _ended(run, started, RunStatus.DONE, message=message, verdict=Verdict.UNKNOWN, reason=reason)


def failed(run: Run, started: datetime, message: str) -> RunRecord:
    """Return the record of a run that could not be executed."""
    return _ended(run, started, RunStatus.FAILED, message=message)


def _ended(
    run: Run,
    started: datetime,
    status: RunStatus,
    *,
    message: str,
    verdict: Verdict | None = None,
    reason: Reason | None = None,
) -> RunRecord:
    return RunRecord(
        **identity(run, started),
        kind=run.route.kind or Kind.TGBA.value,
        checker=run.route.checker,
        status=status,
        verdict=verdict,
        reason=reason,
        message=message,
        measured=Measured(),
        counterexample=None,
    )
