"""The data that the page draws and lists: columns of numbers, with every text written once.

20 000 runs as objects would take seconds to read; as columns they take a tenth of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from buchi.common.ends import Verdict
from buchi.pipeline.pages.texts import Texts
from buchi.pipeline.report.cases import Results
from buchi.pipeline.report.counters import AUTOMATON, SECONDS, WORK, Counter
from buchi.pipeline.report.tables import ENDS, end_of, measured
from buchi.schemas.run import RunRecord

_VERDICTS = [verdict.value for verdict in Verdict]


def payload(results: Results) -> dict[str, Any]:
    """Return what the page needs to know of all runs."""
    work, sizes = measured(results, WORK) or [SECONDS], measured(results, AUTOMATON)
    texts = {name: Texts() for name in ("models", "formulas", "formulaIds", "messages")}
    return {
        "routes": _routes(results),
        "verdicts": _VERDICTS,
        "ends": list(ENDS),
        "endTitles": list(ENDS.values()),
        "work": [counter.name for counter in work],
        "counters": [
            {"name": counter.name, "title": counter.title, "unit": counter.unit.value}
            for counter in (*work, *sizes)
        ],
        "repetitions": sorted({run.repetition for run in results.runs}),
        "cases": _cases(results, texts),
        "outcomes": _outcomes(results),
        "runs": _runs(results, (*work, *sizes), texts["messages"]),
        **{name: some.all for name, some in texts.items()},
    }


def _routes(results: Results) -> list[dict[str, Any]]:
    return [{"name": route, **results.families[route]._asdict()} for route in results.routes]


def _cases(results: Results, texts: dict[str, Texts]) -> dict[str, list[int]]:
    return {
        "model": texts["models"].column(case.model for case in results.cases),
        "formula": texts["formulas"].column(case.formula for case in results.cases),
        "formulaId": texts["formulaIds"].column(case.formula_id for case in results.cases),
        "verdict": [_VERDICTS.index(case.verdict.value) for case in results.cases],
        "disputed": [int(case.disputed) for case in results.cases],
    }


def _outcomes(results: Results) -> dict[str, list[int]]:
    """Return the outcomes in the order of the runs; each ends where the next begins."""
    places = {route: i for i, route in enumerate(results.routes)}
    columns: dict[str, list[int]] = {name: [] for name in ("case", "route", "first", "finished")}
    first = 0
    for i, case in enumerate(results.cases):
        for outcome in case.outcomes.values():
            values = (i, places[outcome.route], first, int(outcome.finished))
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
            first += len(outcome.runs)
    return columns


def _runs(results: Results, counters: Iterable[Counter], messages: Texts) -> dict[str, list[Any]]:
    places = {route: i for i, route in enumerate(results.routes)}
    ends = {end: i for i, end in enumerate(ENDS)}
    case_of = [i for i, case in enumerate(results.cases) for o in case.outcomes.values() for _ in o.runs]
    return {
        "case": case_of,
        "route": [places[run.route] for run in results.runs],
        "repetition": [run.repetition for run in results.runs],
        "end": [ends[end_of(run)] for run in results.runs],
        "message": messages.column(run.message or run.reason or "" for run in results.runs),
        **{counter.name: list(map(_rounded(counter), results.runs)) for counter in counters},
    }


def _rounded(counter: Counter) -> Callable[[RunRecord], float | None]:
    """Return a reader of a counter that keeps six digits of a fraction: more are noise, and take room."""

    def value(run: RunRecord) -> float | None:
        found = counter.of(run)
        return float(f"{found:.6g}") if isinstance(found, float) else found

    return value
