"""How large an explicit structure may be: a few numbers in a file can ask for any memory."""

from __future__ import annotations

from buchi.common.errors import InputError, Place

MAX_ENTRIES = 50_000_000
"""Edges, and truth values of propositions in states."""


def check_size(source: str, states: int, propositions: int, edges: float) -> None:
    """Refuse a structure that would be too large. Raises InputError."""
    if edges > MAX_ENTRIES:
        raise InputError(f"about {edges:.0f} edges are more than {MAX_ENTRIES}", Place(source))
    if states * propositions > MAX_ENTRIES:
        raise InputError(
            f"{propositions} propositions in {states} states are more than {MAX_ENTRIES} truth values",
            Place(source),
        )
