"""A model and what it must not do: everything of a check that is the same for every route."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from buchi import _engine
from buchi.checkers.declaration import AnyChecker, Lasso
from buchi.pipeline import isolation, search
from buchi.pipeline.ended import Ended
from buchi.pipeline.faults import faults_of
from buchi.pipeline.loading import ModelLike, load_model, name_of
from buchi.pipeline.options import CheckOptions, Deadlock, Overflow
from buchi.pipeline.prepared import Executable, Prepared
from buchi.pipeline.properties import AutomatonLike, Forbidden, forbidden_by
from buchi.pipeline.replay import Replayer, Trace
from buchi.pipeline.search import Deadline, Watch
from buchi.schemas.automaton import Clause
from buchi.schemas.kind_schemas import Form
from buchi.schemas.result import Counterexample

REPLAY = 0.5
"""Seconds that a replay may take when the search took all the time there was."""


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
        forbidden = forbidden_by(ltl, automaton, loaded, name_of(model))
        return cls(Executable(loaded, options.backend), forbidden, options)

    @property
    def stutter(self) -> bool:
        """Does a state without successors repeat itself for ever?"""
        return self.options.deadlock is Deadlock.STUTTER

    def prepared(self, form: Form) -> Prepared:
        """Return an automaton ready for products with the model."""
        return Prepared(form, self.model, self.forbidden.meanings)

    def product(self, prepared: Prepared) -> _engine.Product:
        """Return the product with an automaton, with no state stored yet."""
        model = self.model.engine
        with isolation.memory_is_metered():
            return _engine.Product(model, prepared.engine, self.stutter, self.options.seed)

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
        wanted = automaton.acceptance if acceptance is None else acceptance
        with faults_of(self.model.loaded.model, automaton.propositions):
            return search.check(product, wanted, checker, limits, deadline, watch, self.options.workers)

    def replayed(self, lasso: Lasso, product: _engine.Product, deadline: Deadline) -> Counterexample:
        """Return the counterexample that an accepting run is, after making sure that it is one. Raises LimitReached."""
        isolation.stage("replaying the counterexample")
        patience = deadline.at_least(REPLAY)

        def read(state: int) -> bytes:
            patience.remaining()
            return product.model_state(state)

        return self._replayer.counterexample(Trace.of(lasso.prefix, lasso.cycle, read))

    @cached_property
    def _replayer(self) -> Replayer:
        forbidden = self.forbidden
        return Replayer(self.model.evaluator, forbidden.meanings, forbidden.judge, stutter=self.stutter)
