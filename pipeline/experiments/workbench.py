"""Executes runs, in a worker process. What is slow to make and used again is kept: models, engines, automata.

Translations are done in this process and not in a child of it, as `buchi check` does: the worker itself may be ended
by the process that watches over it, and a fork would cost more than most of the runs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import asdict, replace
from datetime import datetime, timezone
from typing import Any, Generic, TypeVar, cast

from buchi.common.ends import Reason, Verdict
from buchi.common.errors import BuchiError, InputError
from buchi.models.frontend import Loaded
from buchi.pipeline import registry, routes
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.experiments import surroundings
from buchi.pipeline.experiments.constants import constant
from buchi.pipeline.experiments.records import identity, killed
from buchi.pipeline.experiments.run import Run, Skipped, other_verdict
from buchi.pipeline.loading import frontend_for, read_text, translated
from buchi.pipeline.options import Overflow
from buchi.pipeline.prepared import Executable, Prepared
from buchi.pipeline.properties import Forbidden, forbidden_by
from buchi.pipeline.routes import Wishes, convert
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.table import table
from buchi.pipeline.task import Task
from buchi.schemas.automaton import MAX_SETS, Clause
from buchi.schemas.claims import Claims
from buchi.schemas.kind_schemas import Form
from buchi.schemas.kinds import Kind
from buchi.schemas.run import Measured, RunRecord, RunStatus
from buchi.schemas.story import Story

Value = TypeVar("Value")
FEW, MANY = 8, 64


class NotWantedError(Exception):
    """The run is left out; the message says why."""


class Cache(Generic[Value]):
    """The values that were used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of a key, which is made when it is not there."""
        if key not in self._values:
            self._values[key] = make()
        self._values.move_to_end(key)
        while len(self._values) > self._size:
            self._values.popitem(last=False)
        return self._values[key]


class Workbench:
    """Executes one run after the other; `memory` is for each worker of a run that has no limit of its own."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._models: Cache[Executable] = Cache(FEW)
        self._forbidden: Cache[Forbidden] = Cache(MANY)
        self._forms: Cache[Form] = Cache(MANY)
        self._prepared: Cache[Prepared] = Cache(MANY)
        surroundings.versions()  # looked up once, and in the time of no run

    def execute(self, run: Run, begin: Callable[[], None] = lambda: None) -> RunRecord | Skipped:
        """Execute a run. Whatever goes wrong in it is part of its record.

        Its time does not begin before `begin` is called: loading a model is not what an experiment measures, and
        another run may have done it.
        """
        started, clock = datetime.now(timezone.utc), surroundings.Clock()
        answer = Answer(Kind(run.route.kind or Kind.TGBA))
        status, message = RunStatus.DONE, None
        try:
            with answer.ends_early():
                self._answer(run, answer, begin)
            if answer.reason is Reason.INTERRUPTED:
                return killed(run, started, "the worker was told to end")
        except NotWantedError as why:
            return Skipped(run.key, str(why))
        except BuchiError as error:
            status, message = RunStatus.FAILED, str(error)
        except Exception as error:  # a bug is the record of this run, not the end of all
            status, message = RunStatus.FAILED, f"{type(error).__name__}: {error}"
        ready, done = answer.ready, status is RunStatus.DONE
        return RunRecord(
            **identity(run, started, constant(ready.automaton.table) if ready else None),
            kind=answer.kind.value,
            checker=ready.choice.checker.name if ready else run.route.checker,
            status=status,
            verdict=answer.verdict if done else None,
            reason=answer.reason if done else None,
            message=message,
            measured=_measured(answer, clock),
            counterexample=Story.of(answer.found).kept() if answer.found else None,
        )

    def _answer(self, run: Run, answer: Answer, begin: Callable[[], None]) -> None:
        """Translate, search and replay. Raises NotWantedError, BuchiError and MemoryError."""
        task = self._task(run)
        begin()
        deadline = Deadline(run.options.limits.seconds)
        self._check_strength(run, task)
        self._prepare(run, task, answer)
        decide(answer, task, deadline, nobody)
        if run.route.whole:
            _count_whole(answer, task, deadline)
        if run.wanted.verdict not in (None, answer.verdict) and answer.verdict is not Verdict.UNKNOWN:
            raise NotWantedError(other_verdict(answer.verdict))

    def _task(self, run: Run) -> Task:
        """Return the task with the model, its engine and its property from the cache."""
        model, question = run.model, run.question
        limits = run.options.limits
        options = replace(
            run.options,
            via=Kind(run.route.kind) if run.route.kind else None,
            checker=run.route.checker,
            limits=limits._replace(bytes=limits.bytes or self._memory * run.route.workers),
        )
        key = (model.identity, options.overflow, options.backend)
        executable = self._models.get(key, lambda: Executable(_load(run), options.backend))
        forbidden = self._forbidden.get(
            (model.identity, question.ltl, question.digest),
            lambda: forbidden_by(question.ltl, question.automaton, executable.loaded, model.name),
        )
        executable.engine  # noqa: B018  (built before the time of the run begins)
        return Task(executable, forbidden, options)

    def _prepare(self, run: Run, task: Task, answer: Answer) -> None:
        """Make the automaton and choose its checker; a route that does not apply is left out if it may be."""
        try:
            prepare(answer, task, lambda kind: self._prepared_for(run, task, kind))
        except InputError as error:
            if run.route.optional:
                raise NotWantedError(error.message) from None
            raise

    def _prepared_for(self, run: Run, task: Task, kind: Kind) -> Prepared:
        """Return the automaton of a run; that of one formula serves all models, but each in its own way."""
        value, key = task.forbidden.value, (_source(run), run.route.chain, kind)
        form = self._forms.get(key, lambda: cast(Form, convert(value, kind, _wishes(run))))
        options = task.options
        here = (run.model.identity, options.overflow, options.backend, options.fair, options.fair_by, *key)
        return self._prepared.get(here, lambda: task.prepared(form))

    def _check_strength(self, run: Run, task: Task) -> None:
        """Leave a run out whose automaton is weak, or is not, where the selection wants the other."""
        if run.wanted.weak is None:
            return
        value = task.forbidden.value
        kind = Kind.TGBA if value.kind is Kind.LTL else Kind(value.kind)
        form = self._forms.get((_source(run), "", kind), lambda: cast(Form, convert(value, kind)))
        weak = table(form).observed(Claims(weak=True)).weak
        if weak is not run.wanted.weak:
            raise NotWantedError("the automaton is weak" if weak else "the automaton is not weak")


def _count_whole(answer: Answer, task: Task, deadline: Deadline) -> None:
    """Let the counters be those of all of the product: the acceptance asks for a mark that no edge has.

    There is no such thing where an assertion of the model fails.
    """
    assert answer.ready is not None, "nothing was prepared"
    assert answer.ended is not None, "nothing was searched"
    if answer.ended.reason is not None or answer.ended.found is not None:
        return
    automaton = answer.ready.automaton
    assert automaton.table.sets < MAX_SETS, "there is no mark that no edge has"
    never = (Clause(fin=0, inf=1 << MAX_SETS - 1),)
    ascc = registry.checker("ascc")
    answer.ended = task.widening(
        lambda: task.search(task.product(automaton), automaton, ascc, deadline, nobody, acceptance=never)
    )
    answer.found = answer.found if answer.ended.reason is None else None


def _source(run: Run) -> Hashable:
    """Return what an automaton is made from: the formula or file, or else the model with its process."""
    return run.question.digest or run.model.identity


def _load(run: Run) -> Loaded:
    """Load the model; it must still be what it was when the run was planned."""
    model = run.model
    text = read_text(model.path) if model.text is None else model.text
    surroundings.check_unchanged(text, model.digest, model.file)
    frontend = frontend_for(model.path, registry.frontends().values())
    overflow_is_error = run.options.overflow is Overflow.ERROR
    return translated(frontend, text, model.file, model.constants, overflow_is_error=overflow_is_error)


def _wishes(run: Run) -> Wishes:
    known = routes.translators()
    options = {name: known[name].options.model_validate(o) for name, o in run.route.options.items()}
    return Wishes(run.route.through, options)


def _measured(answer: Answer, clock: surroundings.Clock) -> Measured:
    """Return what was counted; nothing is where there was no automaton to search with."""
    known: dict[str, Any] = {}
    if answer.ready is not None:
        size = answer.ready.automaton.size
        known = {f"automaton_{name}": number for name, number in size} | asdict(answer.counters)
    return Measured(
        **known,
        cpu_seconds=clock.cpu_seconds(),
        peak_bytes=clock.peak_bytes(),
        counterexample_length=answer.found.length if answer.found else None,
        certified_seconds=answer.certified.seconds if answer.certified else None,
    )
