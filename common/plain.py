"""Results in a few lines, for `print`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from buchi.common.words import counted, duration

if TYPE_CHECKING:
    from buchi.schemas.comparison import Comparison
    from buchi.schemas.result import CheckResult, Counterexample, ExploreResult
    from buchi.schemas.simulation import SimulatedRun
    from buchi.schemas.verdicts import Verdicts

MOST_LINES = 20
"""Steps, edges or routes that are listed; of more, it is told how many."""


def explore_text(result: ExploreResult) -> str:
    """Return the size of a state space."""
    sizes = [
        counted(getattr(result, name), name.removesuffix("s"))
        for name in ("states", "transitions", "deadlocks")
    ]
    incomplete = [] if result.reason is None else [f"incomplete ({result.reason.value})"]
    found = [] if result.counterexample is None else [f"counterexample: {result.counterexample.summary()}"]
    return "\n".join([*incomplete, f"{', '.join(sizes)} in {duration(result.seconds)}", *found])


def check_text(result: CheckResult) -> str:
    """Return the verdict, how it was reached, and how long the counterexample is."""
    verdict = result.verdict.value + (f" ({result.reason.value})" if result.reason else "")
    how = "" if result.automaton is None else f" ({result.checker} on a {result.kind})"
    work = f"{counted(result.states, 'state')}, {counted(result.transitions, 'transition')}"
    found = [] if result.counterexample is None else [f"counterexample: {result.counterexample.summary()}"]
    warned = [f"warning: {caution}" for caution in result.warnings]
    return "\n".join([verdict, f"{work} in {duration(result.seconds)}{how}", *found, *warned])


def counterexample_text(found: Counterexample) -> str:
    """Return the steps: of each the command and what it changes."""
    steps = found.length if found.deadlock is None else found.deadlock
    start = None if found.ends or found.deadlock is not None else len(found.prefix)

    def lines() -> Iterator[str]:
        for i in range(steps):
            mark = "   (the cycle begins)" if i == start else ""
            yield _step(i + 1, found.at(i).command, found.at(i + 1).changes(found.at(i))) + mark

    ends = [found.violation.words()] if found.violation is not None else []
    first = f"0  {_values(found.at(0).state)}"
    return "\n".join([found.summary(), first, *_some(lines(), steps), *ends])


def simulation_text(run: SimulatedRun) -> str:
    """Return the steps of a run, and why it ended."""
    steps = run.steps
    lines = (_step(i + 1, steps[i].command, steps[i + 1].changes(steps[i])) for i in range(len(steps) - 1))
    why = f": {run.why}" if run.why else ""
    head = f"{counted(len(steps) - 1, 'step')} with seed {run.seed}, ended by {run.end.value}{why}"
    return "\n".join([head, f"0  {_values(steps[0].state)}", *_some(lines, len(steps) - 1)])


def comparison_text(result: Comparison) -> str:
    """Return the verdict, and the work of each route."""
    rows = result.taken()
    lines = (
        f"{row.kind}/{row.checker}: {row.states:,} states, {row.transitions:,} transitions" for row in rows
    )
    head = f"{result.verdict.value} by {counted(len(result.decided()), 'route')}"
    return "\n".join([head, *_some(lines, len(rows))])


def verdicts_text(verdicts: Verdicts) -> str:
    """Return what became of each property."""
    lines = (f"{one.name}: {one.told()}" for one in verdicts.properties)
    return "\n".join([verdicts.summary(), *_some(lines, len(verdicts.properties))])


def automaton_text(kind: str, states: int, propositions: Iterable[str], edges: list[dict[str, Any]]) -> str:
    """Return the size of an automaton, and its edges."""
    names = ", ".join(propositions)
    head = f"{kind} of {counted(states, 'state')} and {counted(len(edges), 'edge')} over {names or 'nothing'}"
    return "\n".join([head, *_some(map(_edge, edges), len(edges))])


def _edge(edge: Mapping[str, Any]) -> str:
    ends = f"{edge['source']} -> {edge['destination']}"
    return f"{ends}: {edge['label']}" + "".join(f" ({mark})" for mark in edge.get("marks", ()))


def _some(lines: Iterable[str], number: int) -> Iterator[str]:
    yield from islice(lines, MOST_LINES)
    if number > MOST_LINES:
        yield f"… {number - MOST_LINES:,} more"


def _step(number: int, command: str | None, changes: Mapping[str, str]) -> str:
    return f"{number}  {command or '(no command is enabled)'}   {_values(changes)}".rstrip()


def _values(state: Mapping[str, str]) -> str:
    return "  ".join(f"{name} = {value}" for name, value in state.items())
