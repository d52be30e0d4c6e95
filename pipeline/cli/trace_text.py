"""A counterexample as text: numbered states, the command that leads to each, where it is written, what it changes.

Of a long stretch only the ends are shown, and the steps that change a proposition of the property.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from buchi.common.words import counted
from buchi.pipeline.cli.lines import LINE_WIDTH, Line, filled, line, values
from buchi.pipeline.cli.step_text import HOLDS, Columns, literals
from buchi.pipeline.cli.trace_files import MOST_STEPS

if TYPE_CHECKING:
    from buchi.schemas.result import Counterexample

SHOWN_STEPS = 60
"""Of a longer prefix or cycle the middle is left out, but for steps that change a proposition."""
SHOWN_CHANGES = 20
"""So many of those."""
LOOKED_THROUGH = 20_000
"""Steps of a stretch that is looked through for them: each takes some microseconds."""
LONG = 40
"""Steps of a run beyond which it is worth while to look for a shorter one."""


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
    """Where the parts of a run stand."""

    columns: Columns

    @classmethod
    def of(cls, found: Counterexample, numbers: Sequence[int], how: Shown) -> _Layout:
        """Make room for what is shown; to look at all of a long run would take seconds."""
        last = found.length if found.deadlock is None else found.deadlock
        return cls(Columns.of(map(found.told, numbers), len(str(last)), how.width))

    def initial(self, found: Counterexample) -> Iterator[Line]:
        """Yield the first state, all of it."""
        is_wrong = found.ends and not found.length
        yield line((f"{0:{self.columns.number}}", _number_style(is_wrong)), ("  initial state", "magenta"))
        indent = " " * (self.columns.number + 4)
        room = min(self.columns.width or LINE_WIDTH, LINE_WIDTH) - len(indent)
        yield from (line(indent + text) for text in filled(values(found.at(0).state), room))
        if holding := found.holding(0):
            texts = filled(literals(holding), room - len(HOLDS))
            yield from (line(indent, (HOLDS + text, "yellow")) for text in texts)

    def stretch(self, found: Counterexample, stretch: _Stretch) -> Iterator[Line]:
        """Yield the steps that are shown, and how many are not."""
        end = None
        for numbers in stretch.shown:
            if end is not None and numbers.start > end:
                yield self.remark(f"… {counted(numbers.start - end, 'step')} not shown", "dim")
            for number in numbers:
                is_wrong = found.ends and number + 1 == found.length
                yield from self.columns.step(str(number + 1), found.told(number), _number_style(is_wrong))
            end = numbers.stop

    def remark(self, text: str, style: str) -> Line:
        """Return a line between the steps."""
        return line(" " * (self.columns.number + 2) + text, style=style)


def _number_style(is_wrong: bool) -> str:
    return "bold red" if is_wrong else "bold"
