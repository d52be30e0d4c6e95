"""Runs a search beside the main thread, which shows progress and turns Ctrl-C into a clean end.

A search ends because it is done or because of a `Reason`; either way its counters are kept.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from buchi import _engine
from buchi.common.ends import Limits, Reason
from buchi.common.errors import LimitReached
from buchi.pipeline import isolation
from buchi.pipeline.ended import Ended
from buchi.schemas.counters import Counters

if TYPE_CHECKING:
    from buchi.checkers.declaration import AnyChecker, Lasso
    from buchi.models.bytecode import Code
    from buchi.schemas.automaton import Clause

Result = TypeVar("Result")
REASONS = {
    _engine.End.INTERRUPTED: Reason.INTERRUPTED,
    _engine.End.TIME: Reason.TIME,
    _engine.End.STATES: Reason.STATES,
    _engine.End.MEMORY: Reason.MEMORY,
}
"""Why a search ended that did not come to its end."""
COUNTERS = tuple(field.name for field in fields(Counters))
PERIOD = 0.1
"""Seconds between two looks at the progress."""
PATIENCE = 4
"""Interrupts that a search may take to end."""


class Progress(Protocol):
    """How far a search is; another thread may read it at any time."""

    @property
    def states(self) -> int:
        """States stored so far."""

    @property
    def transitions(self) -> int:
        """Transitions generated so far."""

    @property
    def depth(self) -> int:
        """Length of the search's stack now."""

    @property
    def bytes(self) -> int:
        """Bytes in use."""


class Running(Progress, Protocol):
    """A search that can be told to end."""

    def stop(self) -> None:
        """Ask the search to end soon; it then reports `interrupted`."""


class Watch(Protocol):
    """Is told how far a search is, again and again; `what` says which of several searches it is."""

    def __call__(self, progress: Progress, what: str = "", /) -> None:
        """Take note of the progress as it is now."""


def nobody(_progress: Progress, _what: str = "") -> None:
    """Watch a search without showing anything."""


class Asked(NamedTuple):
    """A question to a search that has met so many states: is it to end, since there is something better to do?"""

    at: int
    is_to_end: Callable[[], bool]


class Deadline:
    """The moment at which a run with a time limit must end; it covers translation and search together."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def at_least(self, seconds: float) -> Deadline:
        """Return a deadline that leaves so many seconds from now."""
        longer = Deadline(None if self._end is None else seconds)
        if self._end is not None and longer._end is not None:
            longer._end = max(longer._end, self._end)
        return longer

    def sooner(self, seconds: float | None) -> Deadline:
        """Return a deadline that is at most so many seconds from now."""
        shorter = Deadline(seconds)
        if self._end is not None and (shorter._end is None or shorter._end > self._end):
            return self
        return shorter

    def remaining(self) -> float | None:
        """Return the seconds left, None when there is no limit; raise LimitReached when none are left."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise LimitReached(Reason.TIME)
        return left


def explore(
    model: _engine.Model,
    limits: Limits,
    deadline: Deadline,
    watch: Watch,
    workers: int = 1,
    measured: Sequence[Code] = (),
    tables: Sequence[int] = (),
    watched: Sequence[tuple[int, int, int]] | None = None,
) -> Ended:
    """Visit every state of a model.

    `measured` are programs over these constant tables whose largest values are asked for; `watched` are variables as
    the engine takes them, whose values are noted, and with them the commands.
    """
    control = _control(limits, deadline)

    def work() -> Ended:
        return _ended(_engine.explore(model, control, workers, measured, tables, watched))

    return _run(work, control, watch)


def find_failed_assertion(model: _engine.Model, limits: Limits, deadline: Deadline, watch: Watch) -> Ended:
    """Search a model for a state in which an assertion fails; `path` is a shortest way to it."""
    control = _control(limits, deadline)
    return _run(lambda: _ended(_engine.find_failed_assertion(model, control)), control, watch)


def check(
    product: _engine.Product,
    conditions: Sequence[Sequence[Clause]],
    checker: AnyChecker,
    limits: Limits,
    deadline: Deadline,
    watch: Watch,
    workers: int = 1,
    pairs_together: bool = False,
    asked: Asked | None = None,
    numbered: bool = False,
) -> Ended:
    """Search the product for a run that satisfies all conditions; where none can there is nothing to search.

    A search by the engine may be `asked` whether it is to end, once it has met many states. `numbered` asks for the
    components to be numbered, which a check that tells them apart does.
    """
    if not all(conditions):
        return Ended(None)
    acceptance, *further = conditions
    from buchi.checkers.declaration import KernelChecker
    from buchi.pipeline.python_search import CountedProduct

    if isinstance(checker, KernelChecker):
        kernel, control = checker.kernel, _control(limits, deadline)
        if asked is not None:
            control.ask_at(asked.at, asked.is_to_end)

        def work() -> Ended:
            outcome = _engine.check(
                kernel, product, acceptance, control, workers, pairs_together, further, numbered
            )
            return _ended(outcome)

        return _run(work, control, watch)
    counted = CountedProduct(product, _with_memory(limits), deadline.remaining())
    return _run(lambda: counted.search(checker, acceptance), counted, watch)


def number_components(
    product: _engine.Product, clauses: Sequence[Clause], limits: Limits, deadline: Deadline, watch: Watch
) -> Ended:
    """Number the components of a product without the Fin edges of each clause, where a check has not done so."""
    control = _control(limits, deadline)

    def work() -> Ended:
        return _ended(_engine.check("numbers", product, clauses, control, numbered=True))

    return _run(work, control, watch)


def _control(limits: Limits, deadline: Deadline) -> _engine.Control:
    limits = _with_memory(limits)
    return _engine.Control(deadline.remaining() or 0.0, limits.states or 0, limits.bytes or 0)


def _with_memory(limits: Limits) -> Limits:
    """Return the limits with less memory where reading and translation took some."""
    left = isolation.memory_left()
    if left is None:
        return limits
    return limits._replace(bytes=min(limits.bytes or left, left))


def _run(work: Callable[[], Ended], running: Running, watch: Watch) -> Ended:
    started = time.monotonic()
    try:
        return run_watched(work, running.stop, lambda: watch(running))
    except MemoryError:
        seconds = time.monotonic() - started
        counters = Counters(
            states=running.states, transitions=running.transitions, seconds=seconds, bytes=running.bytes
        )
        return Ended(Reason.MEMORY, counters=counters)


def _ended(outcome: _engine.Outcome) -> Ended:
    """Return how a search of the engine ended."""
    return Ended(
        reason=REASONS.get(outcome.end),
        lasso=_lasso(outcome),
        counters=Counters(**{name: getattr(outcome.counters, name) for name in COUNTERS}),
        deadlocks=outcome.counters.deadlocks,
        largest=tuple(outcome.largest),
        path=tuple(outcome.path),
        seen=tuple(outcome.seen),
    )


def _lasso(outcome: _engine.Outcome) -> Lasso | None:
    if outcome.end is not _engine.End.FOUND and not outcome.cycle:
        return None
    from buchi.checkers.declaration import Lasso  # an exploration needs nothing of automata

    return Lasso(outcome.prefix, outcome.cycle)


def run_watched(work: Callable[[], Result], stop: Callable[[], None], watch: Callable[[], None]) -> Result:
    """Do `work` in a thread and `watch` it from this one; Ctrl-C calls `stop` and waits for the end."""
    future: Future[Result] = Future()
    thread = threading.Thread(target=_fulfil, args=(future, work), name="search", daemon=True)
    with isolation.interrupts_call(_patient(stop)), isolation.memory_is_metered():
        thread.start()
        while thread.is_alive():
            thread.join(PERIOD)
            watch()
    return future.result()


def _patient(stop: Callable[[], None]) -> Callable[[], None]:
    """Return what asks to stop; after `PATIENCE` times the search is taken to be stuck."""
    received = 0

    def interrupt() -> None:
        nonlocal received
        received += 1
        if received > PATIENCE:
            raise KeyboardInterrupt
        stop()

    return interrupt


def _fulfil(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # it belongs to the thread that waits for the result
        future.set_exception(error)
