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
from buchi.models.guarded import Meaning, Model, StepTest
from buchi.pipeline import assertions, isolation, search
from buchi.pipeline.ended import Ended
from buchi.pipeline.fairness import Condition, conditions
from buchi.pipeline.faults import TooNarrowError, faults_of
from buchi.pipeline.loading import ModelLike, load_model, name_of
from buchi.pipeline.options import CheckOptions, Deadlock, Overflow, Pairs
from buchi.pipeline.prepared import Executable, Prepared
from buchi.pipeline.properties import AutomatonLike, Forbidden, forbidden_by
from buchi.pipeline.replay import REPLAY, Replayer, Trace
from buchi.pipeline.search import Deadline, Watch
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
        if options.reduce:
            _check_keeps(loaded.model, options)
        if options.certificate is not None and loaded.source is None:
            raise InputError("a certificate carries the text of the model, and this one was no file")
        return cls(Executable(loaded, options.backend, options.reduce), forbidden, options)

    def bounded(self, states: int) -> Task:
        """Return the same task within so many states, if no limit is lower."""
        limits = self.options.limits
        least = min(states, limits.states or states)
        return replace(self, options=replace(self.options, limits=limits._replace(states=least)))

    @property
    def stutter(self) -> bool:
        """Does a state without successors repeat itself for ever?"""
        return self.options.deadlock is Deadlock.STUTTER

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
        model = self.model.engine
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
        return search.find_failed_assertion(self.model.engine, self.options.limits, deadline, watch)

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
        run = Trace.of(lasso.prefix, lasso.cycle, product.model_state, look, taken)
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


def _check_keeps(model: Model, options: CheckOptions) -> None:
    """Refuse to reduce where more than deadlocks must be kept. Raises InputError."""
    deadlocks = f"{option('reduce')} keeps deadlocks and nothing else"
    if options.ends is None:
        raise InputError(deadlocks, suggestion=f"try it with {option('deadlock_free')} or {option('end')}")
    if options.fair:
        raise InputError(f"{deadlocks}: leave out {option('fair')}")
    if options.wants_certificate:
        raise InputError(f"{deadlocks}: a certificate is of all states; leave out {option('reduce')}")
    if model.assertions:
        raise InputError(f"{deadlocks}, and the model has assertions")


def _check_reads_states(form: Form, meanings: Mapping[str, Meaning]) -> None:
    """Refuse propositions about steps where letters are of states. Raises InputError."""
    name = next((name for name in form.propositions if isinstance(meanings[name], StepTest)), None)
    if name is not None:
        raise InputError(
            f"the proposition {name} speaks of steps, and a {form.kind.value} reads states only",
            suggestion=f"try {option('via', 'tgba')}",
        )
