"""Lines for people: pieces of text with styles, which cost nothing where there is no terminal to show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text


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
