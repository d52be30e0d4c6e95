"""Consoles for text of others."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from buchi.pipeline.cli.output import printable


class HarmlessConsole(Console):
    """A console on which control characters are only to be seen; those of styles are added after this."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render, and clean what is text."""
        for segment in super().render(renderable, options):
            clean = segment.control or printable(segment.text) == segment.text
            yield segment if clean else segment._replace(text=printable(segment.text))
