"""The prompt of `buchi simulate`: reads a line, does what it says, shows where the run is."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from buchi.common.errors import InputError, nearest
from buchi.pipeline import isolation
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import Line, line
from buchi.pipeline.cli.simulation_text import (
    choice_lines,
    run_lines,
    state_lines,
    walked_lines,
    watched_lines,
)
from buchi.pipeline.simulation import Choice, Simulation
from buchi.pipeline.watches import Watch
from buchi.schemas.simulation import End

PROMPT = "> "
MOST_STEPS = 10**9
_LONGEST = 10_000
"""Characters of a line that is read."""
HELP = """\
  NUMBER           take the step with this number; Enter takes the only one
  undo [N]         go back N steps, by default 1
  redo [N]         go on N steps that were undone, or that a trace has
  walk [N]         take N steps at random, by default 10; Ctrl-C stops
  jump N           go to state N of the run, or of the trace that was given
  watch E          show a variable or a proposition in each state; unwatch [E]
  break E          stop walks where a proposition holds; unbreak [E]
  state, run       show all of the state; the run up to here
  quit             end; so do Ctrl-D and Ctrl-C
u r w j p b s t l h q stand for undo redo walk jump watch break state run list help quit."""
_SHORT = {
    "u": "undo", "r": "redo", "w": "walk", "j": "jump", "p": "watch", "b": "break", "s": "state", "t": "run",
    "l": "list", "h": "help", "?": "help", "q": "quit",
}  # fmt: skip
_QUIT = "quit"


@dataclass
class Simulator:
    """A simulation with somebody who says what to do."""

    simulation: Simulation
    trace: list[Choice] | None = None
    """The run of a file, which can be gone back to."""

    def converse(self) -> None:
        """Do what is asked until the end of the input, or until that is asked for. Raises InputError.

        A mistake of somebody at a terminal is told; in a file of commands it ends the simulation.
        """
        isolation.join_terminal()
        is_person = sys.stdin is not None and sys.stdin.isatty()
        output.print_lines(line(text) for text in ("Type a number, or `help`.",) if is_person)
        output.print_lines(self._whole())
        for asked in _lines(echoed=not is_person):
            try:
                if self._do(asked) == _QUIT:
                    return
            except InputError as error:
                if not is_person:
                    raise
                output.print_lines([line(("error: ", "bold red"), str(error))])

    def _whole(self) -> Iterator[Line]:
        yield from state_lines(self.simulation, self.simulation.position, self.simulation.last)
        yield from self._here()

    def _here(self) -> Iterator[Line]:
        yield from watched_lines(self.simulation)
        yield from choice_lines(self.simulation)

    def _do(self, asked: str) -> str:
        """Do what a line asks for, and return which command it was."""
        word, _, rest = asked.strip().partition(" ")
        if word.startswith("#"):  # a remark in a file of commands
            return word
        if not word:
            word = "1" if len(self.simulation.choices().steps) == 1 else "list"
        if word.isdecimal():
            self._take(_number(word, None))
            return word
        name = _SHORT.get(word, word)
        command = self._commands().get(name)
        if command is None:
            known = [*self._commands()]
            raise InputError(
                f"there is no command {word[:40]}", suggestion=nearest(word, known) or "try help"
            )
        command(rest.strip())
        return name

    def _commands(self) -> dict[str, Callable[[str], None]]:
        simulation = self.simulation
        return {
            "undo": lambda rest: self._go(simulation.position - _number(rest, 1)),
            "redo": lambda rest: self._go(simulation.position + _number(rest, 1)),
            "jump": self._jump,
            "walk": self._walk,
            "watch": self._watch,
            "unwatch": lambda rest: _drop(simulation.watched, rest),
            "break": self._break,
            "unbreak": lambda rest: _drop(simulation.breakpoints, rest),
            "state": lambda _: output.print_lines(self._whole()),
            "run": lambda _: output.print_lines(run_lines(simulation)),
            "list": lambda _: output.print_lines(self._here()),
            "help": lambda _: output.print_lines(line(text) for text in HELP.splitlines()),
            _QUIT: lambda _: None,
        }

    def _take(self, number: int) -> None:
        self.simulation.take(number)
        output.print_lines(run_lines(self.simulation, self.simulation.position - 1))
        output.print_lines(self._here())

    def _go(self, position: int) -> None:
        self.simulation.go(position)
        output.print_lines(self._whole())

    def _jump(self, rest: str) -> None:
        position = _number(rest, None)
        if self.trace is not None:
            self.simulation.follow(self.trace)
        self._go(position)

    def _walk(self, rest: str) -> None:
        first, steps = self.simulation.position, _number(rest, 10)
        stop = self.simulation.walk(steps)
        if stop.end is End.INTERRUPTED:
            isolation.heeded()
        output.print_lines(walked_lines(self.simulation, first, stop))
        if stop.end not in (End.DEADLOCK, End.ASSERTION, End.ERROR):
            output.print_lines(self._here())

    def _watch(self, rest: str) -> None:
        if rest:
            self.simulation.look_at([rest], [])
        output.print_lines(watched_lines(self.simulation))

    def _break(self, rest: str) -> None:
        if rest:
            self.simulation.look_at([], [rest])
        output.print_lines(line(f"     break where {text} holds") for text in self.simulation.breakpoints)


def _number(text: str, default: int | None) -> int:
    """Return the number that is meant. Raises InputError."""
    if not text and default is not None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= 10 and int(text) <= MOST_STEPS):
        raise InputError(f"{text[:40]!r} is no number from 0 to {MOST_STEPS:,}")
    return int(text)


def _drop(kept: dict[str, Watch], text: str) -> None:
    """Forget one of what is watched, or all. Raises InputError."""
    if text and text not in kept:
        raise InputError(f"{text[:40]} is not among them", suggestion=nearest(text, kept))
    for name in [text] if text else [*kept]:
        del kept[name]


def _lines(*, echoed: bool) -> Iterator[str]:
    """Yield what is read, line by line, each after a prompt; a file of commands is shown with what it does."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while True:
        _say(PROMPT)
        asked = "" if sys.stdin is None else sys.stdin.readline(_LONGEST)
        if not asked:
            _say("\n")
            return
        if echoed:
            _say(output.printable(asked.rstrip("\n")) + "\n")
        yield asked


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
