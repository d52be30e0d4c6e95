"""What is made once and serves many searches: a model that can be run, an automaton ready for its products."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from buchi import _engine
from buchi.common.structure import is_complete
from buchi.models.backends import Backend, BuiltModel
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.models.guarded import Meaning, Model, StepTest
from buchi.pipeline import isolation
from buchi.pipeline.executable import build_model
from buchi.pipeline.fairness import Condition, Marks
from buchi.pipeline.product import build_automaton
from buchi.pipeline.reduction import Kept, reduced
from buchi.pipeline.table import table
from buchi.schemas.automaton import Automaton
from buchi.schemas.kind_schemas import Form
from buchi.schemas.result import AutomatonSize


@dataclass(eq=False)
class Executable:
    """A model as the engine runs it, and as the evaluator does; each is made when it is first needed."""

    loaded: Loaded
    backend: Backend
    _reduced: tuple[Kept, _engine.Model] | None = None

    @cached_property
    def built(self) -> BuiltModel:
        """The model compiled or interpreted."""
        isolation.stage("preparing the model", reads=True)
        return build_model(self.loaded.model, self.backend)

    @cached_property
    def engine(self) -> _engine.Model:
        """The model as the engine runs it."""
        return self.built.engine

    def reduced(self, kept: Kept) -> _engine.Model:
        """Return a part of the model that keeps what is asked for. Raises InputError if it cannot be analysed."""
        if self._reduced is None or self._reduced[0] != kept:
            self._reduced = kept, reduced(self.loaded.model, self.engine, kept)
        return self._reduced[1]

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator in Python, which replays what the engine finds."""
        return Evaluator(self.loaded.model)

    def widen(self, model: Model) -> None:
        """Let it be a model with wider variables; what was made of the narrow one is made anew."""
        self.loaded = replace(self.loaded, model=model)
        self._reduced = None
        for made in ("built", "engine", "evaluator"):
            self.__dict__.pop(made, None)


@dataclass(eq=False)
class Prepared:
    """An automaton of any kind, and all that choosing, searching and reporting need of it."""

    form: Form
    model: Executable
    meanings: Mapping[str, Meaning]
    """What its propositions are in the model."""
    fair: tuple[Condition, ...] = ()
    """To what the runs that count are fair."""
    _made: tuple[Model, _engine.Automaton] | None = None

    @cached_property
    def table(self) -> Automaton:
        """The table from which products are built; it accepts fair runs only."""
        automaton = table(self.form)
        return Marks(self.fair, automaton.sets).table(automaton) if self.fair else automaton

    @property
    def step_marks(self) -> list[tuple[int, int, int]]:
        """For each command the marks of steps where it is taken, enabled, disabled; nothing if steps have no marks."""
        if not self.fair:
            return []
        return Marks(self.fair, table(self.form).sets).of_commands(len(self.model.loaded.model.commands))

    @property
    def speaks_of_steps(self) -> bool:
        """Does it matter which command takes a step?"""
        tests = (self.meanings[name] for name in self.form.propositions)
        return bool(self.fair) or any(isinstance(one, StepTest) and one.what == "moved" for one in tests)

    @cached_property
    def size(self) -> AutomatonSize:
        """Its size as its own kind counts it; only the acceptance is that of its table."""
        sets, pairs = self.table.sets, len(self.table.acceptance)
        return AutomatonSize(states=self.form.states, edges=len(self.form.edges), sets=sets, pairs=pairs)

    @cached_property
    def goes_everywhere(self) -> bool:
        """Does every run of the model have a run in a product that is searched to its end?"""
        automaton = self.table
        starts = is_complete([0], ((0, label) for label, _ in automaton.initial))
        edges = ((edge.source, edge.label) for edge in automaton.edges)
        return bool(automaton.acceptance) and starts and is_complete(range(automaton.states), edges)

    @property
    def engine(self) -> _engine.Automaton:
        """The automaton as the engine runs it with the model as it is now."""
        model = self.model.loaded.model
        if self._made is None or self._made[0] is not model:
            self._made = model, build_automaton(self.table, model, self.meanings)
        return self._made[1]
