"""Checks a model against a property: translate, choose a checker, search the product, replay."""

from __future__ import annotations

from dataclasses import asdict

from buchi.common.ends import Reason
from buchi.pipeline import isolation
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.loading import ModelLike
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.routes import NO_WISHES, Wishes, convert
from buchi.pipeline.search import Deadline, Watch, nobody
from buchi.pipeline.task import Task
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult


def check(
    model: ModelLike,
    *,
    ltl: str | None = None,
    automaton: AutomatonLike | None = None,
    options: CheckOptions | None = None,
    wishes: Wishes = NO_WISHES,
    watch: Watch = nobody,
) -> CheckResult:
    """Check a model.

    The property is the formula `ltl`, or that no run is accepted by the `automaton` (a HOA file, or a value), or
    else by the property process of the model; `wishes` says how its automaton is made. Raises InputError for bad
    input; a limit or Ctrl-C gives `unknown`.
    """
    options = (options or CheckOptions()).bounded()
    answer = Answer(options.via or Kind.TGBA, options.workers)
    isolation.limit(options.limits.seconds, options.limits.bytes)
    _leave(answer)
    with answer.ends_early():
        deadline = Deadline(options.limits.seconds)
        task = Task.of(model, ltl, automaton, options)
        prepare(answer, task, lambda kind: _made(task, kind, wishes, deadline))
        _leave(answer)
        decide(answer, task, deadline, watch)
    return _result(answer, answer.reason)


def _made(task: Task, kind: Kind, wishes: Wishes, deadline: Deadline) -> Prepared:
    """Make the automaton. It can be ended from outside, so that the limits hold for a formula that blows up."""
    within = task.options.limits._replace(seconds=deadline.remaining())
    return task.prepared(convert(task.forbidden.value, kind, wishes, within))


def _leave(answer: Answer) -> None:
    """Leave what is known, for the case that this process is ended."""
    isolation.so_far(_result(answer, Reason.TIME).model_dump_json())


def _result(answer: Answer, reason: Reason | None) -> CheckResult:
    ready = answer.ready
    return CheckResult(
        **asdict(answer.counters),
        verdict=answer.verdict,
        kind=answer.kind.value,
        checker=ready.choice.checker.name if ready else None,
        workers=answer.workers,
        automaton=ready.automaton.size if ready else None,
        reason=reason,
        counterexample=answer.found,
        why=ready.choice.why if ready else None,
    )
