"""Counts the reachable states of a model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from buchi.common.ends import Reason
from buchi.common.errors import AssertionFails, LimitReached
from buchi.models.bytecode import compile_expression
from buchi.models.guarded import Expr, Model
from buchi.pipeline import isolation, search
from buchi.pipeline.ended import Ended
from buchi.pipeline.executable import build_model
from buchi.pipeline.faults import TooNarrowError, faults_of
from buchi.pipeline.loading import ModelLike, load_model
from buchi.pipeline.options import ExploreOptions, Overflow, Reduce
from buchi.pipeline.reduction import DEADLOCKS, reduced
from buchi.pipeline.search import Deadline, Watch, nobody
from buchi.schemas.counters import Counters

Measures: TypeAlias = Callable[[Model], Sequence[Expr]]


def explore(
    model: ModelLike,
    options: ExploreOptions | None = None,
    watch: Watch = nobody,
    measures: Measures = lambda _: (),
) -> Ended:
    """Visit every reachable state of a model. Raises InputError for bad input.

    `measures` returns expressions over the model whose largest values are asked for.
    """
    options = (options or ExploreOptions()).bounded()
    started = time.monotonic()
    isolation.limit(options.limits.seconds, options.limits.bytes)
    isolation.so_far(as_json(Ended(Reason.TIME)))
    try:
        return _explore(model, options, watch, measures)
    except LimitReached as limit:
        return _cut(limit.reason, started)
    except KeyboardInterrupt:
        return _cut(Reason.INTERRUPTED, started)


def _cut(reason: Reason, started: float) -> Ended:
    return Ended(reason, counters=Counters(seconds=time.monotonic() - started))


def explored(ended: Ended) -> dict[str, Any]:
    """Return what an exploration found, by the names of its result.

    There is a reason only where it did not finish, a deadlock where there are some, and a counterexample where an
    assertion fails.
    """
    return _counted(ended) | ({} if ended.found is None else {"counterexample": ended.found})


def _counted(ended: Ended) -> dict[str, Any]:
    counters, reason = ended.counters, ended.reason
    return (
        {
            "states": counters.states,
            "transitions": counters.transitions,
            "deadlocks": ended.deadlocks,
            "seconds": counters.seconds,
            "bytes": counters.bytes,
        }
        | ({} if reason is None else {"reason": reason})
        | ({"deadlock": ended.deadlock} if ended.deadlock else {})
        | ({"reduced": True} if ended.reduced else {})
        | _tokens(ended.largest)
        | ({} if ended.coverage is None else {"coverage": ended.coverage.model_dump(mode="json")})
    )


def _tokens(largest: Sequence[int]) -> dict[str, int]:
    """Return what was measured of a net: the most tokens in a place, and in a marking."""
    return {"tokens_in_place": max(largest[:-1]), "tokens_in_marking": largest[-1]} if largest else {}


def as_json(ended: Ended) -> str:
    """Return what an exploration found as one JSON object."""
    return "".join(json_chunks(ended))


def json_chunks(ended: Ended) -> Iterator[str]:
    """Yield that object piece by piece: a counterexample may be long."""
    counted = json.dumps(_counted(ended), separators=(",", ":"))
    if ended.found is None:
        yield counted
        return
    yield counted.removesuffix("}") + ',"counterexample":'
    yield from ended.found.json_chunks()
    yield "}"


def _with_deadlock(ended: Ended, model: Model) -> Ended:
    """Return the same with a deadlock as it is shown, if there is one."""
    if not ended.path:
        return ended
    from buchi.models.evaluate import Evaluator  # slow to load, as all that results are made of

    evaluator = Evaluator(model)
    return replace(ended, path=(), deadlock=evaluator.show(evaluator.unpack(ended.path[0])))


def _explore(model: ModelLike, options: ExploreOptions, watch: Watch, measures: Measures) -> Ended:
    deadline = Deadline(options.limits.seconds)
    executed = load_model(model, overflow_is_error=options.overflow is Overflow.ERROR).model
    while True:
        isolation.stage("preparing the model", reads=True)
        engine = build_model(executed, options.backend).engine
        if options.reduce is Reduce.ON:
            engine = reduced(executed, engine, DEADLOCKS)
        isolation.stage("exploring")
        try:
            with faults_of(executed):
                measured = [compile_expression(executed, measure) for measure in measures(executed)]
                visit = partial(
                    search.explore, engine, options.limits, deadline, watch, options.workers, measured
                )
                ended = _with_coverage(executed, visit) if options.coverage else visit()
            return _with_deadlock(replace(ended, reduced=options.reduce is Reduce.ON), executed)
        except TooNarrowError as found:
            executed = found.wider
        except AssertionFails as met:
            from buchi.models.evaluate import Evaluator
            from buchi.pipeline import assertions

            again = partial(search.find_failed_assertion, engine, options.limits, deadline, watch)
            return assertions.way_to(met, again, Evaluator(executed), deadline)


def _with_coverage(model: Model, visit: Callable[..., Ended]) -> Ended:
    """Visit the states, and note what never occurs."""
    from buchi.pipeline import coverage  # most explorations do not ask

    ended = visit(watched=coverage.watched(model))
    return replace(ended, coverage=coverage.covered(model, ended))
