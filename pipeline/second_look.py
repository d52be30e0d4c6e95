"""What is told beside a verdict: reasons to doubt the formula, and what of the model never occurs.

The reachable states are visited once more for it: where the property holds and few states were searched, or where
coverage is asked for. Nothing that happens here changes the verdict.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from buchi.common.ends import Reason, Verdict
from buchi.common.errors import InputError, LimitReached
from buchi.models.bytecode import compile_expression, flat_tables
from buchi.models.guarded import Expr
from buchi.pipeline import isolation, search
from buchi.pipeline.coverage import covered, watched
from buchi.pipeline.ended import Ended
from buchi.pipeline.faults import faults_of
from buchi.pipeline.search import Deadline, Watch
from buchi.pipeline.task import Task
from buchi.schemas.cautions import Caution
from buchi.schemas.coverage import Coverage
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult

if TYPE_CHECKING:
    from buchi.pipeline.vacuity import Questions

log = logging.getLogger(__name__)
FEW = 20_000
"""States of a search after which those of the model are looked at, and of the model that are, without being asked."""


@dataclass
class SecondLook:
    """A look at a task that has a verdict, and what it finds."""

    task: Task
    deadline: Deadline
    watch: Watch
    cautions: tuple[Caution, ...] = ()
    coverage: Coverage | None = None

    def take(self, verdict: Verdict, states: int) -> None:
        """Look at the formula, then at the model; what is found until a limit or Ctrl-C is kept."""
        with suppress(KeyboardInterrupt, MemoryError):
            questions = self._of_formula() if self.task.forbidden.value.kind is Kind.LTL else None
            few = verdict is Verdict.HOLDS and states <= FEW
            if self.task.options.coverage or (questions is not None and questions.asked and few):
                self._visit(questions)

    def _of_formula(self) -> Questions | None:
        """Look at the formula; return what is to be asked of the states, unless enough is known."""
        from buchi.pipeline import vacuity  # a property that is no formula needs no Spot

        formula = vacuity.property_of(self.task.forbidden.value)
        if formula is None:
            return None
        self.cautions = tuple(vacuity.of_formula(formula))
        return None if self.cautions else vacuity.Questions.of(formula, self.task.forbidden.meanings)

    def _visit(self, questions: Questions | None) -> None:
        """Visit the states, and ask."""
        try:
            ended = self._visited([] if questions is None else questions.measures())
        except (LimitReached, InputError) as why:
            if self.task.options.coverage:
                log.warning("there is no coverage: %s", why)
            return
        if questions is not None and ended.largest and ended.reason is None:
            self.cautions += tuple(questions.cautions(ended.largest, ended.counters.states))
        if self.task.options.coverage:
            model, meanings = self.task.model.loaded.model, self.task.forbidden.meanings
            self.coverage = covered(model, ended, meanings.values())

    def _visited(self, measures: Sequence[Expr]) -> Ended:
        """Visit the states; where a proposition fails in one that the search had no need of, only for the coverage."""
        try:
            return self.task.widening(lambda: self._explored(measures))
        except InputError:
            if not (measures and self.task.options.coverage):
                raise
            return self.task.widening(lambda: self._explored(()))

    def _explored(self, measures: Sequence[Expr]) -> Ended:
        options, model = self.task.options, self.task.model.loaded.model
        engine = self.task.model.engine
        isolation.stage("looking at the model again")
        few = min(options.limits.states or FEW, FEW)
        with faults_of(model, [""] * len(measures)):
            return search.explore(
                engine,
                options.limits if options.coverage else options.limits._replace(states=few),
                self.deadline,
                self.watch,
                options.workers if options.coverage else 1,
                [compile_expression(model, measure) for measure in measures],
                flat_tables(model),
                watched(model) if options.coverage else None,
            )


def looked_again(result: CheckResult, task: Task, deadline: Deadline, watch: Watch) -> CheckResult:
    """Return a result with what a second look at its task finds."""
    if result.reason is Reason.INTERRUPTED:
        return result
    look = SecondLook(task, deadline, watch)
    look.take(result.verdict, result.states)
    return result.model_copy(update={"warnings": look.cautions, "coverage": look.coverage})
