"""A model and what it must not do: everything of a check that is the same for every route."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from buchi import _engine
from buchi.checkers.declaration import AnyChecker, Lasso
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.pipeline import isolation, search
from buchi.pipeline.faults import faults_of
from buchi.pipeline.loading import ModelLike, load_model, name_of
from buchi.pipeline.options import CheckOptions, Deadlock, Overflow
from buchi.pipeline.product import build_model, build_product
from buchi.pipeline.properties import AutomatonLike, Forbidden, Form, forbidden_by
from buchi.pipeline.replay import Run, replay
from buchi.pipeline.search import Deadline, Ended, Watch
from buchi.schemas.automaton import Automaton
from buchi.schemas.result import AutomatonSize, Counterexample
from buchi.schemas.table import table

REPLAY = 0.5
"""Seconds that a replay may take when the search took all the time there was."""


@dataclass(frozen=True)
class Task:
    """What is to be checked, and how; the model is built when it is first needed, and once."""

    loaded: Loaded
    forbidden: Forbidden
    options: CheckOptions

    @classmethod
    def of(
        cls, model: ModelLike, ltl: str | None, automaton: AutomatonLike | None, options: CheckOptions
    ) -> Task:
        """Read the files. Raises InputError."""
        loaded = load_model(model, overflow_is_error=options.overflow is Overflow.ERROR)
        return cls(loaded, forbidden_by(ltl, automaton, loaded, name_of(model)), options)

    @property
    def stutter(self) -> bool:
        """Does a state without successors repeat itself for ever?"""
        return self.options.deadlock is Deadlock.STUTTER

    @cached_property
    def engine(self) -> _engine.Model:
        """The model as the engine runs it."""
        isolation.stage("preparing the model", reads=True)
        return build_model(self.loaded.model, self.options.backend)

    def product(self, automaton: Automaton) -> _engine.Product:
        """Return the product with `automaton`, with no state stored yet."""
        engine = self.engine
        with isolation.memory_is_metered():
            return build_product(
                self.loaded.model,
                engine,
                automaton,
                self.forbidden.meanings,
                stutter=self.stutter,
                seed=self.options.seed,
            )

    def search(
        self,
        product: _engine.Product,
        automaton: Automaton,
        checker: AnyChecker,
        deadline: Deadline,
        watch: Watch,
    ) -> Ended:
        """Search a product for an accepting run."""
        isolation.stage(f"searching ({checker.name})")
        with faults_of(self.loaded.model, automaton.propositions):
            return search.check(product, automaton, checker, self.options.limits, deadline, watch)

    def replayed(self, lasso: Lasso, product: _engine.Product, deadline: Deadline) -> Counterexample:
        """Return the counterexample that an accepting run is, after making sure that it is one. Raises LimitReached."""
        isolation.stage("replaying the counterexample")
        patience = deadline.at_least(REPLAY)

        def read(state: int) -> bytes:
            patience.remaining()
            return product.model_state(state)

        run = Run.of(lasso.prefix, lasso.cycle, read)
        evaluator = Evaluator(self.loaded.model)
        return replay(run, evaluator, self.forbidden.meanings, self.forbidden.judge, stutter=self.stutter)


def size_of(form: Form) -> AutomatonSize:
    """Return the size of an automaton as its own kind counts it; only the acceptance is that of its table."""
    automaton = table(form)
    return AutomatonSize(
        states=form.states, edges=len(form.edges), sets=automaton.sets, pairs=len(automaton.acceptance)
    )
