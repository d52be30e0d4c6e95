"""The scaffolding of a search in plain Python: the engine's product with counters, limits and a stop flag."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from buchi import _engine
from buchi.checkers.declaration import Lasso, PythonChecker
from buchi.common.ends import Limits, Reason
from buchi.common.errors import LimitReached
from buchi.pipeline.ended import Ended
from buchi.schemas.automaton import Clause
from buchi.schemas.counters import Counters


class CountedProduct:
    """The product as a Python checker sees it; `post` raises LimitReached when the search must end."""

    def __init__(self, product: _engine.Product, limits: Limits, seconds: float | None) -> None:
        self._product = product
        self._limits = limits
        self._started = time.monotonic()
        self._end = None if seconds is None else self._started + seconds
        self._stop = threading.Event()
        self._posts = 0
        self.transitions = 0
        self.depth = self._max_depth = 0

    @property
    def states(self) -> int:
        """States stored so far."""
        return self._product.states

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
        self._posts += 1
        self.transitions += len(edges)
        if self._limits.states is not None and self.states > self._limits.states:
            raise LimitReached(Reason.STATES)
        return edges

    def note_depth(self, depth: int) -> None:
        """Record how deep the search is."""
        self.depth = depth
        self._max_depth = max(self._max_depth, depth)

    def search(self, checker: PythonChecker, acceptance: Sequence[Clause]) -> Ended:
        """Run `checker` on this product."""
        try:
            lasso = checker.find(self, acceptance)
        except LimitReached as limit:
            return Ended(limit.reason, None, self._counters())
        return Ended(None, lasso and Lasso(list(lasso.prefix), list(lasso.cycle)), self._counters())

    def _counters(self) -> Counters:
        return Counters(
            states=self.states,
            transitions=self.transitions,
            post_calls=self._posts,
            max_depth=self._max_depth,
            seconds=time.monotonic() - self._started,
            bytes=self.bytes,
        )

    def _check_limits(self) -> None:
        if self._stop.is_set():
            raise LimitReached(Reason.INTERRUPTED)
        if self._end is not None and time.monotonic() > self._end:
            raise LimitReached(Reason.TIME)
        if self._limits.bytes is not None and self.bytes > self._limits.bytes:
            raise LimitReached(Reason.MEMORY)
