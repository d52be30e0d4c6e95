"""A simulation as text for people: steps, states, what could follow, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from buchi.common.words import counted
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import LINE_WIDTH, Line, filled, line, values
from buchi.pipeline.cli.step_text import Columns
from buchi.pipeline.cli.trace_text import SHOWN_STEPS
from buchi.pipeline.simulation import Simulation, Stop
from buchi.schemas.simulation import End

NUMBER = 3
"""Columns of the numbers of states and steps."""
_INDENT = " " * (NUMBER + 2)
_ENDS = {
    End.DEADLOCK: "no command is enabled: the model stays in this state for ever",
    End.INTERRUPTED: "interrupted",
}


def state_lines(simulation: Simulation, number: int, last: int) -> Iterator[Line]:
    """Yield a state of the run, all of it; `last` is the last one that can be gone to."""
    name = "initial state" if number == 0 else "state"
    more = f" ({counted(last - number, 'step')} can be done again)" if last > number else ""
    yield line((f"{number:>3}", "bold"), (f"  {name}", "magenta"), more)
    yield from _indented(simulation.evaluator.show(simulation.state_at(number)))


def run_lines(simulation: Simulation, first: int = 0) -> Iterator[Line]:
    """Yield the run from a state to the position; of a long one the beginning and the end."""
    last = simulation.position
    half = SHOWN_STEPS // 2
    elided = last - first - SHOWN_STEPS
    stop = first + half if elided > 0 else last
    yield from _steps(simulation, first, stop)
    if elided > 0:
        yield line(
            f"{_INDENT}… {counted(elided, 'step')} not shown: `run` shows more, --json has all", style="dim"
        )
        yield from _steps(simulation, last - half, last)


def _steps(simulation: Simulation, first: int, last: int) -> Iterator[Line]:
    """Yield some steps, and what is watched where it changes; of the state at the position it is shown anyway."""
    run = [*map(simulation.told, range(first, last))]
    columns = Columns.of(run, NUMBER, output.terminal_width())
    for number, told in enumerate(run, first + 1):
        yield from columns.step(str(number), told)
        if simulation.watched and number < simulation.position:
            known = simulation.values(number - 1)
            yield from _watched({k: v for k, v in simulation.values(number).items() if known[k] != v})


def _indented(state: Mapping[str, str]) -> Iterator[Line]:
    room = min(LINE_WIDTH, output.terminal_width() or LINE_WIDTH) - len(_INDENT)
    return (line(f"{_INDENT}{text}") for text in filled(values(state), room) if text)


def watched_lines(simulation: Simulation) -> Iterator[Line]:
    """Return what is watched, with its values."""
    return _watched(simulation.values(simulation.position))


def _watched(values: Mapping[str, str]) -> Iterator[Line]:
    for text, value in values.items():
        yield line((f"{_INDENT}{text} = {value}", "cyan"))


MOST_CHOICES = 100
"""Steps that are listed; a net may have thousands, and they can be chosen all the same."""


def choice_lines(simulation: Simulation) -> Iterator[Line]:
    """Yield the steps that can be taken, with what they change."""
    choices = simulation.choices()
    if not choices.steps:
        yield end_line(Stop(choices.end, choices.failure))
        return
    steps = [simulation.tell(simulation.state, step) for step in choices.steps[:MOST_CHOICES]]
    columns = Columns.of(steps, NUMBER, output.terminal_width())
    for number, told in enumerate(steps, 1):
        yield from columns.step(f"{number}:", told)
    rest = len(choices.steps) - MOST_CHOICES
    if rest > 0:
        yield line(f"{_INDENT}… and {counted(rest, 'step')} more", style="dim")


def end_line(stop: Stop) -> Line:
    """Return why a run ends."""
    if stop.end is End.BREAKPOINT:
        return line(f"{_INDENT}{stop.why} holds", style="bold")
    if stop.why is not None:
        return line(f"{_INDENT}the model fails here: {stop.why}", style="bold red")
    return line(_INDENT + _ENDS.get(stop.end, ""), style="bold")


def walked_lines(simulation: Simulation, first: int, stop: Stop) -> Iterator[Line]:
    """Yield a walk from a state to the position, and why it ended if not for its length."""
    yield from run_lines(simulation, first)
    if stop.end is not End.STEPS:
        yield end_line(stop)
