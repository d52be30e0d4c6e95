"""The typed options of a run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from typing_extensions import Self

from buchi.common.ends import Limits
from buchi.models.backends import Backend
from buchi.pipeline import memory
from buchi.schemas.kinds import Kind

AUTO = "auto"
"""In place of the name of a checker: the one that suits the automaton best; in place of a number: what is there."""
AUTO_SHORTEST = "auto-shortest"
"""The same for a checker whose counterexample is a shortest one."""
MOST_WORKERS = 28
"""Threads of one search: the engine keeps a bit for each of them with every component."""


class Deadlock(str, Enum):
    """What a state without successors means: it is repeated for ever, or runs that end there do not count."""

    STUTTER = "stutter"
    DROP = "drop"


class Overflow(str, Enum):
    """What storing a value that the variable cannot hold means."""

    WRAP = "wrap"
    ERROR = "error"


class Pairs(str, Enum):
    """Do all workers search one Rabin pair after the other, or different ones at the same time?"""

    ONE_BY_ONE = "one-by-one"
    TOGETHER = "together"


class Fair(str, Enum):
    """How much a scheduler owes: what is always enabled moves, or what is enabled again and again."""

    WEAK = "weak"
    STRONG = "strong"


class FairBy(str, Enum):
    """To what runs are fair: to processes or to single commands."""

    PROCESS = "process"
    COMMAND = "command"


class Reduce(str, Enum):
    """Are only the commands of stubborn sets taken: never, always, or where that pays?"""

    OFF = "off"
    ON = "on"
    AUTO = "auto"


@dataclass(frozen=True)
class FairTo:
    """That only runs count which are fair to these processes or commands, or to all."""

    strength: Fair
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ExploreOptions:
    """How to explore a model."""

    backend: Backend = Backend.AUTO
    overflow: Overflow = Overflow.WRAP
    limits: Limits = field(default_factory=Limits)
    workers: int = 1
    coverage: bool = False
    """Is it to be told what of the model never occurs?"""
    reduce: Reduce = Reduce.OFF

    def bounded(self, shared_by: int = 1) -> Self:
        """Return the options with a limit of memory: a share of what is free where none is given."""
        if self.limits.bytes is not None:
            return self
        return replace(self, limits=self.limits._replace(bytes=max(1, memory.default_limit() // shared_by)))


@dataclass(frozen=True, kw_only=True)
class CheckOptions(ExploreOptions):
    """How to check a model. `seed` shuffles the successors; None keeps the order of the model."""

    via: Kind | None = None
    checker: str = AUTO
    deadlock: Deadlock = Deadlock.STUTTER
    seed: int | None = None
    pairs: Pairs = Pairs.ONE_BY_ONE
    ends: str | None = None
    """Where the model may end, as a formula of states: that it ends nowhere else is the property."""
    fair: tuple[FairTo, ...] = ()
    fair_by: FairBy = FairBy.PROCESS
    certified: bool = False
    """Is a verdict `holds` to be certified before it is shown?"""
    certificate: Path | None = None
    """Where its certificate is to be kept."""

    @property
    def wants_certificate(self) -> bool:
        """Does a search have to leave what a certificate is made of?"""
        return self.certified or self.certificate is not None


@dataclass(frozen=True, kw_only=True)
class Apart:
    """That a check has processes of its own: those that race, or one for each clause of the acceptance; and where."""

    race: bool = False
    executor: str = "local"
