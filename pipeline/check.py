"""Checks a model against a property: translate, choose a checker, search the product, replay."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

from buchi.common.ends import Reason
from buchi.pipeline import isolation
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.loading import Given, ModelLike
from buchi.pipeline.options import Apart, CheckOptions
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.routes import NO_WISHES, Wishes, convert
from buchi.pipeline.search import Deadline, Watch, nobody
from buchi.pipeline.second_look import looked_again
from buchi.pipeline.task import Task
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult


@dataclass(frozen=True)
class Asked:
    """A question: a model, a property as `check` takes it, and how it is to be answered."""

    model: ModelLike
    ltl: str | None
    automaton: AutomatonLike | None
    options: CheckOptions

    def task(self) -> Task:
        """Read the files. Raises InputError."""
        return Task.of(self.model, self.ltl, self.automaton, self.options)


def check(
    model: ModelLike,
    *,
    ltl: str | None = None,
    automaton: AutomatonLike | None = None,
    options: CheckOptions | None = None,
    wishes: Wishes = NO_WISHES,
    apart: Apart | None = None,
    watch: Watch = nobody,
) -> CheckResult:
    """Check a model.

    The property is the formula `ltl`, or that no run is accepted by the `automaton` (a HOA file, or a value), or
    else by the property process of the model; `wishes` says how its automaton is made, `apart` which processes work
    for it. Raises InputError for bad input; a limit or Ctrl-C gives `unknown`.
    """
    given = options or CheckOptions()
    asked = Asked(_found_anywhere(model), ltl, _found_anywhere(automaton), given)
    options = given.bounded()
    answer = Answer(options.via or Kind.TGBA, options.workers)
    isolation.limit(options.limits.seconds, options.limits.bytes)
    _leave(answer)
    with answer.ends_early():
        deadline = Deadline(options.limits.seconds)
        task = Task.of(model, ltl, automaton, options)
        if apart is not None:
            from buchi.pipeline import contest  # most checks need no processes

            result = contest.hold(contest.Field(task, wishes, asked, apart), deadline)
            return looked_again(result, task, deadline, watch)
        prepare(answer, task, lambda kind: made(task, kind, wishes, deadline))
        _leave(answer)
        decide(answer, task, deadline, watch)
        return looked_again(result_of(answer, answer.reason), task, deadline, watch)
    return result_of(answer, answer.reason)


File = TypeVar("File")


def _found_anywhere(file: File) -> File | Path:
    """Return a file by a path that leads to it from other folders too; what is no file stays as it is."""
    if isinstance(file, Given):
        return replace(file, path=file.path.absolute())
    return Path(file).absolute() if isinstance(file, Path | str) else file


def made(task: Task, kind: Kind, wishes: Wishes, deadline: Deadline) -> Prepared:
    """Make the automaton. It can be ended from outside, so that the limits hold for a formula that blows up."""
    within = task.options.limits._replace(seconds=deadline.remaining())
    return task.prepared(convert(task.forbidden.value, kind, wishes, within))


def _leave(answer: Answer) -> None:
    """Leave what is known, for the case that this process is ended."""
    isolation.so_far(result_of(answer, Reason.TIME).model_dump_json())


def result_of(answer: Answer, reason: Reason | None) -> CheckResult:
    """Return an answer as a result; `reason` is why it is unknown, if it is."""
    ready = answer.ready
    return CheckResult(
        **asdict(answer.counters),
        verdict=answer.verdict,
        kind=answer.kind.value,
        checker=ready.choice.checker.name if ready else None,
        workers=answer.workers,
        automaton=ready.automaton.size if ready else None,
        reduced=answer.reduced,
        reason=reason,
        counterexample=answer.found,
        certified=answer.certified,
        why=ready.choice.why if ready else None,
        not_reduced=answer.not_reduced,
    )
