"""The scaffolding of a search in plain Python: the engine's product with counters, limits and a stop flag."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from buchi import _engine
from buchi.checkers.declaration import PythonChecker
from buchi.common.errors import LimitReached
from buchi.schemas.automaton import Clause
from buchi.schemas.ends import Limits, Reason


@dataclass
class PythonCounters:
    """The counters of a search in Python, named as the engine's."""

    states: int = 0
    transitions: int = 0
    post_calls: int = 0
    max_depth: int = 0
    passes: int = 1
    deadlocks: int = 0
    bytes: int = 0
    seconds: float = 0.0


@dataclass
class PythonOutcome:
    """How a search in Python ended, shaped as the engine's `Outcome`."""

    end: _engine.End
    counters: PythonCounters
    prefix: list[int] = field(default_factory=list)
    cycle: list[int] = field(default_factory=list)


class CountedProduct:
    """The product as a Python checker sees it; `post` raises LimitReached when the search must end."""

    def __init__(self, product: _engine.Product, limits: Limits, seconds: float | None) -> None:
        self._product = product
        self._limits = limits
        self._started = time.monotonic()
        self._end = None if seconds is None else self._started + seconds
        self._stop = threading.Event()
        self._counters = PythonCounters()
        self.depth = 0

    @property
    def states(self) -> int:
        """States stored so far."""
        return self._product.states

    @property
    def transitions(self) -> int:
        """Transitions generated so far."""
        return self._counters.transitions

    @property
    def bytes(self) -> int:
        """Bytes of the product's table."""
        return self._product.bytes

    def stop(self) -> None:
        """Ask the search to end at its next step."""
        self._stop.set()

    def initial(self) -> list[int]:
        """Return the initial states."""
        return [state for state, _ in self._product.initial()]

    def post(self, state: int) -> list[tuple[int, int]]:
        """Return the (destination, marks) of the edges that leave `state`."""
        self._check_limits()
        edges = self._product.post(state)
        self._counters.post_calls += 1
        self._counters.transitions += len(edges)
        return edges

    def note_depth(self, depth: int) -> None:
        """Record how deep the search is."""
        self.depth = depth
        self._counters.max_depth = max(self._counters.max_depth, depth)

    def outcome(self, checker: PythonChecker, acceptance: Sequence[Clause]) -> PythonOutcome:
        """Run `checker` on this product."""
        try:
            lasso = checker.find(self, acceptance)
        except LimitReached as limit:
            return PythonOutcome(_engine.End[limit.reason.upper()], self._final_counters())
        if lasso is None:
            return PythonOutcome(_engine.End.DONE, self._final_counters())
        return PythonOutcome(_engine.End.FOUND, self._final_counters(), list(lasso.prefix), list(lasso.cycle))

    def _final_counters(self) -> PythonCounters:
        self._counters.states = self.states
        self._counters.bytes = self.bytes
        self._counters.seconds = time.monotonic() - self._started
        return self._counters

    def _check_limits(self) -> None:
        reason = self._reason_to_end()
        if reason is not None:
            raise LimitReached(reason.value)

    def _reason_to_end(self) -> Reason | None:
        if self._stop.is_set():
            return Reason.INTERRUPTED
        if self._end is not None and time.monotonic() > self._end:
            return Reason.TIME
        if self._limits.states is not None and self.states >= self._limits.states:
            return Reason.STATES
        if self._limits.bytes is not None and self.bytes > self._limits.bytes:
            return Reason.MEMORY
        return None
