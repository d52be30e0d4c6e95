"""The verdicts on several properties of one model, and what they come to together."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from pydantic import model_validator
from typing_extensions import Self

from buchi.common.ends import Verdict
from buchi.common.frames import Record, Tabular
from buchi.schemas.cautions import Caution
from buchi.schemas.counted import Count, Seconds
from buchi.schemas.result import CheckResult
from buchi.schemas.steps import Value


class Outcome(str, Enum):
    """What a verdict comes to, given what was expected; from the best to the worst."""

    PASSED = "passed"
    UNKNOWN = "unknown"
    """There is no verdict, where one was wanted."""
    FAILED = "failed"
    """The property is violated, or the verdict is not the expected one."""
    ERROR = "error"
    """The question could not be asked, or the model fails."""
    BUG = "bug"
    """The fault is that of buchi."""


def outcome_of(verdict: Verdict, expected: Verdict | None) -> Outcome:
    """Return what a verdict comes to; a property of which nothing is expected is to hold."""
    if verdict is (expected or Verdict.HOLDS):
        return Outcome.PASSED
    return Outcome.UNKNOWN if verdict is Verdict.UNKNOWN else Outcome.FAILED


class PropertyVerdict(Value):
    """A property and what became of it: a result, or the error that kept it from having one."""

    name: str
    ltl: str | None
    """None for an automaton, or the property process of the model."""
    description: str | None = None
    line: Count | None = None
    """Where it is in the file of properties."""
    expected: Verdict | None = None
    outcome: Outcome
    error: str | None = None
    result: CheckResult | None = None

    @model_validator(mode="after")
    def _says_what_it_must(self) -> Self:
        if (self.result is None) != (self.error is not None):
            raise ValueError("a property has a result, or an error")
        if (self.error is not None) != (self.outcome in (Outcome.ERROR, Outcome.BUG)):
            raise ValueError("an error belongs to the outcomes error and bug, and only to them")
        if self.result is not None and self.outcome is not outcome_of(self.result.verdict, self.expected):
            raise ValueError("the outcome is that of the verdict and what is expected")
        return self

    @property
    def verdict(self) -> Verdict:
        """The verdict; `unknown` where there is none."""
        return Verdict.UNKNOWN if self.result is None else self.result.verdict

    @property
    def seconds(self) -> float:
        """The time that its check took."""
        return 0.0 if self.result is None else self.result.seconds

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """Reasons to doubt the formula."""
        return () if self.result is None else self.result.warnings

    def told(self) -> str:
        """Return what became of it, in a few words."""
        if self.error is not None:
            return self.error.splitlines()[0]
        assert self.result is not None
        found, reason = self.result.counterexample, self.result.reason
        more = f" ({found.summary()})" if found else f" ({reason.value})" if reason else ""
        wanted = None if self.outcome is Outcome.PASSED else self.expected
        return f"{self.verdict.value}{more}" + (f", {wanted.value} was expected" if wanted else "")

    def json_chunks(self) -> Iterator[str]:
        """Yield what `model_dump_json` gives, piece by piece: a counterexample may be long."""
        yield self.model_dump_json(exclude={"result"}).removesuffix("}")
        yield ',"result":'
        yield from ["null"] if self.result is None else self.result.json_chunks()
        yield "}"


class Verdicts(Tabular, Value):
    """The verdicts on the properties of a model, in the order in which they were given.

    As a condition it is true where all passed, and false where one failed; where that is not known it raises
    TypeError, as a result does.
    """

    outcome: Outcome
    """The worst of all."""
    model: str
    file: str | None
    """The file of the properties, if they come from one."""
    seconds: Seconds
    properties: tuple[PropertyVerdict, ...]

    @classmethod
    def of(
        cls, model: str, file: str | None, properties: tuple[PropertyVerdict, ...], seconds: float
    ) -> Self:
        """Return verdicts with their common outcome."""
        worst = max((one.outcome for one in properties), key=list(Outcome).index, default=Outcome.PASSED)
        return cls(outcome=worst, model=model, file=file, seconds=seconds, properties=properties)

    def __getitem__(self, name: str) -> PropertyVerdict:
        """Return the verdict on the property of this name. Raises KeyError."""
        for one in self.properties:
            if one.name == name:
                return one
        raise KeyError(name)

    def __bool__(self) -> bool:
        if self.outcome in (Outcome.PASSED, Outcome.FAILED):
            return self.outcome is Outcome.PASSED
        raise TypeError(f"the outcome is {self.outcome.value}, which is neither true nor false")

    def count(self, outcome: Outcome) -> int:
        """Return how many properties have an outcome."""
        return sum(one.outcome is outcome for one in self.properties)

    def summary(self) -> str:
        """Return how many properties there are, and what became of them."""
        parts = [f"{self.count(o):,} {o.value}" for o in Outcome if self.count(o)]
        number = len(self.properties)
        return f"{number:,} {'property' if number == 1 else 'properties'}: {', '.join(parts)}"

    def records(self) -> list[Record]:
        """Return a row for each property: what became of it, and the work that it was."""
        return [_record(one) for one in self.properties]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.verdicts_text(self)

    def json_chunks(self) -> Iterator[str]:
        """Yield what `model_dump_json` gives, piece by piece."""
        yield self.model_dump_json(exclude={"properties"}).removesuffix("}")
        yield ',"properties":['
        for i, one in enumerate(self.properties):
            yield "," if i else ""
            yield from one.json_chunks()
        yield "]}"


def _record(one: PropertyVerdict) -> Record:
    told = one.model_dump(mode="json", include={"name", "ltl", "expected", "outcome", "error"})
    work = {"counterexample", "automaton", "contest", "warnings", "coverage"}
    result = {} if one.result is None else one.result.model_dump(mode="json", exclude=work)
    return {**told, **result}
