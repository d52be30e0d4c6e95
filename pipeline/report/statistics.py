"""How routes compare: every number of a report's tables comes from here.

Means are over a *common subset*: the cases that all the routes compared finished. A time-out has no value, and a
mean over what is left would reward the route that gave up on the hard cases. A constant formula tells nothing of the
routes either, and enters no mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from buchi.pipeline.report.cases import Case, Results
from buchi.pipeline.report.counters import Counter


class Group(str, Enum):
    """The cases that a mean is over: to find a counterexample is another thing than to find that there is none."""

    VIOLATED = "violated"
    HOLDS = "holds"
    ALL = "all"

    def has(self, case: Case) -> bool:
        """Return whether a case belongs here."""
        return self is Group.ALL or case.verdict.value == self.value


def geometric_mean(values: Sequence[float]) -> float | None:
    """Return the geometric mean of positive numbers, None of no numbers."""
    if not values:
        return None
    return math.exp(math.fsum(map(math.log, values)) / len(values))


@dataclass(frozen=True)
class Sample:
    """The cases that some routes finished, and on which some counters are positive for all of them.

    `dropped` counts the cases left out since a value is zero, which has no logarithm, or was not measured.
    """

    cases: dict[Group, list[Case]]
    dropped: int

    def mean(self, route: str, counter: Counter, group: Group = Group.ALL) -> float | None:
        """Return the geometric mean of a route over the cases of a group."""
        return geometric_mean(_values(self.cases[group], route, counter))

    def size(self, group: Group = Group.ALL) -> int:
        """Return how many cases a group has."""
        return len(self.cases[group])


def sample(
    cases: Iterable[Case], routes: Sequence[str], counters: Sequence[Counter], group: Group = Group.ALL
) -> Sample:
    """Return the cases of a group on which the routes compare by all the counters."""
    common = [case for case in cases if case.finished(routes) and group.has(case) and not case.constant]
    kept = [case for case in common if all(_positive(case, routes, counter) for counter in counters)]
    return Sample({some: list(filter(some.has, kept)) for some in Group}, len(common) - len(kept))


def _positive(case: Case, routes: Sequence[str], counter: Counter) -> bool:
    return all((case.outcomes[route].value(counter) or 0) > 0 for route in routes)


@dataclass(frozen=True)
class Mean:
    """A mean of a route, and how many times that of the baseline it is."""

    value: float | None
    ratio: float | None
    cases: int


def ratio(value: float | None, base: float | None) -> float | None:
    """Return how many times `base` a value is, None where there is nothing to divide."""
    return value / base if value is not None and base else None


@dataclass(frozen=True)
class Means:
    """Geometric means on the common subset of all routes (seed 003, Table 4)."""

    counter: Counter
    cases: dict[Group, int]
    dropped: int
    rows: dict[str, dict[Group, Mean]]


def geometric_means(results: Results, counter: Counter) -> Means:
    """Return the means of every route, by verdict and over all."""
    found = sample(results.cases, results.routes, [counter])
    sizes = {group: found.size(group) for group in Group}
    rows = {route: _row(found, route, results.baseline, counter) for route in results.routes}
    return Means(counter, sizes, found.dropped, rows)


def _row(found: Sample, route: str, baseline: str, counter: Counter) -> dict[Group, Mean]:
    row = {}
    for group in Group:
        value, base = (found.mean(name, counter, group) for name in (route, baseline))
        row[group] = Mean(value, ratio(value, base), found.size(group))
    return row


@dataclass(frozen=True)
class Duel:
    """A route against the baseline on the cases that both finished, whatever the other routes did."""

    means: dict[Group, Mean]
    better: int
    equal: int
    worse: int
    only_route: int
    only_baseline: int


def duel(results: Results, route: str, counter: Counter) -> Duel:
    """Compare a route with the baseline."""
    found = sample(results.cases, (route, results.baseline), [counter])
    mine, base = (_values(found.cases[Group.ALL], name, counter) for name in (route, results.baseline))
    both = list(zip(mine, base, strict=True))
    return Duel(
        means=_row(found, route, results.baseline, counter),
        better=sum(mine < base for mine, base in both),
        equal=sum(mine == base for mine, base in both),
        worse=sum(mine > base for mine, base in both),
        only_route=_only(results.cases, route, results.baseline),
        only_baseline=_only(results.cases, results.baseline, route),
    )


def _only(cases: Iterable[Case], route: str, other: str) -> int:
    """Count the cases that one of two routes finished; a case that the other was never given does not count."""
    return sum(
        other in case.outcomes and case.finished([route]) and not case.finished([other]) for case in cases
    )


@dataclass(frozen=True)
class Total:
    """Sum, average and maximum over the common subset, and the share of cases where a route is best.

    As in seed 000, figure 4, and seed 001, Table 1: `best` is strictly less than every other, `tied` includes ties.
    """

    total: float
    percent: float | None
    average: float
    maximum: float
    best: float
    tied: float


def totals(results: Results, counter: Counter, group: Group = Group.ALL) -> tuple[int, dict[str, Total]]:
    """Return the number of cases of the common subset, and the totals of each route where there is any.

    Unlike a geometric mean, a sum takes a zero.
    """
    common = (case for case in results.cases if group.has(case) and case.finished(results.routes))
    known = [case for case in common if not case.constant and _measured(case, results.routes, counter)]
    values = {route: _values(known, route, counter) for route in results.routes}
    if not known:
        return 0, {}
    base = math.fsum(values[results.baseline])
    return len(known), {route: _total(values, route, base) for route in results.routes}


def _measured(case: Case, routes: Sequence[str], counter: Counter) -> bool:
    return all(case.outcomes[route].value(counter) is not None for route in routes)


def _values(cases: Iterable[Case], route: str, counter: Counter) -> list[float]:
    """Return the values of a route on cases where it has one."""
    return [case.outcomes[route].value(counter) or 0 for case in cases]


def _total(values: dict[str, list[float]], route: str, base: float) -> Total:
    mine, number = values[route], len(values[route])
    others = [some for name, some in values.items() if name != route]
    total = math.fsum(mine)
    return Total(
        total=total,
        percent=100 * total / base if base else None,
        average=total / number,
        maximum=max(mine),
        best=_share(mine, others, lambda value, other: value < other),
        tied=_share(mine, others, lambda value, other: value <= other),
    )


def _share(
    mine: Sequence[float], others: Sequence[Sequence[float]], wins: Callable[[float, float], bool]
) -> float:
    """Return the percentage of cases where a route wins against each other."""
    won = sum(all(wins(value, other[i]) for other in others) for i, value in enumerate(mine))
    return 100 * won / len(mine)
