"""Checks a model against a property: translate, choose a checker, search the product, replay."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace

from buchi.common.errors import InputError, LimitReached
from buchi.common.option_names import option
from buchi.pipeline import isolation
from buchi.pipeline.dispatch import NO_THREADS, Choice, choose_checker
from buchi.pipeline.loading import ModelLike
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import AutomatonLike, kind_to_check, to_form
from buchi.pipeline.search import Deadline, Ended, Watch, nobody
from buchi.pipeline.task import Task
from buchi.schemas.ends import Reason
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult, Counterexample, Verdict

log = logging.getLogger(__name__)


@dataclass
class _Progress:
    """What is known so far, so that an end before time can tell it."""

    kind: Kind
    prepared: Prepared | None = None
    choice: Choice | None = None
    ended: Ended = field(default_factory=lambda: Ended(None))


def check(
    model: ModelLike,
    *,
    ltl: str | None = None,
    automaton: AutomatonLike | None = None,
    options: CheckOptions | None = None,
    watch: Watch = nobody,
) -> CheckResult:
    """Check a model.

    The property is the formula `ltl`, or that no run is accepted by the `automaton` (a HOA file, or a value), or
    else by the property process of the model. Raises InputError for bad input; a limit or Ctrl-C gives `unknown`.
    """
    options = (options or CheckOptions()).bounded()
    if options.workers != 1:
        raise InputError(f"{option('workers', options.workers)}: {NO_THREADS}")
    started, known = time.monotonic(), _Progress(options.via or Kind.TGBA)
    isolation.limit(options.limits.seconds, options.limits.bytes)
    _leave(known)
    try:
        return _check(model, ltl, automaton, options, watch, known)
    except LimitReached as limit:
        reason = _reason(limit)
        log.info("ended early: %s", limit.reason)
    except KeyboardInterrupt:
        reason = Reason.INTERRUPTED
    except MemoryError:
        reason = Reason.MEMORY
    seconds = known.ended.seconds or time.monotonic() - started
    return _result(known, replace(known.ended, reason=reason, seconds=seconds), None)


def _leave(known: _Progress) -> None:
    """Leave what is known, for the case that this process is ended."""
    isolation.so_far(_result(known, replace(known.ended, reason=Reason.TIME), None).model_dump_json())


def _reason(limit: LimitReached) -> Reason:
    """Return what kind of limit ended a translation, whose message says more."""
    return next((reason for reason in Reason if reason.value in limit.reason), Reason.MEMORY)


def _check(
    model: ModelLike,
    ltl: str | None,
    forbidden: AutomatonLike | None,
    options: CheckOptions,
    watch: Watch,
    known: _Progress,
) -> CheckResult:
    deadline = Deadline(options.limits.seconds)
    task = Task.of(model, ltl, forbidden, options)
    known.kind = kind_to_check(task.forbidden.value, options.via, options.checker)
    form = to_form(task.forbidden.value, known.kind, options.limits, deadline)
    known.prepared = prepared = task.prepared(form)
    known.choice = choose_checker(options.checker, prepared.table, total=task.stutter)
    if options.via is None and known.kind is Kind.TFLA != task.forbidden.value.kind:
        known.choice = replace(known.choice, why=f"{known.choice.why}; Fin was removed from the one given")
    _leave(known)
    product = task.product(prepared)
    ended = task.search(product, prepared, known.choice.checker, deadline, watch)
    known.ended = ended
    if ended.lasso is None:
        return _result(known, ended, None)
    if ended.reason is not None:
        log.warning("the search for a shorter counterexample was not finished (%s)", ended.reason.value)
    return _result(known, replace(ended, reason=None), task.replayed(ended.lasso, product, deadline))


def _result(known: _Progress, ended: Ended, found: Counterexample | None) -> CheckResult:
    return CheckResult(
        verdict=_verdict(ended, found),
        kind=known.kind.value,
        checker=known.choice.checker.name if known.choice else None,
        workers=1,
        automaton=known.prepared.size if known.prepared else None,
        states=ended.states,
        transitions=ended.transitions,
        post_calls=ended.post_calls,
        max_depth=ended.max_depth,
        seconds=ended.seconds,
        bytes=ended.bytes,
        reason=ended.reason,
        counterexample=found,
        why=known.choice.why if known.choice else None,
    )


def _verdict(ended: Ended, found: Counterexample | None) -> Verdict:
    if found is not None:
        return Verdict.VIOLATED
    return Verdict.HOLDS if ended.reason is None else Verdict.UNKNOWN
