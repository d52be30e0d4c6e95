"""Answers several questions about one model, which is loaded and compiled once.

Each is answered in a process that is a fork of this one, one after the other or several at a time: limits hold for it
whatever it does, and one that dies takes no other with it. Ctrl-C ends those that are not finished.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from buchi.common.ends import Limits, Reason
from buchi.common.errors import BuchiError, InternalError, LimitReached
from buchi.pipeline import isolation
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.check import made, result_of
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.prepared import Executable
from buchi.pipeline.properties import Forbidden
from buchi.pipeline.routes import NO_WISHES, Wishes
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.second_look import looked_again
from buchi.pipeline.task import Task
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult

if TYPE_CHECKING:
    from buchi.pipeline.executors.jobs import Here

NO_TIME = 0.01
"""Seconds that a question has where none are left: enough to say so."""


@dataclass(frozen=True)
class Question:
    """What must not happen, and how it is to be found out; the limits are those of this question."""

    name: str
    forbidden: Forbidden
    options: CheckOptions


@dataclass(frozen=True)
class Answered:
    """What became of the question with a number: a result, or the error that it ended with."""

    number: int
    result: CheckResult | None = None
    error: BuchiError | None = None


@dataclass(frozen=True)
class _Gone:
    """What became of a process that had to be ended."""

    number: int
    reason: Reason
    seconds: float


def without_answer(options: CheckOptions, reason: Reason, seconds: float = 0.0) -> CheckResult:
    """Return the result of a check that ended before there was anything to tell."""
    answer = Answer(options.via or Kind.TGBA, options.workers, cut=reason, _began=time.monotonic() - seconds)
    return result_of(answer, reason)


@dataclass(frozen=True)
class Questions:
    """A model, what is asked of it, and when all answers must be there."""

    model: Executable
    questions: Sequence[Question]
    wishes: Wishes = NO_WISHES
    deadline: Deadline = field(default_factory=lambda: Deadline(None))
    twice: bool = False
    """Is each answer looked at again, for reasons to doubt the formula?"""

    def answers(self, jobs: int = 1) -> Iterator[Answered]:
        """Yield the answers, in the order in which they come; so many questions are answered at a time.

        Ctrl-C ends this: the questions that are not answered then have none.
        """
        from buchi.pipeline.executors import local

        _ = self.model.engine  # once for all processes
        isolation.stage("waiting for the answers", has_others=True)
        work = (_Job(number, asked.options, self.deadline) for number, asked in enumerate(self.questions))
        interrupted = threading.Event()
        with (
            isolation.interrupts_call(interrupted.set),
            closing(local.execute(work, jobs, {Questions: self})) as outcomes,
        ):
            for outcome in outcomes:
                if outcome is not None:
                    yield self._told(outcome)
                if interrupted.is_set():
                    return

    def _told(self, outcome: Answered | _Gone) -> Answered:
        """Return an answer; values are made here, and not in the thread that watches over a process."""
        if isinstance(outcome, Answered):
            return outcome
        options = self.questions[outcome.number].options
        return Answered(outcome.number, without_answer(options, outcome.reason, outcome.seconds))

    def answer(self, number: int) -> Answered:
        """Answer a question. A counterexample that is none is a bug."""
        question = self.questions[number]
        options = question.options
        answer = Answer(options.via or Kind.TGBA, options.workers)
        try:
            result = self._decided(question, answer)
        except BuchiError as error:
            return Answered(number, error=error)
        return Answered(number, result)

    def _decided(self, question: Question, answer: Answer) -> CheckResult:
        deadline = self.deadline.sooner(question.options.limits.seconds)
        task = Task(self.model, question.forbidden, question.options)
        with answer.ends_early():
            deadline.remaining()
            prepare(answer, task, lambda kind: made(task, kind, self.wishes, deadline))
            decide(answer, task, deadline, nobody)
        result = result_of(answer, answer.reason)
        return looked_again(result, task, deadline, nobody) if self.twice and answer.cut is None else result


@dataclass(frozen=True)
class _Job:
    """The job of answering a question; its process was born with all of them."""

    number: int
    options: CheckOptions
    deadline: Deadline

    @property
    def key(self) -> str:
        return str(self.number)

    @property
    def places(self) -> int:
        return self.options.workers

    @property
    def limits(self) -> Limits:
        """Those of the question, within the time that is left for all."""
        own = self.options.limits
        try:
            return own._replace(seconds=self.deadline.sooner(own.seconds).remaining())
        except LimitReached:
            return own._replace(seconds=NO_TIME)

    def execute(self, here: Here) -> Answered | _Gone:
        questions: Questions = here.keep(Questions, _not_born_with_them)
        here.begin()
        return questions.answer(self.number)

    def out_of_bounds(self, started: datetime, reason: Reason, _message: str) -> Answered | _Gone:
        return _Gone(self.number, reason, (datetime.now(timezone.utc) - started).total_seconds())

    def lost(self, started: datetime, message: str) -> Answered | _Gone:
        """Return what it is that its process died; it is the system that kills, where memory runs out."""
        if isolation.signal_name(9) in message:
            return self.out_of_bounds(started, Reason.MEMORY, message)
        return Answered(self.number, error=InternalError(message))

    def failed(self, _started: datetime, message: str) -> Answered | _Gone:
        return Answered(self.number, error=InternalError(message))


def _not_born_with_them() -> Questions:
    raise AssertionError("workers are forks of the process that has the questions")
