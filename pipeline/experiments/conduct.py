"""Conducts an experiment: plans, leaves out what is done, executes the rest, and keeps each result at once."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from buchi.pipeline.executors.jobs import Executor
from buchi.pipeline.experiments.execution import Executed, Execution
from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.run import Run, Skipped
from buchi.pipeline.experiments.sources import Sources, source_of
from buchi.pipeline.experiments.store import Store
from buchi.pipeline.experiments.tally import Tally
from buchi.schemas.run import RunStatus


class Display(Protocol):
    """Shows how far an experiment is."""

    def update(self, outcome: Executed | None) -> None:
        """Count what came out of a run, if any did, and show it if it is time to."""


Shown: TypeAlias = Callable[[Tally], AbstractContextManager[Display]]
"""Shows a tally for as long as a block runs."""


@dataclass(frozen=True)
class Conducted:
    """What became of an experiment: the runs executed now, by how they ended, and those kept from before.

    `kept_failed` are those among them that had ended with an error.
    """

    ended: Counter[str]
    kept: int
    kept_failed: int
    interrupted: bool


def to_do(plan: Plan, store: Store | None, redo_failed: bool) -> Iterator[Run]:
    """Return the runs of a plan that have no result yet. Killed ones are done again, failed ones if one wants."""
    return (run for run in plan.runs() if store is None or _is_to_do(store.state(run.key), redo_failed))


def _is_to_do(state: RunStatus | str | None, redo_failed: bool) -> bool:
    return state in (None, RunStatus.KILLED) or (redo_failed and state is RunStatus.FAILED)


def conduct(
    plan: Plan, store: Store, execute: Executor[Executed], shown: Shown, *, redo_failed: bool = False
) -> Conducted:
    """Execute what is yet to be done. Ctrl-C ends it at once; what was finished is kept.

    Failures of runs that are no longer planned, since what caused them was mended, are forgotten.
    """
    states: Counter[RunStatus | str | None] = Counter()
    mended, expects = store.failures(plan.document.name), False
    sources = Sources(store)
    for run in plan.runs():
        sources.note(run.model)
        states[store.state(run.key)] += 1
        mended.discard(run.key)
        expects = expects or run.question.expected is not None
    store.forget(mended)
    if expects:
        store.expect((run.key, run.question.expected) for run in plan.runs())
    tally = Tally(sum(count for state, count in states.items() if _is_to_do(state, redo_failed)))
    kept, kept_failed = states.total() - tally.total, 0 if redo_failed else states[RunStatus.FAILED]
    if not tally.total:
        return Conducted(tally.ended, kept, kept_failed, False)
    outcomes = execute(Execution(run) for run in to_do(plan, store, redo_failed))
    with _interrupt() as interrupted, shown(tally) as progress, closing(outcomes):
        for outcome in outcomes:
            _keep(store, outcome, sources)
            progress.update(outcome)
            if interrupted.is_set():
                break
    return Conducted(tally.ended, kept, kept_failed, interrupted.is_set())


def _keep(store: Store, outcome: Executed | None, sources: Sources) -> None:
    if isinstance(outcome, Skipped):
        store.skip(outcome.key, outcome.reason)
    elif outcome is not None:
        store.add(outcome)
        if outcome.counterexample is not None:
            sources.keep(source_of(outcome))


@contextmanager
def _interrupt() -> Iterator[threading.Event]:
    """Turn Ctrl-C and requests to terminate into a flag, so that they never strike between a result and its row.

    Who asked once need not be heard again: until the process ends, further requests change nothing.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    heeded = [n for n in numbers if signal.getsignal(n) is not signal.SIG_IGN]
    before = {n: signal.signal(n, lambda *_: asked.set()) for n in heeded}
    try:
        yield asked
    finally:
        for number, handler in before.items() if not asked.is_set() else ():
            signal.signal(number, handler)
