"""Which commands of a model may enable, disable or not commute with which: what stubborn sets are made of.

All of it follows from the guarded form. A guard is taken apart into its conjuncts. Numbers that are only added to a
variable commute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from buchi.common.errors import InputError
from buchi.models import kept
from buchi.models.command_facts import Condition, Facts, Location, moves, tests_of
from buchi.models.guarded import Const, Element, Expr, Model, Read
from buchi.models.queues import uses

MOST_VALUES = 255
"""Values of a variable of which it is known what changes it."""
MOST_PAIRS = 10_000_000
"""Pairs of commands that are looked at: beyond it takes longer than it may save, and gigabytes."""


@dataclass(frozen=True)
class Independence:
    """What a stubborn set of commands needs to know. Commands and conjuncts are numbers."""

    conjuncts: tuple[Expr, ...]
    tests: tuple[tuple[int, ...], ...]
    """The conjuncts of the guard of each command, in the order in which they are looked at."""
    enablers: tuple[tuple[int, ...], ...]
    """For each conjunct, the commands that may make it true."""
    conflicts: tuple[tuple[int, ...], ...]
    """For each command, those that may be enabled together with it and that it does not accord with."""
    leaving: tuple[Leaving | None, ...]
    """For each conjunct of one variable whose every change is known, what may change it."""

    def as_data(self) -> tuple[Any, ...]:
        """Return it as it is kept between runs."""
        leaving = tuple(
            None if one is None else (one.variable, one.index, one.commands) for one in self.leaving
        )
        return self.conjuncts, self.tests, self.enablers, self.conflicts, leaving


@dataclass(frozen=True)
class Leaving:
    """An element of a variable, and for each of its values 0, 1, … the commands that change it from there."""

    variable: int
    index: int
    commands: tuple[tuple[int, ...], ...]

    def place(self, model: Model) -> Expr:
        """Return what reads it."""
        is_array = model.variables[self.variable].length is not None
        return Element(self.variable, Const(self.index)) if is_array else Read(self.variable)


def independence(model: Model) -> Independence:
    """Look at all pairs of commands that touch the same variables, or take what was found out before."""
    data = kept.derived(model, "independence", lambda: _Pairs(model).all().as_data())
    conjuncts, tests, enablers, conflicts, leaving = data
    changes = tuple(None if one is None else Leaving(*one) for one in leaving)
    return Independence(conjuncts, tests, enablers, conflicts, changes)


class _Pairs:
    """All pairs of commands, and of commands and conjuncts, that touch the same places."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._looked_at = 0
        self._numbers: dict[Expr, int] = {}
        tests = [tuple(self._number(part) for part in tests_of(command)) for command in model.commands]
        self._facts = [Facts(model, c, t) for c, t in zip(model.commands, tests, strict=True)]
        self._conjuncts = list(self._numbers)
        self._uses = [tuple(uses(model, command)) for command in model.commands]
        self._conditions = [Condition(model, conjunct) for conjunct in self._conjuncts]
        self._reads = [condition.reads for condition in self._conditions]
        self._testers: dict[int, list[int]] = defaultdict(list)
        for number, facts in enumerate(self._facts):
            for conjunct in facts.conjuncts:
                self._testers[conjunct].append(number)

    def _number(self, conjunct: Expr) -> int:
        return self._numbers.setdefault(conjunct, len(self._numbers))

    def all(self) -> Independence:
        """Return what stubborn sets need."""
        testing = _by_place(self._reads)
        enablers: list[list[int]] = [[] for _ in self._conjuncts]
        conflicts: list[set[int]] = [set() for _ in self._facts]
        for number, facts in enumerate(self._facts):
            touched = {conjunct for place in facts.writes.places for conjunct in testing[place]}
            for conjunct in sorted(touched):
                enables, disables = facts.changes(self._conditions[conjunct])
                if enables:
                    enablers[conjunct].append(number)
                if disables:
                    testers = self._testers[conjunct]
                    self._add(
                        conflicts, number, self._without_passing(number, testers, self._reads[conjunct])
                    )
        self._add_order(conflicts)
        return Independence(
            tuple(condition.given({}) for condition in self._conditions),
            tuple(facts.conjuncts for facts in self._facts),
            tuple(map(tuple, enablers)),
            tuple(tuple(sorted(others)) for others in conflicts),
            tuple(self._leaving()),
        )

    def _leaving(self) -> Iterator[Leaving | None]:
        leavers: dict[Location, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, own in enumerate(moves(self._facts)):
            for place, source, _ in own:
                leavers[place][source].append(number)
        for reads in self._reads:
            known = leavers.get(next(iter(reads))) if len(reads) == 1 else None
            if known is None or not 0 <= min(known) <= max(known) <= MOST_VALUES:
                yield None
            else:
                rows = (tuple(known.get(value, ())) for value in range(max(known) + 1))
                yield Leaving(*next(iter(reads)), tuple(rows))

    def _add(self, conflicts: list[set[int]], number: int, others: Iterable[int]) -> None:
        for other in others:
            self._looked_at += 1
            if self._looked_at > MOST_PAIRS:
                raise InputError(f"more than {MOST_PAIRS:,} pairs of commands touch the same variables")
            if other != number and self._may_be_together(number, other):
                conflicts[number].add(other)
                conflicts[other].add(number)

    def _may_be_together(self, one: int, other: int) -> bool:
        first, second = self._facts[one].before, self._facts[other].before
        small, large = (first, second) if len(first) <= len(second) else (second, first)
        return all(large.get(place, value) == value for place, value in small.items())

    def _add_order(self, conflicts: list[set[int]]) -> None:
        """Add the pairs whose order decides what is written."""
        readers = _by_place([facts.reads for facts in self._facts])
        writers = _by_place([facts.writes.places for facts in self._facts])
        for number, facts in enumerate(self._facts):
            for place in facts.writes.places:
                others = {*readers[place], *(w for w in writers[place] if not self._same(number, w, place))}
                self._add(conflicts, number, self._without_passing(number, others, {place}))

    def _without_passing(
        self, number: int, others: Iterable[int], places: Collection[Location]
    ) -> Iterable[int]:
        """Leave out commands whose order does not matter where they touch these places: those of one queue."""
        variables = {variable for variable, _ in places}
        own = [use for use in self._uses[number] if variables <= {use.length, *use.arrays}]
        return (
            other
            for other in others
            if not any(one.passes_by(another) for one in own for another in self._uses[other])
        )

    def _same(self, one: int, other: int, place: Location) -> bool:
        """Do two commands leave the same in a place, whichever is first?"""
        first, second = self._facts[one].writes, self._facts[other].writes
        if place in first.added and place in second.added:
            return True
        return place in first.numbers and first.numbers.get(place) == second.numbers.get(place)


def _by_place(sets: Iterable[frozenset[Location]]) -> dict[Location, list[int]]:
    found: dict[Location, list[int]] = defaultdict(list)
    for number, places in enumerate(sets):
        for place in places:
            found[place].append(number)
    return found
