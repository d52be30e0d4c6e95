"""Labels of edges: disjunctions of cubes over propositions, which are numbered and kept as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Cube(NamedTuple):
    """A conjunction of literals: the propositions (as bit masks) that must be true and that must be false."""

    true: int
    false: int


Label = tuple[Cube, ...]
EVERY_LETTER: Label = (Cube(0, 0),)


def exactly(letter: int, propositions: int) -> Label:
    """Return the label that only one valuation of so many propositions satisfies."""
    return (Cube(letter, ~letter & ((1 << propositions) - 1)),)


def letters(label: Label, propositions: int) -> list[int]:
    """Return all valuations that satisfy a label, in order."""
    found: set[int] = set()
    for true, false in label:
        free = [1 << i for i in range(propositions) if not (true | false) >> i & 1]
        found.update(true | choice for choice in _subsets(free))
    return sorted(found)


def _subsets(bits: list[int]) -> list[int]:
    sums = [0]
    for bit in bits:
        sums += [chosen | bit for chosen in sums]
    return sums


def covers_all(label: Label) -> bool:
    """Does every letter satisfy the label? Splits on one proposition after the other."""
    if any(not (true | false) for true, false in label):
        return True
    bit = _tested_bit(label)
    return bool(bit) and covers_all(given(label, bit, True)) and covers_all(given(label, bit, False))


def given(label: Iterable[Cube], bit: int, value: bool) -> Label:
    """Return what remains of a label once one proposition is known."""
    kept = ((true, false) for true, false in label if not (false if value else true) & bit)
    return tuple(Cube(true & ~bit, false & ~bit) for true, false in kept)


def exclusive(labels: Sequence[Label]) -> bool:
    """Does every letter satisfy at most one of the labels?"""
    labels = [label for label in labels if label]
    if len(labels) < 2:
        return True
    bit = _tested_bit(cube for label in labels for cube in label)
    if not bit:
        return False
    return all(exclusive([given(label, bit, value) for label in labels]) for value in (True, False))


def _tested_bit(cubes: Iterable[Cube]) -> int:
    """Return a proposition that some cube tests, one that all test if there is one, or 0."""
    some, every = 0, -1
    for true, false in cubes:
        some |= true | false
        every &= true | false
    wanted = every & some or some
    return wanted & -wanted
