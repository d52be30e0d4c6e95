"""Searches in processes of their own that work for one verdict, on this machine or on a Dask cluster.

In a race the first verdict wins. Of the clauses of an acceptance condition, one that is violated decides, and all must
hold: a run is accepted if one clause accepts it. Either way the rest is ended at once, and a process that dies takes
nobody with it. What is found is replayed where it was found, against the whole property.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Literal

from buchi.common.ends import Limits, Reason, Verdict
from buchi.common.errors import BuchiError, InternalError, LimitReached, ModelRuntimeError
from buchi.pipeline import isolation
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.check import Asked, result_of
from buchi.pipeline.executors.choice import LOCAL, executor, places_of
from buchi.pipeline.executors.jobs import Executor, Here
from buchi.pipeline.executors.processes import Kept
from buchi.pipeline.options import Apart
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import kind_to_check
from buchi.pipeline.race import Entry, parts, racers
from buchi.pipeline.routes import NO_WISHES, Wishes, convert
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.task import Task
from buchi.schemas.automaton import Automaton
from buchi.schemas.contest import Contest, Entrant
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult

LATE = 0.3
"""Seconds that contestants have beyond their time to end by themselves, and so with their counters."""


@dataclass(frozen=True)
class Ran:
    """What became of a contestant: a result, or the error that it ended with."""

    number: int
    result: CheckResult | None = None
    error: BuchiError | None = None
    seed: int | None = None
    """That of the order in which it came to the result."""


@dataclass(frozen=True)
class Contestant:
    """The job of one entry. A process that was not born with the question reads what is `asked`."""

    number: int
    entry: Entry
    wishes: Wishes
    asked: Asked | None

    @property
    def key(self) -> str:
        """What tells it from the others."""
        return str(self.number)

    @property
    def places(self) -> int:
        """As many as it has workers."""
        return self.entry.options.workers

    @property
    def limits(self) -> Limits:
        """Its own."""
        return self.entry.options.limits

    def execute(self, here: Here) -> Ran:
        """Answer the question in this way, or its part of it."""
        try:
            whole = here.keep(Task, self._read)
            here.begin()
            return self._ran(whole, here)
        except BuchiError as error:
            return Ran(self.number, error=error)

    def _read(self) -> Task:
        assert self.asked is not None, "this process has the question"
        return self.asked.task()

    def _ran(self, whole: Task, here: Here) -> Ran:
        deadline = Deadline(self.limits.seconds)
        for options in self.entry.tries():
            result = self._result(replace(whole, options=options), here, deadline)
            if result.reason is not Reason.STATES:
                break
        return Ran(self.number, result, seed=options.seed)

    def _result(self, whole: Task, here: Here, deadline: Deadline) -> CheckResult:
        options, wishes = whole.options, self.wishes
        limits = options.limits._replace(bytes=options.limits.bytes or here.memory * self.places)
        task = replace(whole, options=replace(options, limits=limits))
        answer = Answer(options.via or Kind.TGBA, options.workers)
        with answer.ends_early():
            if self.entry.clause is not None:
                source = here.keep(Source, lambda: Source.of(whole, wishes))
                assert source.automaton is not None, "its clauses were counted"
                part = replace(task.forbidden, value=self.entry.part(source.automaton))
                task, wishes = replace(task, forbidden=part), source.wishes
            made = partial(_made, task, wishes)
            prepare(answer, task, lambda kind: here.keep((self.entry.clause, kind), partial(made, kind)))
            decide(answer, task, deadline, nobody)
        return result_of(answer, answer.reason)

    def out_of_bounds(self, _started: datetime, reason: Reason, message: str) -> Ran:
        """Return what it is that a contestant was ended at a limit."""
        return Ran(self.number, error=LimitReached(reason, message))

    def lost(self, _started: datetime, message: str) -> Ran:
        """Return what it is that a contestant died; it is the system that kills, where memory runs out."""
        killed = isolation.signal_name(9) in message or "Dask workers died" in message
        return Ran(
            self.number, error=LimitReached(Reason.MEMORY, message) if killed else InternalError(message)
        )

    def failed(self, _started: datetime, message: str) -> Ran:
        """Return what it is that a contestant could not be executed."""
        return Ran(self.number, error=InternalError(message))


def _made(task: Task, wishes: Wishes, kind: Kind) -> Prepared:
    return task.prepared(convert(task.forbidden.value, kind, wishes))


@dataclass(frozen=True)
class Source:
    """The automaton whose clauses are taken apart, and how its parts are translated further.

    That is the automaton that is given, before Fin is removed from it, or else the one that is made.
    """

    automaton: Automaton | None
    """None where it is of a kind that has no clauses."""
    wishes: Wishes

    @classmethod
    def of(cls, task: Task, wishes: Wishes) -> Source:
        """Return that of a question."""
        value = task.forbidden.value
        if isinstance(value, Automaton) and len(value.acceptance) > 1:
            return cls(value, wishes)
        kind = kind_to_check(value, task.options.via, task.options.checker)
        form = convert(value, kind, wishes)
        return cls(form if isinstance(form, Automaton) else None, NO_WISHES)


class Field:
    """Those who take part, by what rule, and where."""

    def __init__(self, task: Task, wishes: Wishes, asked: Asked, apart: Apart) -> None:
        self.rule: Literal["any", "all"] = "any" if apart.race else "all"
        self._task, self._wishes, self._asked, self._apart = task, wishes, asked, apart
        self._kept: Kept = {Task: task}
        self._entries = self._racers() if apart.race else self._parts()

    @property
    def _is_here(self) -> bool:
        return self._apart.executor == LOCAL

    def _racers(self) -> list[Entry]:
        task, workers = self._task, self._task.options.workers
        kind = kind_to_check(task.forbidden.value, task.options.via, task.options.checker)
        automaton = self._kept[None, kind] = _made(task, self._wishes, kind)
        if self._is_here:
            return racers(task, automaton, workers)
        return racers(task, automaton, max(2, places_of(self._apart.executor)), workers)

    def _parts(self) -> list[Entry]:
        source = self._kept[Source] = Source.of(self._task, self._wishes)
        return parts(self._task, source.automaton, shared=self._is_here)

    def executor(self) -> Executor[Ran]:
        """Return where they are."""
        if not self._is_here:
            return executor(self._apart.executor, None)
        _ = self._task.model.engine  # once for all processes
        return executor(LOCAL, self._task.options.workers, self._kept)

    def contestants(self, seconds: float | None) -> Iterator[Contestant]:
        """Yield the jobs; here they share the memory, elsewhere each has what is asked for."""
        asked = None if self._is_here else self._asked
        for number, entry in enumerate(self._entries):
            limits = self._asked.options.limits
            if self._is_here:
                total, each = self._task.options.limits.bytes or 1, entry.options.workers
                limits = limits._replace(bytes=max(1, total * each // self._task.options.workers))
            options = replace(entry.options, limits=limits._replace(seconds=seconds))
            yield Contestant(number, replace(entry, options=options), self._wishes, asked)

    def told(self, ran: Mapping[int, Ran], winner: int | None) -> Contest:
        """Return who took part, with what is known of those that have a result."""
        entrants = tuple(self._entrant(entry, ran.get(i)) for i, entry in enumerate(self._entries))
        return Contest(rule=self.rule, entrants=entrants, winner=winner)

    def _entrant(self, entry: Entry, ran: Ran | None) -> Entrant:
        if ran is None or ran.result is None:
            return entry.entrant(self._kind(entry))
        return entry.entrant(ran.result.kind, ran.result.checker, ran.seed)

    def _kind(self, entry: Entry) -> str:
        value, options = self._task.forbidden.value, entry.options
        return kind_to_check(value, options.via, options.checker).value


def hold(field: Field, deadline: Deadline) -> CheckResult:
    """Hold the contest, and return the verdict. Raises BuchiError, and KeyboardInterrupt."""
    isolation.stage("waiting for other processes", has_others=True)
    execute, ran = field.executor(), dict[int, Ran]()
    seconds, began = deadline.remaining(), time.monotonic()
    asked = threading.Event()
    with (
        isolation.interrupts_call(asked.set),
        closing(execute(field.contestants(seconds))) as outcomes,
    ):
        for outcome in outcomes:
            if outcome is not None:
                ran[outcome.number] = outcome
                if (decided := _decided(field, outcome, ran)) is not None:
                    return decided
            if asked.is_set():
                raise KeyboardInterrupt
            if seconds is not None and time.monotonic() > began + seconds + LATE:
                raise LimitReached(Reason.TIME)
    return _agreed(field, ran, time.monotonic() - began)


def _decided(field: Field, last: Ran, ran: Mapping[int, Ran]) -> CheckResult | None:
    """Return the result if the last one decides: by a violation, or where one is enough because it holds.

    Where another met an error of the model, the model has no property that holds.
    """
    result = last.result
    if result is None or result.verdict is Verdict.UNKNOWN:
        return None
    if result.verdict is Verdict.HOLDS and (field.rule == "all" or _faults(ran)):
        return None
    return result.model_copy(update={"contest": field.told(ran, last.number)})


def _faults(ran: Mapping[int, Ran]) -> list[BuchiError]:
    return [one.error for one in ran.values() if isinstance(one.error, ModelRuntimeError)]


def _agreed(field: Field, ran: Mapping[int, Ran], seconds: float) -> CheckResult:
    """Return what all say together, none of whom decided alone. Raises BuchiError."""
    results = [one.result for _, one in sorted(ran.items()) if one.result is not None]
    errors = [one.error for _, one in sorted(ran.items()) if one.error is not None]
    if errors and (field.rule == "all" or _faults(ran) or not results):
        raise (_faults(ran) or errors)[0]
    unknown = [result for result in results if result.verdict is Verdict.UNKNOWN]
    found = (unknown or results)[0]
    known = _sums(results, seconds) if field.rule == "all" else {}
    return found.model_copy(update={**known, "contest": field.told(ran, None)})


def _sums(results: Sequence[CheckResult], seconds: float) -> dict[str, Any]:
    """Return the counters of searches that worked for one verdict; the time is that of all together."""
    added = (
        "states",
        "transitions",
        "post_calls",
        "reduced_posts",
        "left_out",
        "components",
        "passes",
        "bytes",
    )
    most = ("max_depth", "max_stack")
    return {
        **{name: sum(getattr(result, name) for result in results) for name in added},
        **{name: max(getattr(result, name) for result in results) for name in most},
        "seconds": seconds,
    }
