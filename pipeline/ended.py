"""How a search ended, whoever searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from buchi.common.ends import Reason
from buchi.schemas.counters import Counters

if TYPE_CHECKING:
    from buchi.checkers.declaration import Lasso
    from buchi.schemas.coverage import Coverage


@dataclass(frozen=True)
class Ended:
    """How a search ended (`reason` is None when it was done), what it found, and its counters.

    Both a reason and a run: there is a violation, but the search for a shorter one was not finished.
    """

    reason: Reason | None
    lasso: Lasso | None = None
    counters: Counters = field(default_factory=Counters)
    deadlocks: int = 0
    """States without successors, which an exploration counts."""
    largest: tuple[int, ...] = ()
    """The largest values of what an exploration measured, and last that of their sum."""
    seen: tuple[Sequence[int], ...] = ()
    """Where an exploration watched variables: 1 for each command that occurred, then for each value of each of them."""
    coverage: Coverage | None = None
    """What never occurred, where that was asked for."""
    reduced: bool = False
    """Did an exploration take only the commands of stubborn sets?"""
