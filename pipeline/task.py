"""A model and what it must not do: everything of a check that is the same for every route."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TypeVar

from buchi import _engine
from buchi.checkers.declaration import AnyChecker, Lasso
from buchi.common.errors import AssertionFails, InputError
from buchi.common.option_names import option
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Meaning, StepTest
from buchi.pipeline import assertions, isolation, search
from buchi.pipeline.ended import Ended
from buchi.pipeline.fairness import Condition, conditions
from buchi.pipeline.faults import TooNarrowError, faults_of
from buchi.pipeline.keeping import kept_for
from buchi.pipeline.loading import ModelLike, load_model, name_of
from buchi.pipeline.notes import Watcher
from buchi.pipeline.options import CheckOptions, Deadlock, Overflow, Pairs, Reduce
from buchi.pipeline.prepared import Executable, Prepared
from buchi.pipeline.properties import AutomatonLike, Forbidden, forbidden_by
from buchi.pipeline.reduction import Kept
from buchi.pipeline.replay import REPLAY, Replayer, Trace
from buchi.pipeline.search import Asked, Deadline, Watch
from buchi.pipeline.steps_taken import steps_taken
from buchi.schemas.automaton import Clause, Letter
from buchi.schemas.kind_schemas import Form
from buchi.schemas.result import Counterexample

Result = TypeVar("Result")


@dataclass(frozen=True)
class Task:
    """What is to be checked, and how."""

    model: Executable
    forbidden: Forbidden
    options: CheckOptions

    @classmethod
    def of(
        cls, model: ModelLike, ltl: str | None, automaton: AutomatonLike | None, options: CheckOptions
    ) -> Task:
        """Read the files. Raises InputError."""
        loaded = load_model(model, overflow_is_error=options.overflow is Overflow.ERROR)
        forbidden = forbidden_by(ltl, automaton, loaded, name_of(model), options.ends)
        if options.certificate is not None and loaded.source is None:
            raise InputError("a certificate carries the text of the model, and this one was no file")
        task = cls(Executable(loaded, options.backend), forbidden, options)
        if options.reduce is Reduce.ON:
            _ = task.kept
        return task

    def bounded(self, states: int) -> Task:
        """Return the same task within so many states, if no limit is lower."""
        limits = self.options.limits
        least = min(states, limits.states or states)
        return replace(self, options=replace(self.options, limits=limits._replace(states=least)))

    def whole(self) -> Task:
        """Return the same task with all of the model."""
        return replace(self, options=replace(self.options, reduce=Reduce.OFF))

    def reduced(self) -> Task:
        """Return the same task with a part of the model that is enough."""
        return replace(self, options=replace(self.options, reduce=Reduce.ON))

    @property
    def stutter(self) -> bool:
        """Does a state without successors repeat itself for ever?"""
        return self.options.deadlock is Deadlock.STUTTER

    @property
    def kept(self) -> Kept | None:
        """What a part of the model keeps that is enough for the property; None where there is none, or none is wanted.

        Raises InputError where one is wanted.
        """
        if isinstance(self._keeping, InputError) and self.options.reduce is Reduce.ON:
            raise self._keeping
        return self._keeping if isinstance(self._keeping, Kept) else None

    @property
    def not_reduced(self) -> str | None:
        """Why all of the model has to be searched, where a part of it would do as well if there was one."""
        return self._keeping.message if isinstance(self._keeping, InputError) else None

    @cached_property
    def _keeping(self) -> Kept | InputError | None:
        if self.options.reduce is Reduce.OFF:
            return None
        try:
            return kept_for(self.model.loaded.model, self.forbidden, self.options)
        except InputError as error:
            return error

    @property
    def engine(self) -> _engine.Model:
        """The model that is searched: all of it, or a part that is enough. Raises InputError."""
        if self.options.reduce is not Reduce.ON:
            return self.model.engine
        assert self.kept is not None, "it is refused where there is none"
        return self.model.reduced(self.kept)

    @cached_property
    def fair(self) -> tuple[Condition, ...]:
        """To what the runs that count are fair. Raises InputError."""
        return conditions(self.model.loaded.model, self.options.fair, self.options.fair_by)

    def prepared(self, form: Form) -> Prepared:
        """Return an automaton ready for products with the model. Raises InputError."""
        prepared = Prepared(form, self.model, self.forbidden.meanings, self.fair)
        if prepared.table.letter is not Letter.SOURCE:
            _check_reads_states(form, self.forbidden.meanings)
        return prepared

    def product(self, prepared: Prepared) -> _engine.Product:
        """Return the product with an automaton, with no state stored yet."""
        model = self.engine
        with isolation.memory_is_metered():
            return _engine.Product(
                model, prepared.engine, self.stutter, self.options.seed, prepared.step_marks
            )

    def search(
        self,
        product: _engine.Product,
        prepared: Prepared,
        checker: AnyChecker,
        deadline: Deadline,
        watch: Watch,
        acceptance: Sequence[Clause] | None = None,
        asked: Asked | None = None,
    ) -> Ended:
        """Search a product for a run that the automaton accepts, or by another acceptance."""
        isolation.stage(f"searching ({checker.name})")
        automaton, limits = prepared.table, self.options.limits
        wanted = checker.accepts.conditions(automaton) if acceptance is None else (acceptance,)
        assert wanted is not None, "the checker takes the automaton"
        workers = self.options.workers if checker.accepts.workers else 1
        with faults_of(self.model.loaded.model, automaton.propositions):
            return search.check(
                product,
                wanted,
                checker,
                limits,
                deadline,
                watch,
                workers,
                self.options.pairs is Pairs.TOGETHER,
                asked,
                self.options.wants_certificate and acceptance is None,
            )

    def way_to(self, met: AssertionFails, deadline: Deadline, watch: Watch) -> Ended:
        """Return how the search for the way to an assertion that fails ended. Raises LimitReached."""
        search = partial(self._find_failed_assertion, deadline, watch)
        return assertions.way_to(met, search, self.model.evaluator, deadline)

    def assertions(self, deadline: Deadline, watch: Watch) -> Ended:
        """Search all of the model for an assertion that fails. Raises LimitReached."""
        search = partial(self._find_failed_assertion, deadline, watch)
        return assertions.searched(search, self.model.evaluator, deadline)

    def _find_failed_assertion(self, deadline: Deadline, watch: Watch) -> Ended:
        return search.find_failed_assertion(self.engine, self.options.limits, deadline, watch)

    def widening(self, work: Callable[[], Result]) -> Result:
        """Do a work that searches; where a variable proves to be too narrow, begin it again with a wider one."""
        while True:
            try:
                return work()
            except TooNarrowError as found:
                wider = found.wider
            self.model.widen(wider)

    def replayed(
        self, lasso: Lasso, product: _engine.Product, prepared: Prepared, deadline: Deadline
    ) -> Counterexample:
        """Return the counterexample that an accepting run is, after making sure that it is one. Raises LimitReached."""
        isolation.stage("replaying the counterexample")
        look, taken = deadline.at_least(REPLAY).remaining, None
        if prepared.speaks_of_steps:
            lasso, taken = steps_taken(product, lasso, prepared.table, look)
        watcher = Watcher.of(lasso, product, prepared.table, look)
        run = Trace.of(lasso.prefix, lasso.cycle, product.model_state, look, taken, watcher)
        return self._replayer(self.model.evaluator).counterexample(run)

    @cached_property
    def _replayer(self) -> Callable[[Evaluator], Replayer]:
        """Makes the replayer, which learns from one run for the next; a wider model has another evaluator."""
        forbidden = self.forbidden
        return lru_cache(1)(
            lambda evaluator: Replayer(
                evaluator, forbidden.meanings, forbidden.judge, stutter=self.stutter, fair=self.fair
            )
        )


def _check_reads_states(form: Form, meanings: Mapping[str, Meaning]) -> None:
    """Refuse propositions about steps where letters are of states. Raises InputError."""
    name = next((name for name in form.propositions if isinstance(meanings[name], StepTest)), None)
    if name is not None:
        raise InputError(
            f"the proposition {name} speaks of steps, and a {form.kind.value} reads states only",
            suggestion=f"try {option('via', 'tgba')}",
        )
