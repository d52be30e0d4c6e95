"""From an experiment to its runs, one after the other: nothing but the models' names is kept in memory.

The order keeps the runs of a model and a formula together, so that a worker finds in its cache what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from buchi import __version__
from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.models.backends import Backend
from buchi.pipeline.arguments import fair_to
from buchi.pipeline.chosen_limits import limits_of
from buchi.pipeline.experiments.artifact import Facts
from buchi.pipeline.experiments.folders import Folders
from buchi.pipeline.experiments.formula_sources import Formula, Formulas, formulas_of
from buchi.pipeline.experiments.model_sources import models_of
from buchi.pipeline.experiments.reading import Document
from buchi.pipeline.experiments.route_choices import routes_of
from buchi.pipeline.experiments.run import Model, Question, Route, Run, Wanted, digest
from buchi.pipeline.loading import read_text
from buchi.pipeline.options import CheckOptions, Deadlock, FairBy, FairTo, Overflow, Reduce
from buchi.schemas.experiment import ArtifactFormulas, Selection, numbers

MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class Plan:
    """The runs of an experiment. Everything that can be checked was checked when there is a plan."""

    document: Document
    models: list[Model]
    formulas: Formulas
    routes: list[Route]
    options: list[CheckOptions]

    @classmethod
    def of(cls, document: Document, data: Path | None = None) -> Plan:
        """Look at everything that the experiment names. Raises InputError."""
        folders = Folders(document, data)
        _check_use(document)
        models = models_of(folders)
        plan = cls(document, models, formulas_of(folders, models), routes_of(document), _options(document))
        plan._check_size()
        return plan

    def _check_size(self) -> None:
        """Refuse more runs than a file of results is made for, without making them. Raises InputError."""
        each = len(self.options) * self.document.experiment.repetitions
        count = 0
        for _, formula in self._products():
            begun = sum(r.automaton is None or r.automaton in formula.automata for r in self.routes)
            count += each * max(1, begun)
            if count > MOST_RUNS:
                raise self.document.error(f"these are more than {MOST_RUNS:,} runs")

    @cached_property
    def _wanted(self) -> Wanted:
        select = self.document.experiment.select
        return Wanted(select.verdict and Verdict(select.verdict), select.weak)

    def runs(self) -> Iterator[Run]:
        """Yield the runs; one that comes twice is yielded once. Raises InputError when there is none at all."""
        seen: set[bytes] = set()
        for run in self._all():
            key = bytes.fromhex(run.key)
            if key not in seen:
                seen.add(key)
                yield run
        if not seen:
            hint = "look at `select`, and at `only` and the artifacts of formulas and routes"
            raise self.document.error("there is nothing to run", suggestion=hint)

    def _all(self) -> Iterator[Run]:
        repetitions = range(1, self.document.experiment.repetitions + 1)
        for model, formula in self._products():
            for route, question in self._questions(formula):
                for options in self.options:
                    own = replace(options, workers=route.workers, reduce=Reduce(route.reduce))
                    for repetition in repetitions:
                        yield self._run(model, question, route, own, repetition)

    def _run(self, model: Model, question: Question, route: Route, options: CheckOptions, number: int) -> Run:
        return Run(
            self.document.name, model, question, route, options, self._wanted, number, str(__version__)
        )

    def _products(self) -> Iterator[tuple[Model, Formula]]:
        select = self.document.experiment.select
        for model in self.models:
            for formula in self.formulas(model):
                if _may_be_selected(select, formula.facts):
                    yield model, formula

    def _questions(self, formula: Formula) -> Iterator[tuple[Route, Question]]:
        """Yield the routes with what each begins with: the formula, or an automaton of the artifact."""
        for route in self.routes:
            if route.automaton is None:
                yield route, _question(formula)
            elif route.automaton in formula.automata:
                yield route, self._given(formula, formula.automata[route.automaton])

    def _given(self, formula: Formula, automaton: Path) -> Question:
        if automaton not in self._digests:
            self._digests[automaton] = digest(read_text(automaton))
        where, shown = automaton.absolute(), formula.text or ""
        known = self._digests[automaton]
        return Question(formula.id, shown, automaton=where, digest=known, expected=formula.expected)

    @cached_property
    def _digests(self) -> dict[Path, str]:
        return {}


def _check_use(document: Document) -> None:
    """Refuse what would have no effect, or leave nothing, without what it goes with."""
    wanted = document.experiment
    if wanted.order == "model" and "seeds" in wanted.model_fields_set:
        raise document.error("the order of the model has no seeds", "seeds", suggestion="add `order: random`")
    if wanted.select.states and not any(isinstance(f, ArtifactFormulas) for f in wanted.formulas):
        message = "the states are known for formulas of an artifact only"
        raise document.error(message, "select", "states", suggestion="use limits.states to end a large run")


def _question(formula: Formula) -> Question:
    text, expected = formula.text, formula.expected
    if text is None:
        return Question(formula.id, "(property process)", place=formula.place, expected=expected)
    return Question(formula.id, text, ltl=text, digest=digest(text), place=formula.place, expected=expected)


def _may_be_selected(select: Selection, facts: Facts) -> bool:
    """Decide as far as the results of an artifact can tell; where they tell nothing, the run itself decides."""
    if select.verdict and facts.verdict and facts.verdict.value != select.verdict:
        return False
    if select.states is None or facts.states is None:
        return select.states is None
    least, most = select.states.min, select.states.max
    return (least is None or facts.states >= least) and (most is None or facts.states <= most)


def _options(document: Document) -> list[CheckOptions]:
    """Return the options of the runs: one for each seed where the order is random."""
    wanted = document.experiment
    seeds = [None] if wanted.order == "model" else list(numbers(wanted.seeds))
    return [
        CheckOptions(
            backend=Backend(wanted.backend),
            overflow=Overflow(wanted.overflow),
            deadlock=Deadlock(wanted.deadlock),
            fair=_fair(document),
            fair_by=FairBy(wanted.fair_by),
            limits=limits_of(wanted.limits, document, "limits"),
            seed=seed,
            certified=wanted.certified,
        )
        for seed in seeds
    ]


def _fair(document: Document) -> tuple[FairTo, ...]:
    try:
        return tuple(map(fair_to, document.experiment.fair))
    except InputError as error:
        raise document.error(error.message, "fair", suggestion=error.suggestion) from None
