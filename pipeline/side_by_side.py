"""Takes the routes of a comparison in processes of their own, several at a time.

What the routes share was made before: the processes are forks, and have it. One that dies is one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from buchi.common.ends import Limits, Reason
from buchi.common.errors import BuchiError
from buchi.schemas.comparison import Row

if TYPE_CHECKING:
    from buchi.pipeline.executors.jobs import Here


class Search(Protocol):
    """A route that is ready to be taken."""

    def take(self) -> Row:
        """Take it. Raises BuchiError."""

    def lost(self, error: str) -> Row:
        """Return the row of a route whose process died."""

    def ended(self, reason: Reason) -> Row:
        """Return the row of a route whose process had to be ended."""


@dataclass(frozen=True)
class Taken:
    """What became of the search with a number: a row, or an error to be raised where it is waited for."""

    number: int
    row: Row | None = None
    error: BuchiError | None = None


@dataclass(frozen=True)
class _Route:
    """The job of taking a route; the process was born with all of them."""

    number: int
    limits: Limits
    places: int = 1

    @property
    def key(self) -> str:
        return str(self.number)

    def execute(self, here: Here) -> Taken | _Gone:
        here.begin()
        searches: Sequence[Search] = here.keep(_Route, list)
        try:
            return Taken(self.number, searches[self.number].take())
        except BuchiError as error:
            return Taken(self.number, error=error)

    def out_of_bounds(self, _started: datetime, reason: Reason, _message: str) -> Taken | _Gone:
        return _Gone(self.number, reason)

    def lost(self, _started: datetime, message: str) -> Taken | _Gone:
        return _Gone(self.number, message)

    failed = lost


@dataclass(frozen=True)
class _Gone:
    """What became of a process: it was ended, or it died."""

    number: int
    how: Reason | str


def side_by_side(searches: Sequence[Search], limits: Limits, jobs: int) -> Iterator[Taken]:
    """Yield what becomes of the searches, in the order in which they end. Close it to end all of them."""
    from buchi.pipeline.executors import local  # most comparisons need none

    routes = (_Route(number, limits) for number in range(len(searches)))
    with closing(local.execute(routes, min(jobs, len(searches)), {_Route: searches})) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, _Gone):
                search, how = searches[outcome.number], outcome.how
                row = search.ended(how) if isinstance(how, Reason) else search.lost(how)
                yield Taken(outcome.number, row)
            elif outcome is not None:
                yield outcome
