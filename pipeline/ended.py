"""How a search ended, whoever searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from buchi.common.ends import Reason
from buchi.schemas.counters import Counters

if TYPE_CHECKING:
    from buchi.checkers.declaration import Lasso
    from buchi.schemas.coverage import Coverage
    from buchi.schemas.result import Counterexample


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
    deadlock: Mapping[str, str] = field(default_factory=dict)
    """One of them, by the names of its values."""
    largest: tuple[int, ...] = ()
    """The largest values of what an exploration measured, and last that of their sum."""
    path: tuple[bytes, ...] = ()
    """The states of the model to what was searched for without a product; of an exploration a deadlock."""
    found: Counterexample | None = None
    """The way to an assertion that fails, once it was replayed."""
    seen: tuple[Sequence[int], ...] = ()
    """Where an exploration watched variables: 1 for each command that occurred, then for each value of each of them."""
    coverage: Coverage | None = None
    """What never occurred, where that was asked for."""
    reduced: bool = False
    """Did an exploration take only the commands of stubborn sets?"""
