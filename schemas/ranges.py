"""Checks that the schemas of automata share."""

from __future__ import annotations

from collections.abc import Sequence


def check_states(numbers: Sequence[int], states: int, role: str) -> None:
    """Raise ValueError unless the numbers are different states."""
    check_distinct(numbers, f"{role} state")
    for state in numbers:
        if not 0 <= state < states:
            raise ValueError(f"{role} state {state} is not among the {states} states")


def check_distinct(items: Sequence[object], noun: str) -> None:
    """Raise ValueError if something is listed twice."""
    if len(set(items)) != len(items):
        raise ValueError(f"a {noun} is listed twice")
