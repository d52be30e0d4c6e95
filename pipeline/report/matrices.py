"""Tables of two dimensions: verdicts by model and property, work by checker and kind of automaton."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from buchi.common.ends import Verdict
from buchi.pipeline.report.cases import Case, Results
from buchi.pipeline.report.counters import Counter
from buchi.pipeline.report.families import kinds_in_order
from buchi.pipeline.report.statistics import Group, duel
from buchi.pipeline.report.tables import MANY, Ratio, Row, Table, count, duels_table

BEST = 10
"""Routes in a table of the best."""


def verdict_word(case: Case) -> str:
    """Return the answer to a case in one word."""
    return "disputed" if case.disputed else str(case.verdict.value)


def verdicts_table(results: Results) -> Table:
    """The verdicts, a row for each model and a column for each property."""
    places = cells(results)
    columns = properties(places)
    words = [verdict_word(case) for case in results.cases]
    found = {place: words[number] for place, number in places.items()}
    rows: tuple[Row, ...] = tuple(
        (model, *(found.get((model, column), "") for column in columns)) for model in models(results)
    )
    return Table("verdicts", "Verdicts", ("Model", *columns), rows, "")


def counts_table(results: Results) -> Table:
    """How many properties of each model have which verdict: what is left of the verdicts where there is no room."""
    words = [*(verdict.value for verdict in Verdict), "disputed"]
    tallies = {model: Tally[str]() for model in models(results)}
    for case in results.cases:
        tallies[case.model][verdict_word(case)] += 1
    seen = [word for word in words if any(tally[word] for tally in tallies.values())]
    rows: tuple[Row, ...] = tuple(
        (model, tally.total(), *(tally[word] for word in seen)) for model, tally in tallies.items()
    )
    columns = ("Model", "Cases", *(word.capitalize() for word in seen))
    return Table("counts", "Verdicts", columns, rows, "The page has the verdict of each property.")


def models(results: Results) -> list[str]:
    """Return the models, in order."""
    return list(dict.fromkeys(case.model for case in results.cases))


def cells(results: Results) -> dict[tuple[str, str], int]:
    """Return for each model and property the number of the case; formulas with one name are told apart."""
    found: dict[tuple[str, str], int] = {}
    met = Tally[tuple[str, str]]()
    for number, case in enumerate(results.cases):
        name = case.model, case.formula_id
        met[name] += 1
        found[case.model, name[1] if met[name] == 1 else f"{name[1]} ({met[name]})"] = number
    return found


def properties(places: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names of the properties, in order."""
    return sorted({name for _, name in places})


def ratios_table(results: Results, counter: Counter) -> Table:
    """How much each checker takes of each kind of automaton, beside the baseline."""
    ratios: dict[tuple[str, str], list[float]] = {}
    for route in results.routes:
        kind, checker, _ = results.families[route]
        found = 1.0 if route == results.baseline else duel(results, route, counter).means[Group.ALL].ratio
        ratios.setdefault((checker, kind), []).extend([] if found is None else [found])
    kinds = kinds_in_order([kind for _, kind in ratios])
    rows: tuple[Row, ...] = tuple(
        (checker, *(Ratio(_least(ratios.get((checker, kind), ()))) for kind in kinds))
        for checker in sorted({checker for checker, _ in ratios})
    )
    note = (
        f"How many times what {results.baseline} took, as geometric mean over the cases that both finished; the least "
        "where several routes have the same checker and kind."
    )
    title = f"{counter.title}: checkers by kind of automaton"
    return Table(f"ratios-{counter.name}", title, ("Checker", *kinds), rows, note)


def _least(values: Iterable[float]) -> float | None:
    return min(values, default=None)


def best_table(results: Results, counter: Counter) -> Table:
    """Return the rows of the table of duels that took least, of routes that compare on half of the cases at least."""
    whole = duels_table(results, counter)
    duels = {row: duel(results, str(row[0]), counter).means[Group.ALL] for row in whole.rows}
    most = max((mean.cases for mean in duels.values()), default=0)
    known = [row for row, mean in duels.items() if mean.ratio is not None and 2 * mean.cases >= most]
    best = sorted(known, key=lambda row: duels[row].ratio or 0)[:BEST]
    title = f"{whole.title}, the {count(len(best), 'best route')}"
    note = f"{whole.note} The page and --json have all routes; --route ROUTE compares some."
    return Table(f"best-{counter.name}", title, whole.columns, tuple(best), note)


def are_many(results: Results) -> bool:
    """Are there so many routes that tables of all of them cannot be read?"""
    return len(results.routes) > MANY
