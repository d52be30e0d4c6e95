"""The tables of a report, as data: each writer (page, LaTeX, terminal) knows only what a table is."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from buchi.common.ends import Verdict
from buchi.pipeline.report.cases import Case, Results, RouteResult
from buchi.pipeline.report.counters import (
    AUTOMATON_PAIRS,
    AUTOMATON_STATES,
    COUNTERS,
    STATES,
    TRANSITIONS,
    Counter,
    Unit,
)
from buchi.pipeline.report.statistics import (
    Duel,
    Group,
    Mean,
    Total,
    duel,
    geometric_means,
    sample,
    totals,
)
from buchi.schemas.run import RunRecord, RunStatus


@dataclass(frozen=True)
class Number:
    """A number to be written; `ratio` is how many times the baseline's it is, None where that says nothing."""

    value: float | None
    unit: Unit = Unit.COUNT
    ratio: float | None = None


@dataclass(frozen=True)
class Percent:
    """A share of a hundred."""

    value: float | None


@dataclass(frozen=True)
class Ratio:
    """How many times the baseline's something is; None where that is not known."""

    value: float | None


Cell = str | int | Number | Percent | Ratio
Row = tuple[Cell, ...]

MANY = 12
"""More routes than these are read in groups."""


@dataclass(frozen=True)
class Table:
    """Rows under columns; the first column is text, and the note says what the numbers are over.

    `groups` has the group of each row, where there are so many that they are read in groups.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str
    groups: tuple[str, ...] = ()


_GROUPS = {Group.VIOLATED: "Violated", Group.HOLDS: "Holds", Group.ALL: "All"}


def by_kind(results: Results, table: Table) -> Table:
    """Return a table whose rows are routes, in groups by kind where there are many."""
    if len(results.routes) <= MANY:
        return table
    return replace(table, groups=tuple(results.families[str(row[0])].kind for row in table.rows))


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 case`, `2,000 cases`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def means_table(results: Results, counter: Counter) -> Table:
    """Geometric means by verdict, on the common subset (seed 003, Tables 4 and 6)."""
    means = geometric_means(results, counter)
    columns = ("Route", *(f"{title} ({means.cases[group]:,})" for group, title in _GROUPS.items()))
    rows: tuple[Row, ...] = tuple(
        (route, *(_mean(counter, row[group]) for group in _GROUPS)) for route, row in means.rows.items()
    )
    note = (
        f"Geometric means over the {count(means.cases[Group.ALL], 'case')} that {_all_routes(results)} finished"
        f"{_with_ratios(results)}.{_left_out(means.dropped)}{_constants(results)}"
    )
    return by_kind(
        results, Table(f"means-{counter.name}", f"{counter.title}: geometric means", columns, rows, note)
    )


def _all_routes(results: Results) -> str:
    return f"all {len(results.routes)} routes" if results.others else results.baseline


def _with_ratios(results: Results) -> str:
    return f", and how many times that of {results.baseline} they are" if results.others else ""


def _mean(counter: Counter, mean: Mean) -> Number:
    return Number(mean.value, counter.unit, mean.ratio)


def _left_out(dropped: int) -> str:
    if not dropped:
        return ""
    return f" {count(dropped, 'more case')} cannot enter: a value is zero or was not measured."


def _constants(results: Results) -> str:
    if not results.constants:
        return ""
    return f" {count(results.constants, 'case')} of constant formulas left out."


def duels_table(results: Results, counter: Counter) -> Table:
    """Each route against the baseline, on the cases that these two finished."""
    columns = ("Route", "Cases", *_GROUPS.values(), "Less", "Equal", "More", "Only it", "Only baseline")
    rows: tuple[Row, ...] = tuple(
        _duel(route, counter, duel(results, route, counter)) for route in results.others
    )
    note = (
        f"Each route against {results.baseline} alone, on the cases that both finished: geometric mean and ratio by "
        "verdict, in how many cases it took less, as much or more, and the cases that only one of the two finished."
        f"{_constants(results)}"
    )
    return by_kind(
        results,
        Table(f"duels-{counter.name}", f"{counter.title}: against {results.baseline}", columns, rows, note),
    )


def _duel(route: str, counter: Counter, found: Duel) -> Row:
    means = (_mean(counter, found.means[group]) for group in _GROUPS)
    counts = (found.better, found.equal, found.worse, found.only_route, found.only_baseline)
    return (route, found.means[Group.ALL].cases, *means, *counts)


def totals_table(results: Results, counter: Counter) -> Table:
    """Sums, averages and maxima on the common subset (seed 000, figure 4; seed 001, Table 1)."""
    number, found = totals(results, counter)
    columns = ("Route", "Total", "of baseline", "Average", "Maximum", "Best", "Best or tied")
    rows: tuple[Row, ...] = tuple((route, *_total(counter, total)) for route, total in found.items())
    note = (
        f"Over the {count(number, 'case')} that {_all_routes(results)} finished. Best: the share of cases "
        f"in which a route took less than every other.{_constants(results)}"
    )
    return by_kind(results, Table(f"totals-{counter.name}", f"{counter.title}: totals", columns, rows, note))


def _total(counter: Counter, found: Total) -> Iterator[Cell]:
    yield Number(found.total, counter.unit)
    yield Percent(found.percent)
    yield Number(found.average, counter.unit)
    yield Number(found.maximum, counter.unit)
    yield Percent(found.best)
    yield Percent(found.tied)


SIZES = {
    AUTOMATON_STATES: "Automaton states",
    COUNTERS["automaton_edges"]: "Automaton edges",
    AUTOMATON_PAIRS: "Pairs",
    STATES: "Product states",
    TRANSITIONS: "Product transitions",
}


def sizes_table(results: Results) -> Table:
    """Geometric mean sizes of automata and products (seed 003, Tables 5 and 7).

    Over the cases that hold, whose products were searched to the end.
    """
    sizes = measured(results, SIZES)
    found = sample(results.cases, results.routes, sizes, Group.HOLDS)
    rows: tuple[Row, ...] = tuple(
        (route, *(Number(found.mean(route, size)) for size in sizes)) for route in results.routes
    )
    columns = ("Route", *(SIZES[size] for size in sizes))
    note = (
        f"Geometric means over the {count(found.size(), 'case')} with the verdict holds that {_all_routes(results)} "
        f"finished: only then was the whole product searched.{_left_out(found.dropped)}{_constants(results)}"
    )
    return by_kind(results, Table("sizes", "Sizes of automata and products", columns, rows, note))


ENDS = {
    "holds": "Holds",
    "violated": "Violated",
    "time": "Out of time",
    "memory": "Out of memory",
    "states": "Out of states",
    "interrupted": "Interrupted",
    "unknown": "Unknown",
    "failed": "Failed",
    "killed": "Killed",
}
"""How a run may end, and what that is called."""


def end_of(run: RunRecord) -> str:
    """Return how a run ended, in one word: its verdict, the limit it reached, or what became of it."""
    if run.status is not RunStatus.DONE:
        return str(run.status.value)
    if run.verdict is not None and run.verdict is not Verdict.UNKNOWN:
        return str(run.verdict.value)
    return run.reason if run.reason is not None and run.reason in ENDS else "unknown"


def ends_table(results: Results) -> Table:
    """How the runs of each route ended."""
    ends = {route: Tally[str]() for route in results.routes}
    for run in results.runs:
        ends[run.route][end_of(run)] += 1
    seen = [end for end in ENDS if any(tally[end] for tally in ends.values())]
    rows: tuple[Row, ...] = tuple(
        (route, tally.total(), *(tally[end] for end in seen)) for route, tally in ends.items()
    )
    columns = ("Route", "Runs", *(ENDS[end] for end in seen))
    note = "Repetitions count as runs of their own."
    return by_kind(results, Table("ends", "How the runs ended", columns, rows, note))


def messages_table(results: Results, most: int = 20) -> Table:
    """What failed runs had to say, the most frequent first."""
    told = Tally(
        (run.route, run.status.value, _first_line(run.message or run.reason or ""))
        for run in results.runs
        if run.status is not RunStatus.DONE
    )
    ranked = sorted(told.items(), key=lambda item: (-item[1], item[0]))
    rows: tuple[Row, ...] = tuple((*what, number) for what, number in ranked[:most])
    note = "" if len(ranked) <= most else f"The {most} most frequent of {len(ranked)} messages."
    return Table("messages", "Failures", ("Route", "End", "Message", "Runs"), rows, note)


def _first_line(message: str) -> str:
    """Return what went wrong, without the picture of where and what to try, which the table of all runs has."""
    return message.partition("\n")[0]


def disputes_table(results: Results) -> Table:
    """The cases on which runs contradict each other: who says what."""
    columns = ("Model", "Formula", "Holds, says", "Violated, says")
    rows: tuple[Row, ...] = tuple(
        (case.model, case.formula, _who(case, Verdict.HOLDS), _who(case, Verdict.VIOLATED))
        for case in results.disputed
    )
    note = "At least one of these verdicts is wrong. Disputed cases enter no mean."
    return Table("disagreements", "Disagreements", columns, rows, note)


def unexpected_table(results: Results) -> Table:
    """The verdicts that are not those that the experiment expects."""
    found = Tally(
        (run.model, run.formula_id, run.route, run.verdict.value, expected)
        for run in results.runs
        if run.verdict is not None and (expected := expected_of(run)) not in (None, run.verdict.value)
    )
    rows: tuple[Row, ...] = tuple((*what, number) for what, number in found.items())
    columns = ("Model", "Property", "Route", "Verdict", "Expected", "Runs")
    return Table("unexpected", "Verdicts that were not expected", columns, rows, "")


def expected_of(run: RunRecord) -> str | None:
    """Return the verdict that the experiment expects of a run; a file of others may say anything there."""
    asked = run.configuration.get("property")
    value = asked.get("expected") if isinstance(asked, Mapping) else None
    return value if value in [verdict.value for verdict in Verdict] else None


def _who(case: Case, verdict: Verdict) -> str:
    return ", ".join(
        _voice(outcome, verdict) for outcome in case.outcomes.values() if verdict in outcome.verdicts
    )


def _voice(outcome: RouteResult, verdict: Verdict) -> str:
    """Return the route, with a count where it contradicts itself."""
    if len(outcome.verdicts) == 1:
        return outcome.route
    votes = sum(run.verdict is verdict for run in outcome.runs)
    return f"{outcome.route} ({votes} of {len(outcome.runs)} runs)"


def comparisons(results: Results, counters: Iterable[Counter]) -> list[Table]:
    """Return the tables that compare routes by some counters."""
    found = list(counters)
    tables: list[Table] = []
    for counter in found:
        tables += [
            means_table(results, counter),
            *_with_others(results, counter),
            totals_table(results, counter),
        ]
    return tables


def _with_others(results: Results, counter: Counter) -> Sequence[Table]:
    return [duels_table(results, counter)] if results.others else []


def measured(results: Results, counters: Iterable[Counter]) -> list[Counter]:
    """Return the counters that some run has a value of."""
    return [counter for counter in counters if any(counter.of(run) is not None for run in results.runs)]
