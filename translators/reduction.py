"""What the reductions of state-labelled and testing automata share."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from buchi.common.graph import backward, components, successors
from buchi.translators.translator import Options


class Reductions(Options):
    """Which reductions to apply; all keep the language."""

    unreachable: bool = True
    """Remove states that no initial state reaches."""
    dead: bool = True
    """Remove states from which nothing can be accepted; states on no cycle are not accepting."""
    bisimilar: bool = True
    """Merge bisimilar states."""


def on_cycles(states: int, pairs: Collection[tuple[int, int]]) -> set[int]:
    """Return the states that lie on a cycle."""
    component = components(successors(states, pairs))
    cyclic = {component[a] for a, b in pairs if component[a] == component[b]}
    return {state for state in range(states) if component[state] in cyclic}


def living(
    states: int, pairs: Collection[tuple[int, int]], accepting: Collection[int], final: Iterable[int] = ()
) -> set[int]:
    """Return the states that reach a cycle through an accepting state, or a state of `final`.

    A component with an accepting state and a cycle has a cycle through that state.
    """
    goals = on_cycles(states, pairs) & set(accepting)
    return backward(states, pairs, goals | set(final))


def renumber(states: int, kept: Collection[int]) -> list[int]:
    """Return new numbers in the old order for the states that are kept, and -1 for the others."""
    number = {state: index for index, state in enumerate(sorted(kept))}
    return [number.get(state, -1) for state in range(states)]


def is_identity(block: list[int]) -> bool:
    """Does a renumbering change nothing?"""
    return all(state == number for state, number in enumerate(block))
