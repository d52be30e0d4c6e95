"""What was run, where and with what: the head of a report."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from buchi.common.ends import Verdict
from buchi.pipeline.report.cases import Case, Results
from buchi.pipeline.report.counters import Unit
from buchi.pipeline.report.numbers import written
from buchi.pipeline.report.tables import count, unexpected_table
from buchi.schemas.run import RunStatus


@dataclass(frozen=True)
class Summary:
    """Counts of a report; `facts` are lines of a name and a text."""

    experiments: tuple[str, ...]
    runs: int
    cases: int
    models: int
    formulas: int
    routes: int
    holds: int
    violated: int
    unknown: int
    failed: int
    disputed: int
    unexpected: int
    constant: int
    compared: int
    facts: tuple[tuple[str, str], ...]


def summarise(results: Results) -> Summary:
    """Count what a report is about."""
    runs, cases = results.runs, results.cases
    done = Tally(run.verdict for run in runs if run.status is RunStatus.DONE)
    return Summary(
        experiments=tuple(sorted({run.experiment for run in runs})),
        runs=len(runs),
        cases=len(cases),
        models=len({case.model for case in cases}),
        formulas=len({case.formula for case in cases}),
        routes=len(results.routes),
        holds=done[Verdict.HOLDS],
        violated=done[Verdict.VIOLATED],
        unknown=done[Verdict.UNKNOWN] + done[None],
        failed=sum(run.status is not RunStatus.DONE for run in runs),
        disputed=len(results.disputed),
        unexpected=len(unexpected_table(results).rows),
        constant=results.constants,
        compared=sum(_answers(case) > 1 for case in cases),
        facts=tuple(_facts(results)),
    )


def certified_share(results: Results) -> str | None:
    """Return how many of the verdicts `holds` are certified; None where none is."""
    holds = [run for run in results.runs if run.status is RunStatus.DONE and run.verdict is Verdict.HOLDS]
    certified = sum(run.measured.certified_seconds is not None for run in holds)
    return f"{certified / len(holds):.0%} of {count(len(holds), 'verdict')} holds" if certified else None


def _answers(case: Case) -> int:
    """Count the routes that gave an answer."""
    return sum(bool(outcome.verdicts) for outcome in case.outcomes.values())


def _facts(results: Results) -> Iterable[tuple[str, str]]:
    started = sorted(run.started for run in results.runs if run.started)
    if started:
        yield "run", started[0] if started[0] == started[-1] else f"{started[0]} to {started[-1]}"
    seconds = sum(run.measured.seconds or 0 for run in results.runs)
    if results.replaced:
        yield "replaced", f"{count(results.replaced, 'earlier run')} of what was run again"
    if share := certified_share(results):
        yield "certified", share
    yield "time", f"{written(seconds, Unit.SECONDS)} of search in all"
    yield from _merged(run.machine for run in results.runs)
    yield from _merged(run.versions for run in results.runs)


def _merged(found: Iterable[Mapping[str, str]]) -> Iterable[tuple[str, str]]:
    """Yield each name with its value; where runs differ, with all values and how many runs have each."""
    tallies: dict[str, Tally[str]] = {}
    for mapping in found:
        for name, value in mapping.items():
            tallies.setdefault(name, Tally())[value] += 1
    for name, tally in sorted(tallies.items()):
        values = sorted(tally)
        yield (
            name,
            values[0] if len(values) == 1 else "; ".join(f"{v} ({count(tally[v], 'run')})" for v in values),
        )
