"""Experiment files: which models, formulas and routes to run, how often and within what limits.

`docs/experiments.md` explains the format. Each source of models or formulas is a mapping that is told apart by its
first key (`file`, `glob`, `random`, …), so that a mistake in it is a mistake in one schema and not in all of them.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag, field_validator, model_validator
from typing_extensions import Self

from buchi.schemas.kinds import Kind
from buchi.schemas.strict import LimitsChoice, Strict

ALL_APPLICABLE: Final = "all-applicable"

MOST_NUMBERS = 100_000
MOST_EDGES = 20_000_000
LARGEST_MEMBER = 100
LARGEST_FORMULA = 60
"""Bounds of what an experiment may ask for: beyond them, nothing would ever run."""

Count = Annotated[int, Field(ge=1, le=1_000_000)]
Probability = Annotated[float, Field(ge=0, le=1)]
Natural = Annotated[int, Field(ge=0, lt=1 << 31)]
"""What is a seed for the models, for Spot and for the engine alike."""


class Span(Strict):
    """All numbers between two, both included."""

    first: Annotated[Natural, Field(alias="from")]
    last: Annotated[Natural, Field(alias="to")]

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        if self.first > self.last:
            raise ValueError(f"there is no number from {self.first} to {self.last}")
        if self.last - self.first >= MOST_NUMBERS:
            raise ValueError(f"these are more than {MOST_NUMBERS:,} numbers")
        return self


Numbers = Natural | Annotated[tuple[Natural, ...], Field(min_length=1)] | Span
"""One number, a list of them, or `{from: 1, to: 10}`."""


def numbers(given: Numbers) -> Iterable[int]:
    """Return the numbers that are meant."""
    if isinstance(given, Span):
        return range(given.first, given.last + 1)
    return (given,) if isinstance(given, int) else given


def _are_not_too_many(parameters: Parameters) -> Parameters:
    if math.prod(len(list(numbers(values))) for values in parameters.values()) > MOST_NUMBERS:
        raise ValueError(f"these are more than {MOST_NUMBERS:,} choices of values")
    return parameters


Whole = Annotated[int, Field(ge=-(1 << 31), lt=1 << 31)]
Values = Whole | Annotated[tuple[Whole, ...], Field(min_length=1)] | Span
Parameters = Annotated[dict[str, Values], AfterValidator(_are_not_too_many)]
"""Constants of a model by their names: of each the values that it is to have."""


class ModelFile(Strict):
    """A model in a file."""

    file: str
    name: str | None = None
    parameters: Parameters = Field(default_factory=dict)


class ModelGlob(Strict):
    """All model files that a pattern matches, in the order of their names."""

    glob: str
    exclude: tuple[str, ...] = ()
    parameters: Parameters = Field(default_factory=dict)


class RandomModel(Strict):
    """The parameters of random structures; see `docs/experiments.md`."""

    states: Annotated[int, Field(ge=1, le=10_000_000)]
    density: Probability
    truth: Probability = 0.5
    propositions: Annotated[tuple[str, ...], Field(max_length=1000)] = ("p", "q")
    connected: bool = True
    total: bool = True

    @model_validator(mode="after")
    def _is_not_too_large(self) -> Self:
        edges = self.states * (1 + self.density * self.states)
        if edges > MOST_EDGES:
            raise ValueError(f"it would have some {edges:,.0f} edges, and {MOST_EDGES:,} are the most")
        return self


class RandomModels(Strict):
    """One random structure for each seed."""

    random: RandomModel
    seeds: Numbers = 0
    name: str = "random"


class ExplicitModel(Strict):
    """A Kripke structure written out here, as in a file `*.kripke.yaml`."""

    kripke: dict[str, Any]
    name: str = "kripke"


Expected = Literal["holds", "violated", "unknown"]


class FormulaSource(Strict):
    """What all sources of formulas have in common."""

    only: tuple[str, ...] = ()
    """Patterns of the names of the models that these formulas are for; without any, all of them."""


class WrittenFormulas(FormulaSource):
    """Base of sources whose formulas are text.

    `propositions` replaces propositions by those of a model; `negate` takes the negation as the property, so that
    the automaton of the formula itself is searched. `expect` is the verdict that is expected of the property.
    """

    propositions: dict[str, str] = Field(default_factory=dict)
    negate: bool = False
    expect: Expected | None = None


class FormulaText(WrittenFormulas):
    """A formula."""

    ltl: str
    name: str | None = None


class FormulaFile(WrittenFormulas):
    """A file with a formula on each line; empty lines and those that begin with # do not count."""

    file: str


class FormulaFamily(WrittenFormulas):
    """Members of a family of `spot.gen`, such as `gh-r`."""

    family: str
    n: Numbers

    @field_validator("n")
    @classmethod
    def _are_members(cls, n: Numbers) -> Numbers:
        """Refuse what `spot.gen` does not return from."""
        if not all(1 <= number <= LARGEST_MEMBER for number in numbers(n)):
            raise ValueError(f"the members of a family are numbered from 1 to {LARGEST_MEMBER}")
        return n


class RandomFormula(Strict):
    """The parameters of random formulas, as `randltl` has them."""

    propositions: (
        Annotated[int, Field(ge=1, le=60)] | Annotated[tuple[str, ...], Field(min_length=1, max_length=60)]
    )
    size: Annotated[int, Field(ge=1, le=1000)] = 15
    count: Annotated[int, Field(ge=1, le=MOST_NUMBERS)]
    simplify: Annotated[int, Field(ge=0, le=3)] = 3
    duplicates: bool = False

    @model_validator(mode="after")
    def _is_simplified_in_time(self) -> Self:
        if self.simplify == 3 and self.size > LARGEST_FORMULA:
            raise ValueError(
                f"formulas larger than {LARGEST_FORMULA} take too long to simplify by 3: use simplify: 2"
            )
        return self


class RandomFormulas(FormulaSource):
    """`count` random formulas for each seed."""

    random: RandomFormula
    seeds: Numbers = 0
    negate: bool = False

    @model_validator(mode="after")
    def _are_not_too_many(self) -> Self:
        if self.random.count * len(list(numbers(self.seeds))) > MOST_NUMBERS:
            raise ValueError(f"these are more than {MOST_NUMBERS:,} formulas")
        return self


class ArtifactFormulas(FormulaSource):
    """A folder laid out as the artifact of Bloemen, Duret-Lutz & van de Pol (2019), for DVE or for Petri nets.

    Beside `MODEL/MODEL.dve` there are `MODEL_NNN.ltl` and automata of its negation `MODEL_NNN_TRANSLATOR.hoa`;
    `results.csv` tells what is known of them. The formulas go with the models of this folder only.
    """

    artifact: str
    results: str = "results.csv"
    numbers: Numbers | None = None


class ContestFormulas(FormulaSource):
    """A folder laid out as those of the Model Checking Contest.

    Beside `NET/model.pnml` there are `LTLCardinality.xml` and `LTLFireability.xml`; `answers` tells which of their
    formulas hold.
    """

    contest: str
    answers: str = "answers.csv"


class ProcessProperty(FormulaSource):
    """The property process inside each model, as in BEEM; `expect` is the verdict that is expected of it."""

    process: Literal[True]
    expect: Expected | None = None


class PropertyFormulas(FormulaSource):
    """A property file, as `buchi check --properties` takes it: formulas by their names, with what is expected of them.

    Kinds of automata, checkers and limits are those of the experiment.
    """

    properties: str


def _told_by(**schemas: type[BaseModel]) -> Callable[[Any], str | None]:
    """Return what tells the schema of a mapping by its keys; a misspelt key is taken for the nearest."""

    def tag(data: Any) -> str | None:
        if isinstance(data, str):
            return "<text>"
        if isinstance(data, BaseModel):
            return next((f"<{key}>" for key, schema in schemas.items() if isinstance(data, schema)), None)
        if not isinstance(data, dict):
            return None
        near = (name for key in data for name in difflib.get_close_matches(str(key), schemas, 1))
        found = next((key for key in data if key in schemas), None) or next(near, None)
        return f"<{found}>" if found else None

    return tag


def _one_of(*words: str) -> dict[str, str]:
    message = f"this should be a text or have one of the keys {', '.join(words)}"
    return {"custom_error_type": "source", "custom_error_message": message}


_MODELS = {"file": ModelFile, "glob": ModelGlob, "random": RandomModels, "kripke": ExplicitModel}
_FORMULAS: dict[str, type[BaseModel]] = {
    "ltl": FormulaText,
    "file": FormulaFile,
    "family": FormulaFamily,
    "random": RandomFormulas,
    "artifact": ArtifactFormulas,
    "contest": ContestFormulas,
    "process": ProcessProperty,
    "properties": PropertyFormulas,
}

ModelSource = Annotated[
    Annotated[str, Tag("<text>")]
    | Annotated[ModelFile, Tag("<file>")]
    | Annotated[ModelGlob, Tag("<glob>")]
    | Annotated[RandomModels, Tag("<random>")]
    | Annotated[ExplicitModel, Tag("<kripke>")],
    Discriminator(_told_by(**_MODELS), **_one_of(*_MODELS)),
]
"""A text is a file or, with `*` in it, a pattern."""

AnyFormulas = Annotated[
    Annotated[str, Tag("<text>")]
    | Annotated[FormulaText, Tag("<ltl>")]
    | Annotated[FormulaFile, Tag("<file>")]
    | Annotated[FormulaFamily, Tag("<family>")]
    | Annotated[RandomFormulas, Tag("<random>")]
    | Annotated[ArtifactFormulas, Tag("<artifact>")]
    | Annotated[ContestFormulas, Tag("<contest>")]
    | Annotated[ProcessProperty, Tag("<process>")]
    | Annotated[PropertyFormulas, Tag("<properties>")],
    Discriminator(_told_by(**_FORMULAS), **_one_of(*_FORMULAS)),
]
"""A text is a formula."""


class RouteChoice(Strict):
    """A route: kind of automaton, how it is made, and the emptiness check.

    `automaton` begins with the automaton of that name in an artifact instead of the formula. With `optional` the route
    is left out where it does not apply, which is otherwise a failure. With `whole` the counters are those of the whole
    product and not of the check, which ends where it finds a run. With `reduce` only a part of the model is searched
    that is enough; `auto` does so where it pays, `both` is a route with and a route without.
    """

    kind: Literal["tlba", "slba", "ta", "tgba", "tgra", "tfla", "tela", "all-applicable"] | None = None
    checker: str = "auto"
    automaton: str | None = None
    through: tuple[str, ...] = ()
    options: dict[str, dict[str, Any]] = Field(default_factory=dict)
    workers: Count | Literal["auto"] = 1
    reduce: bool | Literal["auto", "both"] = False
    optional: bool = False
    whole: bool = False
    name: str | None = None


class Bounds(Strict):
    """A range of numbers, both ends included."""

    min: Annotated[int, Field(ge=0)] | None = None
    max: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"there is no number from {self.min} to {self.max}")
        return self


class Selection(Strict):
    """Which products to keep. What an artifact's `results.csv` knows is not run in vain.

    `weak` speaks of the TGBA of the formula, or of the automaton that was given: it does not depend on the route.
    """

    verdict: Literal["holds", "violated"] | None = None
    weak: bool | None = None
    states: Bounds | None = None
    """Product states that an artifact recorded, for all of its automata of the formula."""


class Experiment(Strict):
    """An experiment: every model with every formula that is for it, by every route."""

    name: str | None = None
    models: Annotated[tuple[ModelSource, ...], Field(min_length=1)]
    parameters: Parameters = Field(default_factory=dict)
    """Values of constants of all models that are files and have no `parameters` of their own; all combinations."""
    formulas: Annotated[tuple[AnyFormulas, ...], Field(min_length=1)]
    routes: Literal["all-applicable"] | Annotated[tuple[RouteChoice | str, ...], Field(min_length=1)] = (
        "all-applicable"
    )
    """A text is a kind and a checker, such as tgba/ascc."""
    select: Selection = Selection()
    repetitions: Count = 1
    limits: LimitsChoice = LimitsChoice()
    order: Literal["model", "random"] = "model"
    seeds: Numbers = 0
    """Seeds of the order `random`; there is a run for each."""
    deadlock: Literal["stutter", "drop"] = "stutter"
    fair: tuple[str, ...] = ()
    """Only runs that are fair count: `weak`, `strong`, or `weak:P,Q`."""
    fair_by: Literal["process", "command"] = "process"
    overflow: Literal["wrap", "error"] = "wrap"
    backend: Literal["auto", "compiled", "interpreted"] = "auto"
    certified: bool = False
    """Is each `holds` to be certified?"""


KINDS = (Kind.TLBA, Kind.SLBA, Kind.TA, Kind.TGBA, Kind.TGRA, Kind.TFLA)
"""The kinds of automata that `all-applicable` tries."""
