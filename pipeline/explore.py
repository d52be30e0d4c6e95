"""Counts the reachable states of a model."""

from __future__ import annotations

from pathlib import Path

from buchi.models import backends
from buchi.pipeline import search
from buchi.pipeline.faults import faults_of
from buchi.pipeline.loading import load_model
from buchi.pipeline.options import ExploreOptions, Overflow
from buchi.pipeline.search import Deadline, Watch, nobody
from buchi.schemas.result import ExploreResult


def explore(model: Path | str, options: ExploreOptions | None = None, watch: Watch = nobody) -> ExploreResult:
    """Visit every reachable state of the model in a file. Raises InputError for bad input."""
    options = options or ExploreOptions()
    deadline = Deadline(options.limits.seconds)
    loaded = load_model(Path(model), overflow_is_error=options.overflow is Overflow.ERROR)
    built = backends.build(loaded.model, options.backend)
    with faults_of(loaded.model):
        ended = search.explore(built.engine, options.limits, deadline, watch)
    return ExploreResult(
        states=ended.states,
        transitions=ended.transitions,
        deadlocks=ended.deadlocks,
        seconds=ended.seconds,
        bytes=ended.bytes,
        reason=ended.reason,
    )
