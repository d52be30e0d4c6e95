"""Answers the formulas of a file of the Model Checking Contest; all of them share the net as it is loaded and compiled.

Limits hold for each formula. One that cannot be answered says why, and the others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from buchi.common.ends import Limits, Reason, Verdict
from buchi.common.errors import BuchiError, InputError, InternalError, nearest
from buchi.models.pnml.contest import Property, read_properties
from buchi.pipeline import isolation
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.check import made
from buchi.pipeline.judge import judge_formula
from buchi.pipeline.loading import ModelLike, load_model, read_text
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.prepared import Executable
from buchi.pipeline.properties import Forbidden
from buchi.pipeline.routes import NO_WISHES, Wishes
from buchi.pipeline.search import Deadline, Watch, nobody
from buchi.pipeline.task import Task
from buchi.schemas.kinds import Kind

if TYPE_CHECKING:
    from buchi.pipeline.executors.jobs import Here

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Answered:
    """What is known of a formula by its id; `why` says what kept it from being known."""

    id: str
    verdict: Verdict = Verdict.UNKNOWN
    reason: Reason | None = None
    why: str | None = None
    checker: str | None = None
    states: int = 0
    transitions: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Examination:
    """A net and what is asked of it."""

    model: Executable
    properties: Sequence[Property]
    options: CheckOptions
    wishes: Wishes = NO_WISHES
    watch: Watch = nobody

    @classmethod
    def of(
        cls, model: ModelLike, file: Path | str, only: Sequence[str], options: CheckOptions, wishes: Wishes
    ) -> Examination:
        """Read the files. Raises InputError."""
        options = options.bounded()
        isolation.limit(options.limits.seconds, options.limits.bytes)
        loaded = load_model(model)
        isolation.stage(f"reading {file}", reads=True)
        found = _chosen(read_properties(read_text(Path(file)), str(file), loaded.model), only)
        executable = Executable(loaded, options.backend)
        executable.engine  # noqa: B018  (built before the time of the first formula begins)
        isolation.limit(None, None)
        return cls(executable, found, options, wishes)

    def answers(self, jobs: int | None = None) -> Iterator[Answered]:
        """Yield the answers; with `jobs`, so many formulas at a time, each in a process of its own."""
        if jobs is None:
            yield from map(self.answer, range(len(self.properties)))
            return
        from buchi.pipeline.executors import local

        questions = (_Question(number, p.id, self.options.limits) for number, p in enumerate(self.properties))
        with closing(local.execute(questions, min(jobs, len(self.properties)), {_Question: self})) as answers:
            yield from (answer for answer in answers if answer is not None)

    def answer(self, number: int) -> Answered:
        """Answer a formula. A counterexample that is none is a bug."""
        name, answer = self.properties[number].id, Answer(self.options.via or Kind.TGBA, self.options.workers)
        why = None
        try:
            with answer.ends_early():
                self._decide(self.properties[number], answer)
        except InternalError:
            raise
        except BuchiError as error:
            log.warning("%s: %s", name, error)
            why = str(error).splitlines()[0]
        counters, ready = answer.counters, answer.ready
        return Answered(
            name,
            answer.verdict,
            answer.reason,
            why,
            ready.choice.checker.name if ready else None,
            counters.states,
            counters.transitions,
            counters.seconds,
        )

    def _decide(self, asked: Property, answer: Answer) -> None:
        deadline = Deadline(self.options.limits.seconds)
        task = Task(self.model, _forbidden(asked), self.options)
        prepare(answer, task, lambda kind: made(task, kind, self.wishes, deadline))
        decide(answer, task, deadline, self.watch)
        if answer.reason is Reason.INTERRUPTED:
            raise KeyboardInterrupt


def _chosen(properties: Sequence[Property], only: Sequence[str]) -> Sequence[Property]:
    by_id = {p.id: p for p in properties}
    for name in only:
        if name not in by_id:
            raise InputError(f"there is no formula {name}", suggestion=nearest(name, by_id))
    return [by_id[name] for name in only] if only else properties


def _forbidden(asked: Property) -> Forbidden:
    from buchi.translators.ltl import parse_ltl

    negated = parse_ltl(asked.formula, asked.id).negated()
    return Forbidden(negated, judge_formula(negated), asked.meanings)


@dataclass(frozen=True)
class _Question:
    """The job of answering a formula; the process was born with the examination."""

    number: int
    id: str
    limits: Limits
    places: int = 1

    @property
    def key(self) -> str:
        return self.id

    def execute(self, here: Here) -> Answered:
        here.begin()
        examination: Examination = here.keep(_Question, _not_born_with_it)
        return examination.answer(self.number)

    def out_of_bounds(self, _started: datetime, reason: Reason, message: str) -> Answered:
        return Answered(self.id, reason=reason, why=message)

    def lost(self, _started: datetime, message: str) -> Answered:
        return Answered(self.id, why=message)

    failed = lost


def _not_born_with_it() -> Examination:
    raise AssertionError("workers are forks of the process that has the examination")
