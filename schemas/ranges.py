"""Checks that the schemas of automata share."""

from __future__ import annotations

from collections.abc import Sequence

from buchi.common.words import counted


def check_states(numbers: Sequence[int], states: int, role: str) -> None:
    """Raise ValueError unless the numbers are different states."""
    check_distinct(numbers, f"{role} state")
    for state in numbers:
        if not 0 <= state < states:
            raise ValueError(f"{role} state {state} is not among the {counted(states, 'state')}")


def check_distinct(items: Sequence[object], noun: str) -> None:
    """Raise ValueError if something is listed twice."""
    if len(set(items)) != len(items):
        raise ValueError(f"a {noun} is listed twice")


def check_edges(pairs: Sequence[tuple[int, int]], states: int) -> None:
    """Raise ValueError if an edge leaves the states; edges are many, so the extremes are looked at first."""
    if pairs and (min(map(min, pairs)) < 0 or max(map(max, pairs)) >= states):
        a, b = next((a, b) for a, b in pairs if not (0 <= a < states and 0 <= b < states))
        raise ValueError(f"edge {a} -> {b} leaves the {counted(states, 'state')}")
