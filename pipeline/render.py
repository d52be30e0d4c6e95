"""Verdicts and counterexamples as text for people: coloured in a terminal, plain in a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from buchi.pipeline.memory import format_size
from buchi.schemas.result import CheckResult, Counterexample, ExploreResult, Reason, Step, Verdict

_STYLES = {Verdict.HOLDS: "bold green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
_REASONS = {
    Reason.INTERRUPTED: "the search was interrupted",
    Reason.TIME: "the time limit was reached",
    Reason.STATES: "the limit on states was reached",
    Reason.MEMORY: "the memory limit was reached",
}
SHOWN_STEPS = 60
"""A longer counterexample is elided in the middle of its prefix and of its cycle."""


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
    counters = f"{result.states:,} states, {result.transitions:,} transitions, depth {result.max_depth:,}"
    yield Text(counters + _by(result))
    yield _cost(result)
    if result.counterexample is not None:
        yield Text()
        yield from render_counterexample(result.counterexample, trace)


def _verdict(result: CheckResult) -> Text:
    explanation = "" if result.reason is None else f": {_REASONS[result.reason]}"
    return Text.assemble((result.verdict.value, _STYLES[result.verdict]), explanation)


def _by(result: CheckResult) -> str:
    if result.automaton is None:
        return ""
    return f" ({result.checker} on a {result.kind} of {_plural(result.automaton.states, 'state')})"


def _cost(result: ExploreResult | CheckResult) -> Text:
    rate = f", {result.states / result.seconds:,.0f} states/s" if result.seconds >= 0.01 else ""
    return Text(f"{result.seconds:.2f} s{rate}, {format_size(result.bytes)}", style="dim")


def render_counterexample(found: Counterexample, trace: str | None = None) -> Iterator[Text]:
    """Yield a lasso: numbered states, the command that leads to each, and what it changed."""
    cycle = _plural(len(found.cycle), "step")
    yield Text(f"counterexample: {_plural(len(found.prefix), 'step')}, then a cycle of {cycle}", style="bold")
    width = len(str(len(found.prefix) + len(found.cycle)))
    yield from _prefix_lines(found, width, trace)
    yield from _cycle_lines(found, width, trace)


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _prefix_lines(found: Counterexample, width: int, trace: str | None) -> Iterator[Text]:
    steps = (*found.prefix, found.cycle[0])
    yield _state_line(0, width, "initial state", steps[0].state)
    yield from _step_lines(steps, 0, width, trace)


def _cycle_lines(found: Counterexample, width: int, trace: str | None) -> Iterator[Text]:
    start = len(found.prefix)
    yield Text(f"{'':{width}}  ── the cycle begins: state {start} ──", style="cyan")
    if len(found.cycle) == 1 and found.cycle[0].command is None:
        yield Text(f"{'':{width}}  no command is enabled: the model stays in state {start} for ever")
        return
    yield from _step_lines((*found.cycle, found.cycle[0]), start, width, trace)
    yield Text(f"{'':{width}}  ── back in state {start} ──", style="cyan")


def _step_lines(steps: tuple[Step, ...], first: int, width: int, trace: str | None) -> Iterator[Text]:
    """Yield a line for each step from one of `steps` to the next; `first` numbers the first state."""
    total = len(steps) - 1
    head = total if total <= SHOWN_STEPS else SHOWN_STEPS // 2
    tail = total if total <= SHOWN_STEPS else total - SHOWN_STEPS // 2
    for i in range(total):
        if i == head < tail:
            yield _elided(tail - head, width, trace)
        if i < head or i >= tail:
            changed = _changes(steps[i].state, steps[i + 1].state)
            yield _state_line(first + i + 1, width, steps[i].command or "no command is enabled", changed)


def _elided(number: int, width: int, trace: str | None) -> Text:
    where = f"they are in {trace}" if trace else "--trace FILE writes them all"
    return Text(f"{'':{width}}  … {_plural(number, 'step')} not shown: {where}", style="dim")


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _state_line(number: int, width: int, command: str, values: Mapping[str, str]) -> Text:
    line = Text.assemble((f"{number:{width}}", "bold"), "  ", (command, "magenta"))
    indent = "\n" + " " * (width + 4)
    if values:
        line.append(indent + "  ".join(f"{name} = {value}" for name, value in values.items()))
    return line
