"""What is known of one command: the values that it needs, what it leaves behind, what it may do to a condition.

A condition is looked at with the values put in that the command needs before and leaves behind: one that is the same
before and after cannot change, one that is a number after cannot become another. Elements of arrays count one by one
where their index is a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

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
    conjuncts_of,
    fold,
)

LARGEST = 128
"""Parts of a condition that is looked at closely; whatever touches a larger one may do anything to it."""
Location: TypeAlias = tuple[int, int]
"""A variable and the index of an element; 0 for a scalar."""


@dataclass(frozen=True)
class Writes:
    """What a command leaves in the places that it writes: a number, the old value and a number more, or anything."""

    numbers: Mapping[Location, int]
    added: Mapping[Location, int]
    places: frozenset[Location]


class Facts:
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
    def writes(self) -> Writes:
        """What it leaves behind."""
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
        return Writes(numbers, added, frozenset().union(*places))

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

    def changes(self, condition: Condition) -> tuple[bool, bool]:
        """May the command, which writes what a condition reads, make it true, may it make it false?"""
        if condition.is_large:
            return True, True
        writes = self.writes
        for place, more in writes.added.items():
            rising = _rises(condition.expr, place)
            if rising is not None and condition.reads & writes.places == {place} and self.fits(place, more):
                return (more > 0) == rising, (more < 0) == rising
        before = condition.given(self.before)
        kept = {place: value for place, value in self.before.items() if place not in writes.places}
        residual = condition.given({**kept, **writes.numbers})
        # An element whose index is not known may be one that was written.
        after = residual if writes.places.isdisjoint(condition.still_read(residual)) else None
        if before == after:
            return False, False
        was, becomes = _truth(before), _truth(after)
        return was is not True and becomes is not False, was is not False and becomes is not True


class Condition:
    """An expression, the places that it reads, and what is left of it when some of them have known values."""

    def __init__(self, model: Model, expr: Expr) -> None:
        self._model = model
        self.expr = expr
        self.reads = frozenset(places_read(model, expr))
        self.is_large = _size(model, expr) > LARGEST
        self._residues: dict[frozenset[tuple[Location, int]], Expr] = {}
        self._read: dict[int, tuple[Expr, frozenset[Location]]] = {}

    def given(self, known: Mapping[Location, int]) -> Expr:
        """Return what is left of it."""
        own = frozenset((place, known[place]) for place in self.reads if place in known)
        found = self._residues.get(own)
        if found is None:
            found = self._residues[own] = residue(self._model, self.expr, dict(own))
        return found

    def still_read(self, residual: Expr) -> frozenset[Location]:
        """Return the places that something left of it reads."""
        found = self._read.get(id(residual))
        if found is None:  # the expression is kept, so that no other gets its number
            found = self._read[id(residual)] = residual, frozenset(places_read(self._model, residual))
        return found[1]


def _size(model: Model, expr: Expr) -> int:
    """Return how many parts an expression has, those of shared expressions included."""

    def combine(current: Expr, sizes: list[int]) -> int:
        shared = _size(model, model.shared[current.index]) if isinstance(current, Shared) else 0
        return 1 + shared + sum(sizes)

    return fold(expr, combine)


def moves(facts: Sequence[Facts]) -> list[list[tuple[Location, int, int]]]:
    """Return for each command the places that it changes from one number to another, if all commands do so."""
    found: list[list[tuple[Location, int, int]]] = []
    unknown = set()
    for known in facts:
        own = []
        for place in known.writes.places:
            source, target = known.before.get(place), known.writes.numbers.get(place)
            if source is None or target is None:
                unknown.add(place)
            elif source != target:
                own.append((place, source, target))
        found.append(own)
    return [[move for move in own if move[0] not in unknown] for own in found]


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
    for part in conjuncts_of(command.guard):
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


def _demanded(guard: Expr | None) -> Iterator[tuple[Location, int]]:
    """Yield the places that a guard compares with a number by ==."""
    for part in conjuncts_of(guard):
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


def _truth(expr: Expr | None) -> bool | None:
    return expr.value != 0 if isinstance(expr, Const) else None


def _rises(expr: Expr, place: Location) -> bool | None:
    """Does a comparison of a place with a number become true as the place grows, or false? None if it is no such."""
    if isinstance(expr, Binary) and isinstance(expr.right, Const) and _is_place(expr.left, place):
        return {">=": True, ">": True, "<=": False, "<": False}.get(expr.operator)
    return None


def tests_of(command: Command) -> Iterator[Expr]:
    """Yield the conjuncts of all that a command tests, in the order in which a back-end does."""
    yield from (Binary("==", Read(variable), Const(value)) for variable, value in command.at)
    yield from (Binary(">=", Read(variable), Const(value)) for variable, value in command.least)
    yield from conjuncts_of(command.guard)
