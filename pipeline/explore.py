"""Counts the reachable states of a model."""

from __future__ import annotations

import json
import time
from typing import Any

from buchi.common.ends import Reason
from buchi.common.errors import LimitReached
from buchi.pipeline import isolation, search
from buchi.pipeline.ended import Ended
from buchi.pipeline.executable import build_model
from buchi.pipeline.faults import faults_of
from buchi.pipeline.loading import ModelLike, load_model
from buchi.pipeline.options import ExploreOptions, Overflow
from buchi.pipeline.search import Deadline, Watch, nobody
from buchi.schemas.counters import Counters


def explore(model: ModelLike, options: ExploreOptions | None = None, watch: Watch = nobody) -> Ended:
    """Visit every reachable state of a model. Raises InputError for bad input."""
    options = (options or ExploreOptions()).bounded()
    started = time.monotonic()
    isolation.limit(options.limits.seconds, options.limits.bytes)
    isolation.so_far(as_json(Ended(Reason.TIME)))
    try:
        return _explore(model, options, watch)
    except LimitReached as limit:
        return _cut(limit.reason, started)
    except KeyboardInterrupt:
        return _cut(Reason.INTERRUPTED, started)


def _cut(reason: Reason, started: float) -> Ended:
    return Ended(reason, counters=Counters(seconds=time.monotonic() - started))


def explored(ended: Ended) -> dict[str, Any]:
    """Return what an exploration found, by the names of its result; a reason only where it did not finish."""
    counters, reason = ended.counters, ended.reason
    return {
        "states": counters.states,
        "transitions": counters.transitions,
        "deadlocks": ended.deadlocks,
        "seconds": counters.seconds,
        "bytes": counters.bytes,
    } | ({} if reason is None else {"reason": reason})


def as_json(ended: Ended) -> str:
    """Return what an exploration found as one JSON object."""
    return json.dumps(explored(ended), separators=(",", ":"))


def _explore(model: ModelLike, options: ExploreOptions, watch: Watch) -> Ended:
    deadline = Deadline(options.limits.seconds)
    loaded = load_model(model, overflow_is_error=options.overflow is Overflow.ERROR)
    isolation.stage("preparing the model", reads=True)
    engine = build_model(loaded.model, options.backend)
    isolation.stage("exploring")
    with faults_of(loaded.model):
        return search.explore(engine, options.limits, deadline, watch)
