"""Verdicts and counterexamples as text for people: coloured in a terminal, plain in a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from buchi.pipeline.memory import format_size
from buchi.schemas.result import CheckResult, Counterexample, ExploreResult, Reason, Step, Verdict

STYLES = {Verdict.HOLDS: "bold green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
_REASONS = {
    Reason.INTERRUPTED: "the search was interrupted",
    Reason.TIME: "the time limit was reached",
    Reason.STATES: "the limit on states was reached",
    Reason.MEMORY: "the memory limit was reached",
}
SHOWN_STEPS = 60
"""A longer prefix or cycle is elided in its middle."""
LINE_WIDTH = 100
WIDEST_COMMAND = 50


def render_explore(result: ExploreResult) -> Iterator[Text]:
    """Yield the lines for an exploration."""
    if result.reason is not None:
        yield Text.assemble(("incomplete", "bold yellow"), f": {_REASONS[result.reason]}")
    yield Text(
        f"{result.states:,} states, {result.transitions:,} transitions, {result.deadlocks:,} deadlocks"
    )
    yield _cost(result)


def render_check(result: CheckResult, trace: str | None = None) -> Iterator[Text]:
    """Yield the lines for a verdict; `trace` names the file that holds the whole counterexample."""
    yield _verdict(result)
    if result.automaton is None:
        yield Text(f"{result.seconds:.2f} s, before there was an automaton to check", style="dim")
        return
    counters = f"{result.states:,} states, {result.transitions:,} transitions, depth {result.max_depth:,}"
    automaton = f"{result.kind} of {_plural(result.automaton.states, 'state')}"
    yield Text(f"{counters} ({result.checker} on a {automaton})")
    if result.why is not None:
        yield Text(f"{result.checker} was chosen since {result.why}", style="dim")
    yield _cost(result)
    if result.counterexample is not None:
        yield Text()
        yield from render_counterexample(result.counterexample, trace)


def _verdict(result: CheckResult) -> Text:
    explanation = "" if result.reason is None else f": {_REASONS[result.reason]}"
    return Text.assemble((result.verdict.value, STYLES[result.verdict]), explanation)


def _cost(result: ExploreResult | CheckResult) -> Text:
    rate = f", {result.states / result.seconds:,.0f} states/s" if result.seconds >= 0.01 else ""
    return Text(f"{result.seconds:.2f} s{rate}, {format_size(result.bytes)}", style="dim")


def render_counterexample(found: Counterexample, trace: str | None = None) -> Iterator[Text]:
    """Yield a lasso: numbered states, the command that leads to each, and what it changed."""
    layout = _Layout.of(found, trace)
    cycle = _plural(len(found.cycle), "step")
    yield Text(f"counterexample: {_plural(len(found.prefix), 'step')}, then a cycle of {cycle}", style="bold")
    steps = (*found.prefix, *found.cycle, found.cycle[0])
    yield from layout.initial(steps[0].state)
    yield from layout.steps(steps[: len(found.prefix) + 1], 0)
    yield from layout.cycle(steps[len(found.prefix) :], len(found.prefix))


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _shown_indices(total: int) -> tuple[range, range]:
    """Return the steps to show: all in the first range, or a head and a tail."""
    if total <= SHOWN_STEPS:
        return range(total), range(0)
    return range(SHOWN_STEPS // 2), range(total - SHOWN_STEPS // 2, total)


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
        steps = (*found.prefix, *found.cycle)
        longest = max(len(step.command or "") for step in steps)
        return cls(len(str(len(steps))), min(longest, WIDEST_COMMAND), trace)

    def initial(self, state: Mapping[str, str]) -> Iterator[Text]:
        """Yield the first state, all of it."""
        yield Text.assemble((f"{0:{self.number}}", "bold"), ("  initial state", "magenta"))
        text = "\n".join(_filled(_values(state), LINE_WIDTH - self.number - 4))
        yield Text(textwrap.indent(text, " " * (self.number + 4)))

    def steps(self, steps: Sequence[Step], first: int) -> Iterator[Text]:
        """Yield a line for each step from one of `steps` to the next; `first` numbers the first state."""
        head, tail = _shown_indices(len(steps) - 1)
        for i in head:
            yield self._step(first + i + 1, steps[i], steps[i + 1])
        if tail:
            where = f"they are in {self.trace}" if self.trace else "--trace FILE writes them all"
            yield self._remark(f"… {_plural(tail.start - head.stop, 'step')} not shown: {where}", "dim")
        for i in tail:
            yield self._step(first + i + 1, steps[i], steps[i + 1])

    def cycle(self, steps: Sequence[Step], first: int) -> Iterator[Text]:
        """Yield the cycle, which `steps` goes round once."""
        yield self._remark(f"── the cycle begins in state {first} ──", "cyan")
        if len(steps) == 2 and steps[0].command is None:
            yield self._remark("no command is enabled: the model stays in this state for ever", "")
            return
        yield from self.steps(steps, first)
        yield self._remark(f"── back in state {first} ──", "cyan")

    def _step(self, number: int, before: Step, after: Step) -> Text:
        command = before.command or "(no command is enabled)"
        line = Text.assemble(
            (f"{number:{self.number}}", "bold"), "  ", (f"{command:{self.command}}", "magenta")
        )
        return line.append("   " + "  ".join(_values(after.changes(before))))

    def _remark(self, text: str, style: str) -> Text:
        return Text(" " * (self.number + 2) + text, style=style)


def _filled(items: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of items, none broken."""
    line = ""
    for item in items:
        if line and len(line) + 2 + len(item) > width:
            yield line
            line = ""
        line = f"{line}  {item}" if line else item
    yield line
