"""Runs, grouped by the question that they answer.

A case is a model and a formula; each route has a result for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from buchi.common.ends import Verdict
from buchi.common.errors import InputError, nearest
from buchi.pipeline.report.counters import Counter
from buchi.pipeline.report.families import Family, families, in_order, likely_baseline
from buchi.schemas.run import RunRecord, RunStatus

DECIDED = (Verdict.HOLDS, Verdict.VIOLATED)


def decided(run: RunRecord) -> bool:
    """Return whether a run came to an answer."""
    return run.status is RunStatus.DONE and run.verdict in DECIDED


@dataclass(frozen=True)
class RouteResult:
    """What a route made of a case, over all repetitions."""

    route: str
    runs: tuple[RunRecord, ...]

    @cached_property
    def verdicts(self) -> frozenset[Verdict]:
        """The answers given: one, none when no repetition ended, two when the route contradicts itself."""
        return frozenset(run.verdict for run in self.runs if run.verdict is not None and decided(run))

    @cached_property
    def verdict(self) -> Verdict:
        """The answer, `unknown` where there is none or more than one."""
        return next(iter(self.verdicts)) if len(self.verdicts) == 1 else Verdict.UNKNOWN

    @cached_property
    def finished(self) -> bool:
        """Whether every repetition came to one and the same answer; only then do the counters compare."""
        return self.verdict in DECIDED and all(map(decided, self.runs))

    def value(self, counter: Counter) -> float | None:
        """Return the arithmetic mean over the repetitions, as the papers take it; None where one is missing."""
        if counter.name not in self._values:
            self._values[counter.name] = _mean([counter.of(run) for run in self.runs])
        return self._values[counter.name]

    @cached_property
    def _values(self) -> dict[str, float | None]:
        """The means that were asked for before: every table asks again."""
        return {}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


@dataclass(frozen=True)
class Case:
    """A model and a formula, with what each route made of them."""

    model: str
    formula: str
    formula_id: str
    outcomes: Mapping[str, RouteResult]
    constant: bool = False
    """Is the formula true, or false, whatever the model does? Then it enters no mean."""

    @cached_property
    def verdicts(self) -> frozenset[Verdict]:
        """The answers of all routes."""
        return frozenset().union(*(outcome.verdicts for outcome in self.outcomes.values()))

    @property
    def disputed(self) -> bool:
        """Whether two runs contradict each other: at least one of them is wrong."""
        return len(self.verdicts) > 1

    @cached_property
    def verdict(self) -> Verdict:
        """The answer that all agree on, `unknown` where there is none."""
        return next(iter(self.verdicts)) if len(self.verdicts) == 1 else Verdict.UNKNOWN

    def finished(self, routes: Iterable[str]) -> bool:
        """Return whether all these routes finished, and no run disputes the answer."""
        return self._finishers.issuperset(routes)

    @cached_property
    def _finishers(self) -> frozenset[str]:
        if self.disputed:
            return frozenset()
        return frozenset(route for route, outcome in self.outcomes.items() if outcome.finished)


@dataclass(frozen=True)
class Results:
    """All runs of a report, in an order that does not depend on when they were run."""

    runs: tuple[RunRecord, ...]
    cases: tuple[Case, ...]
    routes: tuple[str, ...]
    baseline: str
    replaced: int = 0
    """How many earlier runs are left out, since the same was run again under other limits or by another version."""

    @property
    def disputed(self) -> list[Case]:
        """The cases on which runs contradict each other."""
        return [case for case in self.cases if case.disputed]

    @property
    def constants(self) -> int:
        """How many cases are left out of all means, since their formulas are constant."""
        return sum(case.constant for case in self.cases)

    @cached_property
    def families(self) -> Mapping[str, Family]:
        """What each route is made of."""
        return families(self.runs)

    @property
    def others(self) -> tuple[str, ...]:
        """The routes that are compared with the baseline."""
        return tuple(route for route in self.routes if route != self.baseline)


def gather(records: Iterable[RunRecord], routes: Sequence[str] = (), baseline: str | None = None) -> Results:
    """Group runs into cases. `routes` selects and orders the routes; else all by kind, that of the baseline first.

    A run that occurs twice, as in two copies of a store, counts once.
    """
    unique = {run.key: _light(run) for run in records}
    latest = _latest(unique.values())
    if not latest:
        raise InputError("there are no runs to report")
    known = families(latest)
    base = _baseline(latest, known, routes, baseline)
    order = _order(known, routes, base)
    runs = sorted((run for run in latest if run.route in order), key=_place)
    return Results(tuple(runs), tuple(_cases(runs)), order, base, len(unique) - len(latest))


def _light(run: RunRecord) -> RunRecord:
    """Return a run without its counterexample, which no table shows and which may be as large as all the rest."""
    return run if run.counterexample is None else run.model_copy(update={"counterexample": None})


def _latest(runs: Iterable[RunRecord]) -> list[RunRecord]:
    """Return the last run of each repetition of a route on a case.

    A store keeps what was run before the limits of its experiment, or the version of buchi, changed: such a run is no
    further repetition.
    """
    found = {}
    for run in sorted(runs, key=lambda run: (run.started, run.key)):
        order = str(run.configuration.get("order"))
        found[_case_key(run), run.formula_id, run.route, order, run.repetition] = run
    return list(found.values())


Variant = tuple[str, ...]
"""What decides the answer beside the names of model and formula: the content of the file, and the semantics."""


def _variant(run: RunRecord) -> Variant:
    model = run.configuration.get("model")
    content = str(model.get("sha256", ""))[:8] if isinstance(model, Mapping) else ""
    return content, *(str(run.configuration.get(option, "")) for option in ("deadlock", "overflow"))


CaseKey = tuple[str, str, Variant]
"""Model, formula and variant: what the routes must agree on."""


def _case_key(run: RunRecord) -> CaseKey:
    return run.model, run.formula, _variant(run)


def _place(run: RunRecord) -> tuple[object, ...]:
    return *_case_key(run), run.route, run.repetition, run.key


def _cases(runs: Sequence[RunRecord]) -> Iterator[Case]:
    names, constants = _names(runs), _constants(runs)
    for question, group in groupby(runs, key=_case_key):
        model, formula, variant = question
        by_route = groupby(group, key=lambda run: run.route)
        outcomes = {route: RouteResult(route, tuple(some)) for route, some in by_route}
        first = next(iter(outcomes.values())).runs[0]
        always = f" (always {str(constants[question]).lower()})" if question in constants else ""
        name = names[model, variant]
        yield Case(name, f"{formula}{always}", first.formula_id, outcomes, question in constants)


def _constants(runs: Iterable[RunRecord]) -> dict[CaseKey, bool]:
    """Return the questions whose formulas are constant, with their truth values: one route tells it for all."""
    found = {}
    for run in runs:
        asked = run.configuration.get("property")
        value = asked.get("constant") if isinstance(asked, Mapping) else None
        if isinstance(value, bool):
            found[_case_key(run)] = value
    return found


def _names(runs: Iterable[RunRecord]) -> dict[tuple[str, Variant], str]:
    """Return what to call each variant of a model: its name, with what tells it from the others if there are any."""
    variants: dict[str, set[Variant]] = {}
    for run in runs:
        variants.setdefault(run.model, set()).add(_variant(run))
    return {
        (model, one): model + _distinction(one, found) for model, found in variants.items() for one in found
    }


def _distinction(one: Variant, among: Iterable[Variant]) -> str:
    differing = [part for part, *rest in zip(one, *among, strict=True) if len(set(rest)) > 1]
    return f" ({', '.join(differing)})" if differing else ""


def _order(known: Mapping[str, Family], routes: Sequence[str], baseline: str) -> tuple[str, ...]:
    for route in routes:
        _check_known(known, "--route", route)
    if routes:
        return tuple(dict.fromkeys((*routes, baseline)))
    others = [route for route in in_order(known, known) if route != baseline]
    return (baseline, *sorted(others, key=lambda route: known[route].kind != known[baseline].kind))


def _baseline(
    latest: Sequence[RunRecord], known: Mapping[str, Family], routes: Sequence[str], wanted: str | None
) -> str:
    """Return the route to compare with: the one asked for, else the first of `routes`, else a likely one."""
    if wanted is not None:
        _check_known(known, "--baseline", wanted)
        return wanted
    return routes[0] if routes else likely_baseline(latest, known, decided)


def _check_known(known: Mapping[str, Family], option: str, route: str) -> None:
    if route not in known:
        hint = nearest(route, known) or f"there are {', '.join(sorted(known))}"
        raise InputError(f"{option} {route}: the results have no such route", suggestion=hint)
