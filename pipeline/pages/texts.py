"""Texts that occur often, written once."""

from __future__ import annotations

from collections.abc import Iterable


class Texts:
    """A list of distinct texts, in the order of their first use; a column holds their positions."""

    def __init__(self) -> None:
        self.positions: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """Return the position of a text."""
        return self.positions.setdefault(text, len(self.positions))

    def column(self, texts: Iterable[str]) -> list[int]:
        """Return the positions of texts."""
        return [self(text) for text in texts]

    @property
    def all(self) -> list[str]:
        """The texts."""
        return list(self.positions)
