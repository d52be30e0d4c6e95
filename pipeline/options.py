"""The typed options of a run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from typing_extensions import Self

from buchi.common.ends import Limits
from buchi.models.backends import Backend
from buchi.pipeline import memory
from buchi.schemas.kinds import Kind

AUTO = "auto"
MOST_WORKERS = 28
"""Threads of one search: the engine keeps a bit for each of them with every component."""
"""In place of the name of a checker: the one that suits the automaton best."""


class Deadlock(str, Enum):
    """What a state without successors means: it is repeated for ever, or runs that end there do not count."""

    STUTTER = "stutter"
    DROP = "drop"


class Overflow(str, Enum):
    """What storing a value that the variable cannot hold means."""

    WRAP = "wrap"
    ERROR = "error"


@dataclass(frozen=True, kw_only=True)
class ExploreOptions:
    """How to explore a model."""

    backend: Backend = Backend.AUTO
    overflow: Overflow = Overflow.WRAP
    limits: Limits = field(default_factory=Limits)

    def bounded(self) -> Self:
        """Return the options with a limit of memory, which follows what is free where none is given."""
        if self.limits.bytes is not None:
            return self
        return replace(self, limits=self.limits._replace(bytes=memory.default_limit()))


@dataclass(frozen=True, kw_only=True)
class CheckOptions(ExploreOptions):
    """How to check a model. `seed` shuffles the successors; None keeps the order of the model."""

    via: Kind | None = None
    checker: str = AUTO
    deadlock: Deadlock = Deadlock.STUTTER
    seed: int | None = None
    workers: int = 1
