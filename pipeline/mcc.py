"""Answers the formulas of a file of the Model Checking Contest; all of them share the net as it is loaded and compiled.

Limits hold for each formula. One that cannot be answered says why, and the others go on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from buchi.common.ends import Reason, Verdict
from buchi.common.errors import InputError, InternalError, nearest
from buchi.models.pnml.contest import Property, read_properties
from buchi.pipeline import isolation, questions
from buchi.pipeline.judge import judge_formula
from buchi.pipeline.loading import ModelLike, load_model, read_text
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.prepared import Executable
from buchi.pipeline.properties import Forbidden, Given
from buchi.pipeline.questions import Question, Questions
from buchi.pipeline.routes import Wishes
from buchi.schemas.certificate import ContestFormula

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

    asked: Questions

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
        return cls(Questions(executable, [Question(p.id, _forbidden(p), options) for p in found], wishes))

    def answers(self, jobs: int = 1) -> Iterator[Answered]:
        """Yield the answers; so many formulas at a time, each in a process of its own.

        Raises InternalError when all are told: a counterexample that is none is a bug.
        """
        bugs = []
        for answered in self.asked.answers(min(jobs, len(self.asked.questions))):
            bugs += [answered.error] if isinstance(answered.error, InternalError) else []
            yield self._told(answered)
        if bugs:
            raise bugs[0]

    def _told(self, answered: questions.Answered) -> Answered:
        """Return an answer by the id of its formula."""
        name, result = self.asked.questions[answered.number].name, answered.result
        if result is None:
            log.warning("%s: %s", name, answered.error)
            return Answered(name, why=str(answered.error).splitlines()[0])
        found = result.verdict, result.reason, None, result.checker
        return Answered(name, *found, result.states, result.transitions, result.seconds)


def _chosen(properties: Sequence[Property], only: Sequence[str]) -> Sequence[Property]:
    by_id = {p.id: p for p in properties}
    for name in only:
        if name not in by_id:
            raise InputError(f"there is no formula {name}", suggestion=nearest(name, by_id))
    return [by_id[name] for name in only] if only else properties


def _forbidden(asked: Property) -> Forbidden:
    from buchi.translators.ltl import parse_ltl

    negated = parse_ltl(asked.formula, asked.id).negated()
    text = ContestFormula(formula=asked.formula, propositions=asked.texts).model_dump_json()
    return Forbidden(negated, judge_formula(negated), asked.meanings, Given("contest", text))
