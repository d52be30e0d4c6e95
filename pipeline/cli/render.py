"""Verdicts and counterexamples as text for people: coloured in a terminal, plain in a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from buchi.common.ends import Reason, Verdict
from buchi.common.words import counted, duration
from buchi.pipeline.cli.lines import Line, line
from buchi.pipeline.ended import Ended
from buchi.pipeline.memory import format_size
from buchi.schemas.counters import Counters

if TYPE_CHECKING:
    from buchi.schemas.certificate import Certified
    from buchi.schemas.result import CheckResult, Counterexample
    from buchi.schemas.steps import Step

STYLES = {Verdict.HOLDS: "bold green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
REASONS = {
    Reason.INTERRUPTED: "the search was interrupted",
    Reason.TIME: "the time limit was reached",
    Reason.STATES: "the limit on states was reached",
    Reason.MEMORY: "the memory limit was reached",
}
SHOWN_STEPS = 60
"""A longer prefix or cycle is elided in its middle."""
LINE_WIDTH = 100
WIDEST_COMMAND = 50


def render_explore(result: Ended) -> Iterator[Line]:
    """Yield the lines for an exploration."""
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
        yield from (line(f"  {text}") for text in _filled(_values(result.deadlock), LINE_WIDTH - 2))
    if result.found is not None:
        yield line("")
        yield from render_counterexample(result.found)


def render_check(result: CheckResult, trace: str | None = None) -> Iterator[Line]:
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
        yield from render_counterexample(result.counterexample, trace)


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


def render_counterexample(found: Counterexample, trace: str | None = None) -> Iterator[Line]:
    """Yield a run: numbered states, the command that leads to each, and what it changed."""
    layout = _Layout.of(found, trace)
    yield line(f"counterexample: {found.summary()}", style="bold")
    yield from layout.initial(found.at(0).state)
    if found.violation is not None:
        yield from layout.steps(found, range(found.length))
        yield layout.remark(found.violation.words(), "bold red")
        return
    if found.deadlock is not None:
        yield from layout.steps(found, range(found.deadlock))
        yield layout.remark("no command is enabled: the model stays in this state for ever", "")
        return
    start = len(found.prefix)
    yield from layout.steps(found, range(start))
    yield layout.remark(f"── the cycle begins in state {start} ──", "cyan")
    yield from layout.steps(found, range(start, found.length))
    yield layout.remark(f"── back in state {start} ──", "cyan")


def _shown(numbers: range) -> tuple[range, range]:
    """Return the steps to show: all in the first range, or a head and a tail."""
    if len(numbers) <= SHOWN_STEPS:
        return numbers, range(0)
    return numbers[: SHOWN_STEPS // 2], numbers[-(SHOWN_STEPS // 2) :]


def _values(state: Mapping[str, str]) -> list[str]:
    return [f"{name} = {value}" for name, value in state.items()]


@dataclass(frozen=True)
class _Layout:
    """The widths of the columns, and the file that holds what is elided."""

    number: int
    command: int
    trace: str | None

    @classmethod
    def of(cls, found: Counterexample, trace: str | None) -> _Layout:
        """Make room for what is shown; to look at all of a long run would take seconds."""
        start = min(len(found.prefix), found.length)
        ranges = (*_shown(range(start)), *_shown(range(start, found.length)))
        longest = max((len(found.at(i).command or "") for i in chain(*ranges)), default=0)
        last = found.length if found.deadlock is None else found.deadlock
        return cls(len(str(last)), min(longest, WIDEST_COMMAND), trace)

    def initial(self, state: Mapping[str, str]) -> Iterator[Line]:
        """Yield the first state, all of it."""
        yield line((f"{0:{self.number}}", "bold"), ("  initial state", "magenta"))
        text = "\n".join(_filled(_values(state), LINE_WIDTH - self.number - 4))
        yield line(textwrap.indent(text, " " * (self.number + 4)))

    def steps(self, found: Counterexample, numbers: range) -> Iterator[Line]:
        """Yield a line for each of the steps that leave the states with these numbers."""
        head, tail = _shown(numbers)
        for i in head:
            yield self._step(i + 1, found.at(i), found.at(i + 1))
        if tail:
            where = f"they are in {self.trace}" if self.trace else "--trace FILE writes them all"
            yield self.remark(f"… {counted(tail.start - head.stop, 'step')} not shown: {where}", "dim")
        for i in tail:
            yield self._step(i + 1, found.at(i), found.at(i + 1))

    def _step(self, number: int, before: Step, after: Step) -> Line:
        command = before.command or "(no command is enabled)"
        changes = "  ".join(_values(after.changes(before)))
        return line(
            (f"{number:{self.number}}", "bold"),
            "  ",
            (f"{command:{self.command}}", "magenta"),
            f"   {changes}",
        )

    def remark(self, text: str, style: str) -> Line:
        """Return a line between the steps."""
        return line(" " * (self.number + 2) + text, style=style)


def _filled(items: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of items, none broken."""
    filled = ""
    for item in items:
        if filled and len(filled) + 2 + len(item) > width:
            yield filled
            filled = ""
        filled = f"{filled}  {item}" if filled else item
    yield filled
