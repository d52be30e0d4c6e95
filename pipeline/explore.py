"""Counts the reachable states of a model."""

from __future__ import annotations

import time

from buchi.common.errors import LimitReached
from buchi.pipeline import isolation, search
from buchi.pipeline.faults import faults_of
from buchi.pipeline.loading import ModelLike, load_model
from buchi.pipeline.options import ExploreOptions, Overflow
from buchi.pipeline.product import build_model
from buchi.pipeline.search import Deadline, Ended, Watch, nobody
from buchi.schemas.result import ExploreResult, Reason


def explore(model: ModelLike, options: ExploreOptions | None = None, watch: Watch = nobody) -> ExploreResult:
    """Visit every reachable state of a model. Raises InputError for bad input."""
    options = (options or ExploreOptions()).bounded()
    started = time.monotonic()
    isolation.limit(options.limits.seconds, options.limits.bytes)
    isolation.so_far(_result(Ended(Reason.TIME)).model_dump_json(exclude_none=True))
    try:
        ended = _explore(model, options, watch)
    except LimitReached as limit:
        ended = Ended(Reason(limit.reason), seconds=time.monotonic() - started)
    except KeyboardInterrupt:
        ended = Ended(Reason.INTERRUPTED, seconds=time.monotonic() - started)
    return _result(ended)


def _result(ended: Ended) -> ExploreResult:
    return ExploreResult(
        states=ended.states,
        transitions=ended.transitions,
        deadlocks=ended.deadlocks,
        seconds=ended.seconds,
        bytes=ended.bytes,
        reason=ended.reason,
    )


def _explore(model: ModelLike, options: ExploreOptions, watch: Watch) -> Ended:
    deadline = Deadline(options.limits.seconds)
    loaded = load_model(model, overflow_is_error=options.overflow is Overflow.ERROR)
    isolation.stage("preparing the model", reads=True)
    engine = build_model(loaded.model, options.backend)
    isolation.stage("exploring")
    with faults_of(loaded.model):
        return search.explore(engine, options.limits, deadline, watch)
