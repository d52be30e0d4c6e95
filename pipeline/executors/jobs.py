"""What an executor knows of the work that it is given."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from typing import Any, Protocol, TypeAlias, TypeVar

from buchi.common.ends import Limits, Reason

Outcome = TypeVar("Outcome")
Told = TypeVar("Told", covariant=True)
Value = TypeVar("Value")


class Here:
    """The worker process in which a job is executed, as the job sees it.

    `memory` is what a job may take for each of its places if it has no limit of its own.
    """

    def __init__(self, memory: int, begin: Callable[[], None], kept: dict[Any, Any]) -> None:
        self.memory = memory
        self.begin = begin
        """To be called when the time of the job begins: reading a model is no part of it."""
        self._kept = kept

    def keep(self, key: Any, make: Callable[[], Value]) -> Value:
        """Return what jobs of this process share; the first one makes it, unless the process was born with it."""
        if key not in self._kept:
            self._kept[key] = make()
        value: Value = self._kept[key]
        return value


class Job(Protocol[Told]):
    """Work for a worker process, as a plain value that can be sent there. Whatever happens to it, it has an outcome."""

    @property
    def key(self) -> str:
        """What tells it from all other jobs."""

    @property
    def places(self) -> int:
        """How many threads it has."""

    @property
    def limits(self) -> Limits:
        """What it may use; its worker is ended when it does not end by itself."""

    def execute(self, here: Here) -> Told:
        """Do it, in the worker."""

    def out_of_bounds(self, started: datetime, reason: Reason, message: str) -> Told:
        """Return the outcome of a job whose worker was ended at a limit."""

    def lost(self, started: datetime, message: str) -> Told:
        """Return the outcome of a job whose worker died."""

    def failed(self, started: datetime, message: str) -> Told:
        """Return the outcome of a job that could not be executed at all."""


Executor: TypeAlias = Callable[[Iterator[Job[Outcome]]], Generator[Outcome | None, None, None]]
"""Executes jobs and yields what comes out, in the order in which they end; None from time to time in between.

Closing the iterator ends everything at once.
"""
