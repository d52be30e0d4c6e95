"""What `compare` gives back: one row for each route, taken or not."""

from __future__ import annotations

from pydantic import model_validator
from typing_extensions import Self

from buchi.common.ends import Reason, Verdict
from buchi.common.frames import Record, Tabular
from buchi.schemas.cautions import Caution
from buchi.schemas.certificate import Certified
from buchi.schemas.counted import Count, MaybeCounted
from buchi.schemas.result import AutomatonSize, FailedAssertion, truth_of
from buchi.schemas.steps import Value


class Way(Value):
    """A chain of translators to a kind of automaton, a checker, and what came of them."""

    kind: str
    translators: tuple[str, ...]
    """With the options that are not their defaults, such as `tgra-tfla method=literal`."""
    checker: str | None
    """None where there is no automaton to check."""
    reduced: bool = False
    """Was only a part of the model searched, by stubborn sets?"""
    refusal: str | None = None
    error: str | None = None
    """What became of the process that took the route, where it died; the verdict is then unknown."""
    verdict: Verdict | None = None
    reason: Reason | None = None
    automaton: AutomatonSize | None = None


class Row(MaybeCounted, Way):
    """A route: either it was taken and has a verdict and counters, or `refusal` says why not."""

    counterexample: Count | None = None
    """The length of the counterexample, prefix and cycle together."""
    assertion: FailedAssertion | None = None
    """The assertion of the model that fails, where that is the violation."""
    certified: Certified | None = None
    """Who certified that the property holds, where that was asked for."""

    @model_validator(mode="after")
    def _was_taken_or_refused(self) -> Self:
        if (self.verdict is None) != (self.refusal is not None):
            raise ValueError("a route has a verdict, or a reason why it was not taken")
        return self

    @property
    def check(self) -> str | None:
        """The checker, and whether it searched only a part of the model."""
        return f"{self.checker} reduced" if self.reduced else self.checker

    @property
    def route(self) -> str:
        """The chain of translators as one word."""
        return ", ".join(self.translators) or "as given"


class Comparison(Tabular, Value):
    """All routes for one model and one property; they agree, or there would be no comparison.

    As a condition it is what its verdict is (see `CheckResult`); one that was interrupted is unknown.
    """

    model: str
    forbidden: str
    verdict: Verdict
    interrupted: bool
    """Were there more routes to take?"""
    warnings: tuple[Caution, ...] = ()
    rows: tuple[Row, ...]

    def taken(self) -> tuple[Row, ...]:
        """Return the routes that were taken."""
        return tuple(row for row in self.rows if row.verdict is not None)

    def decided(self) -> tuple[Row, ...]:
        """Return the routes that came to the verdict."""
        return tuple(row for row in self.taken() if row.verdict is not Verdict.UNKNOWN)

    def __bool__(self) -> bool:
        if self.interrupted:
            return truth_of(Verdict.UNKNOWN, "interrupted")
        return truth_of(self.verdict, "no route came to an end")

    def records(self) -> list[Record]:
        """Return a row for each route, those that were not taken, too."""
        return [
            {**row.model_dump(mode="json", exclude={"automaton"}), "route": row.route} for row in self.rows
        ]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.comparison_text(self)

    def _repr_html_(self) -> str:
        from buchi.common import notebook

        return notebook.comparison_html(self)
