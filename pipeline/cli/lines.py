"""Lines for people: pieces of text with styles, which cost nothing where there is no terminal to show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text

LINE_WIDTH = 100
"""Columns of what is filled with values, where there is no terminal to say."""


class Line(NamedTuple):
    """A text, or several lines of it; each piece has a style as rich names it."""

    pieces: tuple[tuple[str, str], ...]

    @property
    def plain(self) -> str:
        """The text alone."""
        return "".join(text for text, _ in self.pieces)

    def styled(self) -> Text:
        """Return the line for a terminal."""
        from rich.text import Text

        return Text.assemble(*self.pieces)


def line(*pieces: str | tuple[str, str], style: str = "") -> Line:
    """Return a line; `style` is that of the pieces that have none."""
    return Line(tuple((piece, style) if isinstance(piece, str) else piece for piece in pieces))


def values(state: Mapping[str, str]) -> list[str]:
    """Return each value with its name."""
    return [f"{name} = {value}" for name, value in state.items()]


def filled(items: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of items, none broken."""
    filled = ""
    for item in items:
        if filled and len(filled) + 2 + len(item) > width:
            yield filled
            filled = ""
        filled = f"{filled}  {item}" if filled else item
    yield filled
