"""Labels of edges: disjunctions of cubes over propositions, which are numbered and kept as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations
from typing import NamedTuple


class Cube(NamedTuple):
    """A conjunction of literals: the propositions (as bit masks) that must be true and that must be false."""

    true: int
    false: int


Label = tuple[Cube, ...]
EVERY_LETTER: Label = (Cube(0, 0),)
MAX_STEPS = 50_000
"""Cubes looked at after which it stays open whether a label covers all letters."""


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
    """Does every letter satisfy the label? False also where that takes too many steps to find out."""
    try:
        return _covers(label, [MAX_STEPS])
    except _TooManyError:
        return False


class _TooManyError(Exception):
    """Deciding this is as hard as satisfiability: hostile labels need 2^63 steps."""


def _covers(label: Label, budget: list[int]) -> bool:
    """Split on one proposition after the other, while the cubes could have room for all letters."""
    if any(not (true | false) for true, false in label):
        return True
    budget[0] -= len(label)
    if budget[0] < 0:
        raise _TooManyError
    bit = _tested_bit(label)
    return (
        _room(label) >= 1
        and _covers(given(label, bit, True), budget)
        and _covers(given(label, bit, False), budget)
    )


def _room(label: Label) -> float:
    """Return the share of the letters that the cubes would have if no two had one in common."""
    return sum(2.0 ** -bin(true | false).count("1") for true, false in label)


def given(label: Iterable[Cube], bit: int, value: bool) -> Label:
    """Return what remains of a label once one proposition is known."""
    kept = ((true, false) for true, false in label if not (false if value else true) & bit)
    return tuple(Cube(true & ~bit, false & ~bit) for true, false in kept)


def exclusive(labels: Sequence[Label]) -> bool:
    """Does every letter satisfy at most one of the labels?

    Splits on propositions that all cubes test, as long as there are some; then cubes are compared in pairs.
    """
    labels = [label for label in labels if label]
    if len(labels) < 2:
        return True
    bit = _tested_by_all(cube for label in labels for cube in label)
    if bit:
        return all(exclusive([given(label, bit, value) for label in labels]) for value in (True, False))
    return not any(_meet(one, other) for one, other in combinations(labels, 2))


def _meet(one: Label, other: Label) -> bool:
    """Is there a letter that satisfies both?"""
    return any(not (t1 & f2 | f1 & t2) for t1, f1 in one for t2, f2 in other)


def _tested_by_all(cubes: Iterable[Cube]) -> int:
    """Return a proposition that all cubes test, or 0."""
    every = reduce(int.__and__, (true | false for true, false in cubes))
    return every & -every


def _tested_bit(cubes: Sequence[Cube]) -> int:
    """Return a proposition that some cube tests, one that all test if there is one, or 0."""
    some = reduce(int.__or__, (true | false for true, false in cubes), 0)
    return (_tested_by_all(cubes) if cubes else 0) or some & -some


def label_words(label: Label, names: Sequence[str]) -> str:
    """Return a label with the names of the propositions."""
    return " | ".join(_cube_words(true, false, names) for true, false in label) or "false"


def _cube_words(true: int, false: int, names: Sequence[str]) -> str:
    literals = [
        name if true >> i & 1 else f"!({name})" if _is_compound(name) else f"!{name}"
        for i, name in enumerate(names)
        if (true | false) >> i & 1
    ]
    return " & ".join(literals) or "true"


def _is_compound(name: str) -> bool:
    return not name.replace(".", "").replace("_", "").isalnum()


def letter_words(letter: int, names: Sequence[str]) -> str:
    """Return the set of the propositions that are true in a valuation, or that change."""
    return "{" + ", ".join(name for i, name in enumerate(names) if letter >> i & 1) + "}"


def marks_words(marks: int) -> str:
    """Return the numbers of acceptance sets."""
    return " ".join(f"({i})" for i in range(marks.bit_length()) if marks >> i & 1)
