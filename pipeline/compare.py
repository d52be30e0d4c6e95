"""Checks one model against one property by every route, and holds the routes to one verdict."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass

from buchi.checkers.declaration import AnyChecker
from buchi.common.ends import Reason, Verdict
from buchi.common.errors import InputError, InternalError, LimitReached, ModelRuntimeError
from buchi.common.option_names import option
from buchi.pipeline import isolation, registry
from buchi.pipeline.answer import Answer, Ready, decide
from buchi.pipeline.arguments import SHORTEST
from buchi.pipeline.chains import Translations, all_chains, cheapest_chains
from buchi.pipeline.dispatch import Choice
from buchi.pipeline.loading import ModelLike, name_of
from buchi.pipeline.options import AUTO, CheckOptions
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.routes import Chain
from buchi.pipeline.search import Deadline, Progress, Watch, nobody
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
    watch: Watch = nobody,
) -> Comparison:
    """Check a model by every route; limits hold for each translation and each search.

    The property is given as for `check`. `options.via` and `options.checker` keep to one kind or checker.
    With `every_chain`, a kind is made in every way and not only in the cheapest one. Raises InputError for
    bad input and for a model that fails before any route has found a violation, and Disagreement where two
    routes do not give the same verdict.
    """
    options = (options or CheckOptions()).bounded()
    name = name_of(model)
    isolation.limit(options.limits.seconds, options.limits.bytes)
    task = Task.of(model, ltl, automaton, options)
    isolation.limit(None, None)
    rows, interrupted = [], True
    routes = _Routes(task, watch, every_chain)
    with closing(routes.translations), suppress(KeyboardInterrupt):
        for row in routes.rows():
            rows.append(row)
            _check_agreement(rows, name, task)
            if row.reason is Reason.INTERRUPTED:
                break
        else:
            interrupted = False
    verdict = _verdict(rows)
    if routes.faults and verdict is not Verdict.VIOLATED:
        raise routes.faults[0]
    return Comparison(
        model=name,
        forbidden=_forbidden(task),
        verdict=verdict,
        interrupted=interrupted,
        rows=tuple(rows),
    )


def _forbidden(task: Task) -> str:
    value = task.forbidden.value
    return str(value) if value.kind is Kind.LTL else f"a given {Kind(value.kind)}"


def _verdict(rows: list[Row]) -> Verdict:
    found = [row.verdict for row in rows if row.verdict not in (None, Verdict.UNKNOWN)]
    return found[0] or Verdict.UNKNOWN if found else Verdict.UNKNOWN


def _check_agreement(rows: list[Row], model: str, task: Task) -> None:
    """Compare the last row with those before it."""
    last = rows[-1]
    for row in rows:
        if {row.verdict, last.verdict} == {Verdict.HOLDS, Verdict.VIOLATED}:
            order = "model" if task.options.seed is None else f"random:{task.options.seed}"
            raise Disagreement(
                "two routes disagree\n"
                f"model: {model}\nforbidden: {_forbidden(task)}\n"
                f"order: {order}, deadlocks: {task.options.deadlock.value}\n"
                f"{row.kind} ({row.route}) with {row.checker}: {row.verdict and row.verdict.value}\n"
                f"{last.kind} ({last.route}) with {last.checker}: {last.verdict and last.verdict.value}"
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
    """Takes the routes of a task one after the other; only one product is there at a time."""

    def __init__(self, task: Task, watch: Watch, every_chain: bool) -> None:
        self.task = task
        self.watch = watch
        value, wanted = task.forbidden.value, task.options.via
        chains = (all_chains if every_chain else cheapest_chains)(Kind(value.kind))
        self.chains = [(kind, chain) for kind, chain in chains if wanted in (None, kind)]
        found = [chain for _, chain in self.chains if not isinstance(chain, str)]
        self.translations = Translations(value, task.options.limits, found)
        self.seen: dict[Hashable, _Way] = {}
        self.faults: list[ModelRuntimeError] = []
        """Errors of the model that searches met; others may have found a violation before."""

    def rows(self) -> Iterator[Row]:
        for kind, chain in self.chains:
            yield from self._of_chain(kind, chain)

    def _of_chain(self, kind: Kind, chain: Chain | str) -> Iterator[Row]:
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
        yield from (self._of_checker(way, prepared, checker) for checker in self._checkers())

    def _checkers(self) -> list[AnyChecker]:
        name = self.task.options.checker
        return list(registry.checkers().values()) if name == AUTO else [registry.checker(name)]

    def _of_checker(self, way: _Way, prepared: Prepared, checker: AnyChecker) -> Row:
        refusal = checker.accepts.refusal(prepared.table, total=self.task.stutter)
        if checker.name == SHORTEST != self.task.options.checker:
            refusal = f"looks for more than a verdict: {option('checker', SHORTEST)} runs it alone"
        if refusal is not None:
            return way.refused(refusal, checker)
        answer = Answer(way.kind, ready=Ready(prepared, Choice(checker)))
        try:
            with answer.ends_early():
                self._decide(answer, f"{way.kind} with {checker.name}")
        except ModelRuntimeError as error:
            self.faults.append(error)
            return way.refused(f"met an error of the model: {error.message}", checker)
        except InternalError as error:
            raise InternalError(f"{way} with {checker.name}: {error}") from None
        return _taken(way, checker, answer)

    def _decide(self, answer: Answer, what: str) -> None:
        _ = self.task.model.engine  # compiled by the first route, which no limit is meant for

        def watch(progress: Progress, _what: str = "") -> None:
            self.watch(progress, what)

        decide(answer, self.task, Deadline(self.task.options.limits.seconds), watch)


def _content(automaton: Automaton) -> Hashable:
    """Return all of an automaton that a search depends on."""
    return (
        automaton.letter,
        automaton.propositions,
        automaton.initial,
        automaton.edges,
        automaton.acceptance,
    )


def _taken(way: _Way, checker: AnyChecker, answer: Answer) -> Row:
    return Row(
        **asdict(answer.counters),
        kind=way.kind.value,
        translators=way.translators,
        checker=checker.name,
        verdict=answer.verdict,
        reason=answer.reason,
        automaton=answer.ready.automaton.size if answer.ready else None,
        counterexample=answer.found.length if answer.found else None,
    )
