"""Checks one model against one property by every route, and holds the routes to one verdict."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from typing import Any

from buchi.checkers.declaration import AnyChecker
from buchi.common.ends import Reason, Verdict
from buchi.common.errors import BuchiError, InputError, InternalError, LimitReached, ModelRuntimeError
from buchi.common.option_names import option
from buchi.pipeline import isolation, registry
from buchi.pipeline.answer import Answer, Ready, decide
from buchi.pipeline.arguments import SHORTEST
from buchi.pipeline.chains import Translations, all_chains, cheapest_chains
from buchi.pipeline.dispatch import Choice
from buchi.pipeline.loading import ModelLike, name_of
from buchi.pipeline.options import AUTO, CheckOptions, Reduce
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.routes import Chain
from buchi.pipeline.search import Deadline, Progress, Watch, nobody
from buchi.pipeline.second_look import SecondLook
from buchi.pipeline.side_by_side import Taken, side_by_side
from buchi.pipeline.task import Task
from buchi.schemas.automaton import Automaton
from buchi.schemas.comparison import Comparison, Row
from buchi.schemas.kinds import Kind


class Disagreement(InternalError):  # noqa: N818  (it is one, and the worst there is)
    """Two routes give different verdicts: one of them is wrong."""


def compare(
    model: ModelLike,
    *,
    ltl: str | None = None,
    automaton: AutomatonLike | None = None,
    options: CheckOptions | None = None,
    every_chain: bool = False,
    jobs: int | None = None,
    watch: Watch = nobody,
) -> Comparison:
    """Check a model by every route; limits hold for each translation and each search.

    The property is given as for `check`. `options.via` and `options.checker` keep to one kind or checker.
    With `every_chain`, a kind is made in every way and not only in the cheapest one. With `jobs`, each route is
    taken in a process of its own, so many at a time. Raises InputError for bad input and for a model that fails
    before any route has found a violation, and Disagreement where two routes do not give the same verdict.
    """
    options = (options or CheckOptions()).bounded(jobs or 1)
    name = name_of(model)
    isolation.limit(options.limits.seconds, options.limits.bytes)
    task = Task.of(model, ltl, automaton, options)
    isolation.limit(None, None)
    rows: dict[int, Row] = {}
    interrupted = True
    routes = _Routes(task, watch, every_chain)
    with closing(routes.translations), suppress(KeyboardInterrupt):
        for number, row in routes.rows(jobs):
            _check_agreement(row, rows.values(), name, task)
            rows[number] = row
            if row.reason is Reason.INTERRUPTED:
                break
        else:
            interrupted = False
    verdict = _verdict(rows.values())
    if routes.faults and verdict is not Verdict.VIOLATED:
        raise routes.faults[0]
    look = SecondLook(task, Deadline(options.limits.seconds), watch)
    if not interrupted:
        look.take(
            verdict, min((row.states or 0 for row in rows.values() if row.verdict is verdict), default=0)
        )
    return Comparison(
        model=name,
        forbidden=_forbidden(task),
        verdict=verdict,
        interrupted=interrupted,
        warnings=look.cautions,
        rows=tuple(rows[number] for number in sorted(rows)),
    )


def _forbidden(task: Task) -> str:
    value = task.forbidden.value
    return str(value) if value.kind is Kind.LTL else f"a given {Kind(value.kind)}"


def _verdict(rows: Iterable[Row]) -> Verdict:
    found = [row.verdict for row in rows if row.verdict not in (None, Verdict.UNKNOWN)]
    return found[0] or Verdict.UNKNOWN if found else Verdict.UNKNOWN


_DECIDED = (Verdict.HOLDS, Verdict.VIOLATED)


def _check_agreement(last: Row, rows: Iterable[Row], model: str, task: Task) -> None:
    """Compare a row with the first that came to a verdict: those between agree with it. Raises Disagreement."""
    first = next((row for row in rows if row.verdict in _DECIDED), last)
    if last.verdict in _DECIDED and last.verdict is not first.verdict:
        order = "model" if task.options.seed is None else f"random:{task.options.seed}"
        raise Disagreement(
            "two routes disagree\n"
            f"model: {model}\nforbidden: {_forbidden(task)}\n"
            f"order: {order}, deadlocks: {task.options.deadlock.value}\n"
            f"{first.kind} ({first.route}) with {first.check}: {first.verdict and first.verdict.value}\n"
            f"{last.kind} ({last.route}) with {last.check}: {last.verdict.value}"
        )


@dataclass(frozen=True)
class _Way:
    """A kind, and the names of the translators that lead to it."""

    kind: Kind
    translators: tuple[str, ...] = ()

    def refused(self, why: str, checker: AnyChecker | None = None) -> Row:
        name = checker.name if checker else None
        return Row(kind=self.kind.value, translators=self.translators, checker=name, refusal=why)

    def __str__(self) -> str:
        return f"{self.kind} ({', '.join(self.translators) or 'as given'})"


class _Routes:
    """The routes of a task, taken one after the other, or several at a time in processes of their own."""

    def __init__(self, task: Task, watch: Watch, every_chain: bool) -> None:
        self.task = task
        self.tasks = [task.whole(), *([task.reduced()] if task.kept is not None else [])]
        self.watch = watch
        value, wanted = task.forbidden.value, task.options.via
        chains = (all_chains if every_chain else cheapest_chains)(Kind(value.kind))
        self.chains = [(kind, chain) for kind, chain in chains if wanted in (None, kind)]
        found = [chain for _, chain in self.chains if not isinstance(chain, str)]
        self.translations = Translations(value, task.options.limits, found)
        self.seen: dict[Hashable, _Way] = {}
        self.faults: list[ModelRuntimeError] = []
        """Errors of the model that searches met; others may have found a violation before."""

    def rows(self, jobs: int | None) -> Iterator[tuple[int, Row]]:
        """Yield the rows with their numbers in the table, in the order in which there is something to tell."""
        if jobs is None:
            yield from enumerate(self._row(one) for one in self._all())
            return
        found = dict(enumerate(self._all()))
        searches = {number: one for number, one in found.items() if isinstance(one, _Search)}
        yield from ((number, one) for number, one in found.items() if isinstance(one, Row))
        if not searches:
            return
        for task in self.tasks:
            _ = task.engine  # once for all processes
        isolation.stage("comparing routes side by side", has_others=True)
        numbers, ready = zip(*searches.items(), strict=True)
        for taken in side_by_side(ready, self.task.options.limits, jobs):
            yield numbers[taken.number], self._told(ready[taken.number], taken)

    def _all(self) -> Iterator[Row | _Search]:
        """Yield the routes: as a search, or why there is none."""
        for kind, chain in self.chains:
            yield from self._of_chain(kind, chain)

    def _row(self, one: Row | _Search) -> Row:
        if isinstance(one, Row):
            return one
        try:
            return one.take()
        except BuchiError as error:
            return self._told(one, Taken(0, error=error))

    def _told(self, search: _Search, taken: Taken) -> Row:
        """Return the row of a search; an error of the model is one, and kept for the case that nothing is violated."""
        error = taken.error
        if isinstance(error, ModelRuntimeError):
            self.faults.append(error)
            return search.way.refused(f"met an error of the model: {error.message}", search.checker)
        if error is not None:
            raise error
        assert taken.row is not None
        return taken.row

    def _of_chain(self, kind: Kind, chain: Chain | str) -> Iterator[Row | _Search]:
        if isinstance(chain, str):
            yield _Way(kind).refused(chain)
            return
        way = _Way(kind, tuple(map(str, chain)))
        try:
            prepared = self.task.prepared(self.translations.of(chain))
        except (InputError, LimitReached) as error:
            yield way.refused(str(error).splitlines()[0])
            return
        first = self.seen.setdefault(_content(prepared.table), way)
        if first is not way:
            yield way.refused(f"the same automaton as {first}")
            return
        for checker in self._checkers():
            yield from self._of_checker(way, prepared, checker)

    def _checkers(self) -> list[AnyChecker]:
        name = self.task.options.checker
        return list(registry.checkers().values()) if name == AUTO else [registry.checker(name)]

    def _of_checker(self, way: _Way, prepared: Prepared, checker: AnyChecker) -> Iterator[Row | _Search]:
        refusal = checker.accepts.refusal(prepared.table, total=self.task.stutter)
        if checker.name == SHORTEST != self.task.options.checker:
            refusal = f"looks for more than a verdict: {option('checker', SHORTEST)} runs it alone"
        if refusal is not None:
            yield way.refused(refusal, checker)
            return
        yield from (_Search(way, prepared, checker, task, self.watch) for task in self.tasks)


@dataclass(frozen=True)
class _Search:
    """A route that is ready to be taken: an automaton, and a checker that takes it."""

    way: _Way
    prepared: Prepared
    checker: AnyChecker
    task: Task
    watch: Watch

    def take(self) -> Row:
        """Search. Raises BuchiError."""
        answer = self._answer()
        try:
            with answer.ends_early():
                self._decide(answer, f"{self.way.kind} with {self.checker.name}")
        except InternalError as error:
            raise InternalError(f"{self.way} with {self.checker.name}: {error}") from None
        return self._row(answer, **asdict(answer.counters))

    def ended(self, reason: Reason) -> Row:
        """Return the row of a search that had to be ended from outside."""
        answer = self._answer()
        answer.cut = reason
        return self._row(answer)

    def lost(self, error: str) -> Row:
        """Return the row of a search whose process died."""
        return self._row(self._answer(), error=error)

    def _answer(self) -> Answer:
        return Answer(self.way.kind, ready=Ready(self.prepared, Choice(self.checker)))

    def _decide(self, answer: Answer, what: str) -> None:
        _ = self.task.engine  # made by the first route, which no limit is meant for

        def watch(progress: Progress, _what: str = "") -> None:
            self.watch(progress, what)

        decide(answer, self.task, Deadline(self.task.options.limits.seconds), watch)

    def _row(self, answer: Answer, **known: Any) -> Row:
        return Row(
            **known,
            kind=self.way.kind.value,
            translators=self.way.translators,
            checker=self.checker.name,
            reduced=self.task.options.reduce is Reduce.ON,
            verdict=answer.verdict,
            reason=answer.reason,
            automaton=self.prepared.size,
            counterexample=answer.found.length if answer.found else None,
            certified=answer.certified,
            assertion=answer.found.violation.assertion if answer.found and answer.found.violation else None,
        )


def _content(automaton: Automaton) -> Hashable:
    """Return all of an automaton that a search depends on."""
    return (
        automaton.letter,
        automaton.propositions,
        automaton.initial,
        automaton.edges,
        automaton.acceptance,
    )
