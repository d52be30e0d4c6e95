"""A counterexample as text: numbered states, the command that leads to each, where it is written, what it changes.

Of a long stretch only the ends are shown, and the steps that change a proposition of the property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from buchi.common.words import counted, negated
from buchi.pipeline.cli.lines import LINE_WIDTH, Line, filled, line, values
from buchi.pipeline.cli.trace_files import MOST_STEPS

if TYPE_CHECKING:
    from buchi.schemas.result import Counterexample
    from buchi.schemas.told import Told

SHOWN_STEPS = 60
"""Of a longer prefix or cycle the middle is left out, but for steps that change a proposition."""
SHOWN_CHANGES = 20
"""So many of those."""
LOOKED_THROUGH = 20_000
"""Steps of a stretch that is looked through for them: each takes some microseconds."""
LONG = 40
"""Steps of a run beyond which it is worth while to look for a shorter one."""
WIDEST_COMMAND = 50
NARROWEST = 30
"""Columns for what a step changes; with less it stands below."""
HOLDS = "⊨ "


@dataclass(frozen=True)
class Shown:
    """How a run is shown: the file that holds all of it, who found it, and the width of the terminal, if any."""

    trace: str | None = None
    checker: str | None = None
    width: int | None = None

    def hints(self, found: Counterexample, folded: bool) -> Iterator[str]:
        """Yield what to do with a run that is too long to be read."""
        if folded:
            file = "FILE.html" if found.length <= MOST_STEPS else "FILE"
            yield f"all steps are in {self.trace}" if self.trace else f"--trace {file} shows all steps"
        if found.length > LONG and not found.ends and self.checker not in (None, "shortest"):
            yield "--shortest looks for a shorter run"


def render_counterexample(found: Counterexample, how: Shown | None = None) -> Iterator[Line]:
    """Yield the lines of a run."""
    how = how or Shown()
    start = min(len(found.prefix), found.length if found.deadlock is None else found.deadlock)
    prefix = _Stretch.of(found, range(start))
    cycle = _Stretch.of(found, range(start, found.length if found.deadlock is None else start))
    layout = _Layout.of(found, [*prefix.steps(), *cycle.steps()], how)
    yield line(f"counterexample: {found.summary()}", style="bold")
    yield from layout.initial(found)
    yield from layout.stretch(found, prefix)
    if found.violation is not None:
        yield layout.remark(f"✗ {found.violation.words()}", "bold red")
    elif found.deadlock is not None:
        yield layout.remark("no command is enabled: the model stays in this state for ever", "")
    else:
        yield layout.remark(f"── the cycle begins in state {start} ──", "cyan")
        yield from layout.stretch(found, cycle)
        yield layout.remark(f"── back in state {start} ──", "cyan")
    for hint in how.hints(found, prefix.is_folded or cycle.is_folded):
        yield layout.remark(hint, "dim")


@dataclass(frozen=True)
class _Stretch:
    """The steps of a prefix or a cycle that are shown: ranges with gaps between them."""

    shown: Sequence[range]

    @classmethod
    def of(cls, found: Counterexample, numbers: range) -> _Stretch:
        if len(numbers) <= SHOWN_STEPS:
            return cls([numbers])
        head, tail = numbers[: SHOWN_STEPS // 2], numbers[-(SHOWN_STEPS // 2) :]
        middle = range(head.stop, tail.start)
        telling = _telling(found, middle) if len(numbers) <= LOOKED_THROUGH else []
        return cls([head, *(range(i, i + 1) for i in telling), tail])

    @property
    def is_folded(self) -> bool:
        """Is something left out?"""
        return len(self.shown) > 1

    def steps(self) -> Iterator[int]:
        """Yield the numbers of what is shown."""
        return chain.from_iterable(self.shown)


def _telling(found: Counterexample, numbers: range) -> list[int]:
    """Return the first steps that change a proposition."""
    telling = []
    before = found.holding(numbers.start)
    for number in numbers:
        after = found.holding(number + 1)
        if after != before:
            telling.append(number)
            if len(telling) == SHOWN_CHANGES:
                break
        before = after
    return telling


@dataclass(frozen=True)
class _Layout:
    """The widths of the columns, and the room for what follows them."""

    number: int
    command: int
    lines: int
    width: int | None

    @classmethod
    def of(cls, found: Counterexample, numbers: Sequence[int], how: Shown) -> _Layout:
        """Make room for what is shown; to look at all of a long run would take seconds."""
        told = [found.told(number) for number in numbers]
        command = max((len(_name(step)) for step in told), default=0)
        lines = max((len(_where(step)) for step in told), default=0)
        last = found.length if found.deadlock is None else found.deadlock
        return cls(len(str(last)), min(command, WIDEST_COMMAND), lines, how.width)

    def initial(self, found: Counterexample) -> Iterator[Line]:
        """Yield the first state, all of it."""
        is_wrong = found.ends and not found.length
        yield line((f"{0:{self.number}}", _number_style(is_wrong)), ("  initial state", "magenta"))
        indent = " " * (self.number + 4)
        room = min(self.width or LINE_WIDTH, LINE_WIDTH) - len(indent)
        yield from (line(indent + text) for text in filled(values(found.at(0).state), room))
        if holding := found.holding(0):
            texts = filled(_literals(holding), room - len(HOLDS))
            yield from (line(indent, (HOLDS + text, "yellow")) for text in texts)

    def stretch(self, found: Counterexample, stretch: _Stretch) -> Iterator[Line]:
        """Yield the steps that are shown, and how many are not."""
        end = None
        for numbers in stretch.shown:
            if end is not None and numbers.start > end:
                yield self.remark(f"… {counted(numbers.start - end, 'step')} not shown", "dim")
            for number in numbers:
                is_wrong = found.ends and number + 1 == found.length
                yield from self._step(number + 1, found.told(number), _number_style(is_wrong))
            end = numbers.stop

    def _step(self, number: int, told: Told, style: str) -> Iterator[Line]:
        head = [(f"{number:{self.number}}", style), ("  ", "")]
        head.append((f"{_name(told):{self.command}}", "magenta"))
        head += [(f"   {_where(told):{self.lines}}", "dim")] if self.lines else []
        pieces = list(_pieces(told))
        used = sum(len(text) for text, _ in head) + 3
        if self.width is None or used + sum(len(text) + 2 for text, _ in pieces) <= self.width:
            yield line(*head, "   ", *_joined(pieces))
            return
        indent = used if self.width - used >= NARROWEST else self.number + 4
        rows = _rows(pieces, self.width - indent)
        if indent == used:
            yield line(*head, "   ", *_joined(rows.pop(0)))
        else:
            yield line(*head)
        yield from (line(" " * indent, *_joined(row)) for row in rows)

    def remark(self, text: str, style: str) -> Line:
        """Return a line between the steps."""
        return line(" " * (self.number + 2) + text, style=style)


Piece = tuple[str, str]


def _pieces(told: Told) -> Iterator[Piece]:
    """Yield what follows the command, each with its style: the message, what changes, what holds now."""
    if told.message is not None and told.message.values:
        yield told.message.words(), "cyan"
    yield from ((text, "") for text in values(told.changes))
    holds = HOLDS
    for literal in _literals(told.propositions):
        yield holds + literal, "yellow"
        holds = ""


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    return [
        piece for i, (text, style) in enumerate(pieces) for piece in [("  ", "")] * (i > 0) + [(text, style)]
    ]


def _rows(pieces: Sequence[Piece], room: int) -> list[list[Piece]]:
    """Return the pieces in rows, none broken."""
    rows: list[list[Piece]] = [[]]
    for piece in pieces:
        if rows[-1] and sum(len(text) + 2 for text, _ in rows[-1]) + len(piece[0]) > room:
            rows.append([])
        rows[-1].append(piece)
    return rows


def _literals(propositions: Mapping[str, bool]) -> list[str]:
    return [name if value else negated(name) for name, value in propositions.items()]


def _name(told: Told) -> str:
    return told.command or "(no command is enabled)"


def _where(told: Told) -> str:
    """Return the lines of a command."""
    if not told.lines:
        return ""
    return f"line{'s' if len(told.lines) > 1 else ''} {', '.join(map(str, told.lines))}"


def _number_style(is_wrong: bool) -> str:
    return "bold red" if is_wrong else "bold"
