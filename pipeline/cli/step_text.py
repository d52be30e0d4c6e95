"""Steps as text, in columns: the command, where it is written, what it passes on and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from buchi.common.words import negated
from buchi.pipeline.cli.lines import Line, line, values

if TYPE_CHECKING:
    from buchi.schemas.told import Told

WIDEST_COMMAND = 50
NARROWEST = 30
"""Columns for what a step changes; with less it stands below."""
HOLDS = "⊨ "


@dataclass(frozen=True)
class Columns:
    """The widths of the columns, and the room for what follows them."""

    number: int
    command: int
    lines: int
    width: int | None

    @classmethod
    def of(cls, steps: Iterable[Told], number: int, width: int | None) -> Columns:
        """Make room for steps, and for numbers of so many digits."""
        told = list(steps)
        command = max((len(_name(step)) for step in told), default=0)
        lines = max((len(_where(step)) for step in told), default=0)
        return cls(number, min(command, WIDEST_COMMAND), lines, width)

    def step(self, number: str, told: Told, style: str = "bold") -> Iterator[Line]:
        """Yield a step: its number, its command and what it does; below one another where there is no room."""
        head = [(f"{number:>{self.number}}", style), ("  ", "")]
        head.append((f"{_name(told):{self.command}}", "magenta"))
        pieces = list(_pieces(told))
        where = f"   {_where(told):{self.lines}}"
        if self.width is not None and sum(len(text) for text, _ in head) + len(where) > self.width:
            pieces.insert(0, (where.strip(), "dim"))
        elif self.lines:
            head.append((where, "dim"))
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


Piece = tuple[str, str]


def _pieces(told: Told) -> Iterator[Piece]:
    """Yield what follows the command, each with its style: the message, what changes, what holds now."""
    if told.message is not None and told.message.values:
        yield told.message.words(), "cyan"
    yield from ((text, "") for text in values(told.changes))
    holds = HOLDS
    for literal in literals(told.propositions):
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


def literals(propositions: Mapping[str, bool]) -> list[str]:
    """Return what holds, and what does not."""
    return [name if value else negated(name) for name, value in propositions.items()]


def _name(told: Told) -> str:
    return told.command or "(no command is enabled)"


def _where(told: Told) -> str:
    """Return the lines of a command."""
    if not told.lines:
        return ""
    return f"line{'s' if len(told.lines) > 1 else ''} {', '.join(map(str, told.lines))}"
