"""Which commands of a model may enable, disable or not commute with which: what stubborn sets are made of.

All of it follows from the guarded form. A guard is taken apart into its conjuncts. What a command may do to a
conjunct is told by the values that the command needs before and leaves behind: with these put in, a conjunct that is
the same before and after cannot change, one that is a number after cannot become another. Elements of arrays count one
by one where their index is a number. Numbers that are only added to a variable commute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from buchi.common.errors import InputError
from buchi.models.arithmetic import binary, unary
from buchi.models.guarded import (
    Assign,
    Binary,
    Command,
    Const,
    Element,
    Expr,
    Lookup,
    Model,
    Read,
    Shared,
    Unary,
    children,
    fold,
)

MOST_PAIRS = 10_000_000
"""Pairs of commands that are looked at: beyond it takes longer than it may save, and gigabytes."""

Location: TypeAlias = tuple[int, int]
"""A variable and the index of an element; 0 for a scalar."""


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


def independence(model: Model) -> Independence:
    """Look at all pairs of commands that touch the same variables."""
    return _Pairs(model).all()


@dataclass(frozen=True)
class _Writes:
    """What a command leaves in the places that it writes: a number, the old value and a number more, or anything."""

    numbers: Mapping[Location, int]
    added: Mapping[Location, int]
    places: frozenset[Location]


class _Facts:
    """What is known of one command."""

    def __init__(self, model: Model, command: Command, conjuncts: Iterable[int]) -> None:
        self._model = model
        self.command = command
        self.conjuncts = tuple(conjuncts)

    @cached_property
    def before(self) -> dict[Location, int]:
        """The values that the command needs."""
        known = {(variable, 0): value for variable, value in self.command.at}
        return known | dict(_demanded(self.command.guard))

    @cached_property
    def writes(self) -> _Writes:
        assigns = self.command.transfer + self.command.effects
        places = [frozenset(_places(self._model, assign)) for assign in assigns]
        numbers: dict[Location, int] = {}
        added: dict[Location, int] = {}
        for i, assign in enumerate(assigns):
            for place in places[i]:
                numbers.pop(place, None)
                again = any(place in others for j, others in enumerate(places) if j != i)
                if len(places[i]) > 1 or self._may_fail(assign):
                    continue
                if isinstance(assign.value, Const):
                    numbers[place] = self._model.variables[place[0]].type.wrap(assign.value.value)
                elif not again and (more := _addend(assign.value, place)) is not None:
                    added[place] = more
        return _Writes(numbers, added, frozenset().union(*places))

    def _may_fail(self, assign: Assign) -> bool:
        """May storing fail, so that it matters what is stored first? A wider variable is no failure."""
        return self._model.is_checked(assign) and not self._model.widens

    def fits(self, place: Location, more: int) -> bool:
        """Is the sum never beyond the type, where it would wrap around? The guard tells; some variables get wider."""
        kind = self._model.variables[place[0]].type
        lowest, highest = _bounds(self.command, place, kind.low, kind.high)
        return self._model.widens or (lowest + more >= kind.low and highest + more <= kind.high)

    @cached_property
    def reads(self) -> frozenset[Location]:
        """The places whose values decide what is written; one that a number is added to is not among them."""
        assigns = self.command.transfer + self.command.effects
        found = {
            place
            for assign in assigns
            for expr in (assign.value, assign.index)
            if expr is not None
            for place in places_read(self._model, expr)
        }
        own = {place for place in self.writes.added if self._is_read_once(assigns, place)}
        return frozenset(found - own)

    def _is_read_once(self, assigns: tuple[Assign, ...], place: Location) -> bool:
        readers = [assign for assign in assigns if place in set(places_read(self._model, assign.value))]
        indices = [assign.index for assign in assigns if assign.index is not None]
        return len(readers) == 1 and not any(place in set(places_read(self._model, i)) for i in indices)


def _places(model: Model, assign: Assign) -> Iterator[Location]:
    """Yield the places that an assignment may write."""
    if assign.index is None:
        yield assign.variable, 0
    elif isinstance(assign.index, Const):
        yield assign.variable, assign.index.value
    else:
        yield from ((assign.variable, i) for i in range(model.variables[assign.variable].length or 1))


def places_read(model: Model, expr: Expr) -> Iterator[Location]:
    """Yield the places that an expression may read, those of shared expressions included."""
    pending = [expr]
    while pending:
        current = pending.pop()
        if isinstance(current, Read):
            yield current.variable, 0
        elif isinstance(current, Element) and isinstance(current.index, Const):
            yield current.variable, current.index.value
        elif isinstance(current, Element):
            yield from ((current.variable, i) for i in range(model.variables[current.variable].length or 1))
        elif isinstance(current, Shared):
            pending.append(model.shared[current.index])
        pending.extend(children(current))


def _addend(value: Expr, place: Location) -> int | None:
    """Return what is added to a place by storing this value there."""
    if (
        not isinstance(value, Binary)
        or not isinstance(value.right, Const)
        or not _is_place(value.left, place)
    ):
        return None
    return {"+": value.right.value, "-": -value.right.value}.get(value.operator)


def _bounds(command: Command, place: Location, low: int, high: int) -> tuple[int, int]:
    """Return between which numbers a place is where a command is enabled."""
    for part in _conjuncts(command.guard):
        if isinstance(part, Binary) and isinstance(part.right, Const) and _is_place(part.left, place):
            value = part.right.value
            low = max(low, {">": value + 1, ">=": value, "==": value}.get(part.operator, low))
            high = min(high, {"<": value - 1, "<=": value, "==": value}.get(part.operator, high))
            if part.operator == "!=" and value == low:
                low += 1
    return low, high


def _is_place(expr: Expr, place: Location) -> bool:
    if isinstance(expr, Read):
        return (expr.variable, 0) == place
    return (
        isinstance(expr, Element)
        and isinstance(expr.index, Const)
        and (expr.variable, expr.index.value) == place
    )


def _conjuncts(expr: Expr | None) -> Iterator[Expr]:
    """Yield the parts of a conjunction, from left to right."""
    pending = [] if expr is None else [expr]
    while pending:
        current = pending.pop()
        if isinstance(current, Binary) and current.operator == "and":
            pending += [current.right, current.left]
        else:
            yield current


def _demanded(guard: Expr | None) -> Iterator[tuple[Location, int]]:
    """Yield the places that a guard compares with a number by ==."""
    for part in _conjuncts(guard):
        if isinstance(part, Binary) and part.operator == "==" and isinstance(part.right, Const):
            if isinstance(part.left, Read):
                yield (part.left.variable, 0), part.right.value
            elif isinstance(part.left, Element) and isinstance(part.left.index, Const):
                yield (part.left.variable, part.left.index.value), part.right.value


def residue(model: Model, expr: Expr, known: Mapping[Location, int]) -> Expr:
    """Return what is left of an expression when some places have known values."""

    def combine(current: Expr, operands: list[Expr]) -> Expr:
        match current:
            case Read(variable):
                value = known.get((variable, 0))
                return current if value is None else Const(value)
            case Element(variable, _):
                index = operands[0]
                value = known.get((variable, index.value)) if isinstance(index, Const) else None
                return Element(variable, index) if value is None else Const(value)
            case Lookup(table, _):
                return Lookup(table, operands[0])
            case Shared(index):
                return residue(model, model.shared[index], known)
            case Unary(operator, _):
                return unary(operator, operands[0])
            case Binary(operator, _, _):
                return _joined(operator, *operands)
        return current

    return fold(expr, combine)


def _joined(operator: str, left: Expr, right: Expr) -> Expr:
    """Fold, also where only the right side of `and` or `or` is known: guards that fail are not looked at so closely."""
    if operator == "and" and right == Const(0):
        return right
    if operator == "or" and isinstance(right, Const) and right.value != 0:
        return Const(1)
    return binary(operator, left, right)  # type: ignore[arg-type]


class _Pairs:
    """All pairs of commands, and of commands and conjuncts, that touch the same places."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._looked_at = 0
        self._numbers: dict[Expr, int] = {}
        tests = [tuple(self._number(part) for part in _guard(command)) for command in model.commands]
        self._facts = [_Facts(model, c, t) for c, t in zip(model.commands, tests, strict=True)]
        self._conjuncts = list(self._numbers)
        self._reads = [frozenset(places_read(model, conjunct)) for conjunct in self._conjuncts]
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
                enables, disables = self._changes(facts, conjunct)
                if enables:
                    enablers[conjunct].append(number)
                if disables:
                    self._add(conflicts, number, self._testers[conjunct])
        self._add_order(conflicts)
        return Independence(
            tuple(inlined(self._model, conjunct) for conjunct in self._conjuncts),
            tuple(facts.conjuncts for facts in self._facts),
            tuple(map(tuple, enablers)),
            tuple(tuple(sorted(others)) for others in conflicts),
        )

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
                self._add(conflicts, number, readers[place])
                self._add(conflicts, number, (w for w in writers[place] if not self._same(number, w, place)))

    def _same(self, one: int, other: int, place: Location) -> bool:
        """Do two commands leave the same in a place, whichever is first?"""
        first, second = self._facts[one].writes, self._facts[other].writes
        if place in first.added and place in second.added:
            return True
        return place in first.numbers and first.numbers.get(place) == second.numbers.get(place)

    def _changes(self, facts: _Facts, conjunct: int) -> tuple[bool, bool]:
        """May a command make a conjunct true, may it make it false?"""
        expr, reads, writes = self._conjuncts[conjunct], self._reads[conjunct], facts.writes
        for place, more in writes.added.items():
            rising = _rises(expr, place)
            if rising is not None and reads & writes.places == {place} and facts.fits(place, more):
                return (more > 0) == rising, (more < 0) == rising
        before = residue(self._model, expr, facts.before)
        kept = {place: value for place, value in facts.before.items() if place not in writes.places}
        residual = residue(self._model, expr, {**kept, **writes.numbers})
        # An element whose index is not known may be one that was written.
        is_known = writes.places.isdisjoint(places_read(self._model, residual))
        after = residual if is_known else None
        if before == after:
            return False, False
        was, becomes = _truth(before), _truth(after)
        return was is not True and becomes is not False, was is not False and becomes is not True


def _truth(expr: Expr | None) -> bool | None:
    return expr.value != 0 if isinstance(expr, Const) else None


def _rises(expr: Expr, place: Location) -> bool | None:
    """Does a comparison of a place with a number become true as the place grows, or false? None if it is no such."""
    if isinstance(expr, Binary) and isinstance(expr.right, Const) and _is_place(expr.left, place):
        return {">=": True, ">": True, "<=": False, "<": False}.get(expr.operator)
    return None


def _guard(command: Command) -> Iterator[Expr]:
    """Yield the conjuncts of all that a command tests, in the order in which a back-end does."""
    yield from (Binary("==", Read(variable), Const(value)) for variable, value in command.at)
    yield from (Binary(">=", Read(variable), Const(value)) for variable, value in command.least)
    yield from _conjuncts(command.guard)


def inlined(model: Model, expr: Expr) -> Expr:
    """Return an expression without shared ones."""
    return residue(model, expr, {})


def _by_place(sets: Iterable[frozenset[Location]]) -> dict[Location, list[int]]:
    found: dict[Location, list[int]] = defaultdict(list)
    for number, places in enumerate(sets):
        for place in places:
            found[place].append(number)
    return found
