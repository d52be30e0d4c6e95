"""Verdicts and counterexamples as text for people: coloured in a terminal, plain in a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from buchi.common.ends import Reason, Verdict
from buchi.common.words import counted, duration
from buchi.pipeline.cli.lines import LINE_WIDTH, Line, filled, line, values
from buchi.pipeline.cli.trace_text import Shown, render_counterexample
from buchi.pipeline.ended import Ended
from buchi.pipeline.memory import format_size
from buchi.schemas.counters import Counters

if TYPE_CHECKING:
    from buchi.schemas.certificate import Certified
    from buchi.schemas.result import CheckResult

STYLES = {Verdict.HOLDS: "bold green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
REASONS = {
    Reason.INTERRUPTED: "the search was interrupted",
    Reason.TIME: "the time limit was reached",
    Reason.STATES: "the limit on states was reached",
    Reason.MEMORY: "the memory limit was reached",
}


def render_explore(result: Ended, width: int | None = None) -> Iterator[Line]:
    """Yield the lines for an exploration; `width` is that of the terminal, if there is one."""
    if result.reason is not None:
        yield line(("incomplete", "bold yellow"), f": {REASONS[result.reason]}")
    if result.found is not None:
        yield line((Verdict.VIOLATED.value, STYLES[Verdict.VIOLATED]), ": an assertion of the model fails")
    deadlocks = counted(result.deadlocks, "deadlock")
    counters = result.counters
    yield line(f"{counted(counters.states, 'state')}, {_transitions(counters)}, {deadlocks}")
    if result.reduced:
        yield line("reduced by stubborn sets: the deadlocks are those of the whole model", style="dim")
    yield _cost(counters)
    if result.deadlock:
        yield line("")
        yield line("a deadlock; check --deadlock-free shows the way to the nearest one", style="bold")
        yield from (line(f"  {text}") for text in filled(values(result.deadlock), LINE_WIDTH - 2))
    if result.found is not None:
        yield line("")
        yield from render_counterexample(result.found, Shown(width=width))


def render_check(result: CheckResult, trace: str | None = None, width: int | None = None) -> Iterator[Line]:
    """Yield the lines for a verdict; `trace` names the file that holds the whole counterexample."""
    yield _verdict(result)
    if result.automaton is None:
        yield line(f"{duration(result.seconds)}, before there was an automaton to check", style="dim")
        return
    counters = f"{counted(result.states, 'state')}, {_transitions(result)}, depth {result.max_depth:,}"
    automaton = f"{result.kind} of {counted(result.automaton.states, 'state')}"
    team = f" with {result.workers} workers" if result.workers > 1 else ""
    found = result.counterexample and result.counterexample.violation
    met = "; counted is the search for the assertion" if found and found.assertion else ""
    yield line(f"{counters} ({result.checker}{team} on a {automaton}{met})")
    if result.why is not None:
        yield line(f"{result.checker} was chosen since {result.why}", style="dim")
    if result.reduced:
        yield line(f"reduced by stubborn sets: {counted(result.left_out, 'successor')} left out", style="dim")
    elif result.not_reduced is not None:
        yield line(result.not_reduced, style="dim")
    if result.contest is not None:
        yield line(result.contest.words(), style="dim")
    if result.certified is not None:
        yield from render_certified(result.certified)
    yield _cost(result)
    if result.counterexample is not None:
        yield line("")
        yield from render_counterexample(result.counterexample, Shown(trace, result.checker, width))


def render_certified(certified: Certified) -> Iterator[Line]:
    """Yield who certified a verdict, and what remains to be trusted."""
    source = "by the evaluator" if certified.successors == "evaluator" else f"{certified.successors} steps"
    states = counted(certified.states, "state")
    cost = duration(certified.seconds)
    yield line(("certified", "bold green"), f" by the {certified.by} checker: {states}, {source}, {cost}")
    yield from (line(f"trusted: {what}") for what in certified.trusted)


def _verdict(result: CheckResult) -> Line:
    explanation = "" if result.reason is None else f": {REASONS[result.reason]}"
    return line((result.verdict.value, STYLES[result.verdict]), explanation)


def _transitions(result: Counters | CheckResult) -> str:
    return counted(result.transitions, "transition")


def _cost(result: Counters | CheckResult) -> Line:
    rate = f", {result.states / result.seconds:,.0f} states/s" if result.seconds >= 0.01 else ""
    return line(f"{duration(result.seconds)}{rate}, {format_size(result.bytes)}", style="dim")
