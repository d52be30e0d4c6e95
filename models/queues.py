"""Queues that a model has in an array and the number of its elements that are in use.

One command puts a value behind the last, another takes the first one and lets the others move up. Where both are
enabled their order does not matter, though both write the same places: the queue is neither empty nor full then, since
a value that is put beyond the array is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from buchi.models.command_facts import Condition, Location, places_read, tests_of
from buchi.models.guarded import Assign, Binary, Command, Const, Element, Expr, Model, Read


@dataclass(frozen=True)
class Use:
    """What a command does with a queue: its length, its arrays, and whether a value is put there or taken."""

    length: int
    arrays: frozenset[int]
    puts: bool
    size: int
    lengths: frozenset[int]
    """For which lengths, from 0 to the size, all that the command asks of the length is true."""

    def passes_by(self, other: Use) -> bool:
        """Does one put and the other take, and do they leave each other enabled as far as the queue goes?"""
        if self.puts == other.puts or (self.length, self.arrays) != (other.length, other.arrays):
            return False
        put, take = (self, other) if self.puts else (other, self)
        if 0 in take.lengths:
            return False
        both = (put.lengths & take.lengths) - {self.size}
        return all(length - 1 in put.lengths and length + 1 in take.lengths for length in both)


def uses(model: Model, command: Command) -> Iterator[Use]:
    """Yield what a command does with queues. It touches them in no other way."""
    for assign in command.transfer + command.effects:
        if assign.index is not None or assign.value not in _steps(assign.variable):
            continue
        length, puts = assign.variable, assign.value == _steps(assign.variable)[0]
        arrays = frozenset(_arrays(model, command, length, puts))
        size = min((model.variables[array].length or 1 for array in arrays), default=0)
        if 0 < size <= model.variables[length].type.high and _is_all(model, command, length, arrays, puts):
            yield Use(length, arrays, puts, size, frozenset(_lengths(model, command, length, size)))


def _steps(variable: int) -> tuple[Expr, Expr]:
    """Return one more and one less."""
    return Binary("+", Read(variable), Const(1)), Binary("-", Read(variable), Const(1))


def _lengths(model: Model, command: Command, variable: int, size: int) -> Iterator[int]:
    conditions = [Condition(model, test) for test in tests_of(command)]
    asked = [condition for condition in conditions if (variable, 0) in condition.reads]
    for length in range(size + 1):
        truths = (condition.given({(variable, 0): length}) for condition in asked)
        if all(isinstance(truth, Const) and truth.value != 0 for truth in truths):
            yield length


def _arrays(model: Model, command: Command, length: int, puts: bool) -> Iterator[int]:
    """Yield the arrays that a command puts a value into, or takes one from."""
    assigns = command.transfer + command.effects
    for variable in dict.fromkeys(assign.variable for assign in assigns):
        own = [assign for assign in assigns if assign.variable == variable]
        size = model.variables[variable].length
        if (puts and [assign.index for assign in own] == [Read(length)]) or (
            not puts and size is not None and _is_shift(own, variable, size)
        ):
            yield variable


def _is_shift(assigns: Sequence[Assign], array: int, size: int) -> bool:
    """Do all elements move up by one, and does a number follow the last?"""
    indices = [assign.index for assign in assigns] == [Const(i) for i in range(size)]
    moved = [Element(array, Const(i + 1)) for i in range(size - 1)]
    return indices and [a.value for a in assigns[:-1]] == moved and isinstance(assigns[-1].value, Const)


def _is_all(model: Model, command: Command, length: int, arrays: frozenset[int], puts: bool) -> bool:
    """Is this all that a command does with a queue, and in an order in which it means that?"""
    places = {(length, 0)} | {(a, i) for a in arrays for i in range(model.variables[a].length or 1)}
    reads = [frozenset(places_read(model, test)) for test in tests_of(command)]
    if any(read & places and read != {(length, 0)} for read in reads):
        return False
    first = frozenset() if puts else frozenset((array, 0) for array in arrays)
    own = arrays | {length}
    return (
        _is_stored_first(command, length, arrays)
        and places.isdisjoint(_beside(model, command.effects, own, length))
        and places & set(_beside(model, command.transfer, own, length)) <= first
    )


def _is_stored_first(command: Command, length: int, arrays: frozenset[int]) -> bool:
    """Does the length change once, and after the arrays? What is transferred is read before all that."""
    changes = [assign.variable for assign in command.transfer + command.effects]
    if changes.count(length) != 1:
        return False
    late = {assign.variable for assign in command.effects} & arrays
    return not late or (
        length in changes[len(command.transfer) :] and _last(changes, arrays) < changes.index(length)
    )


def _last(changes: Sequence[int], arrays: frozenset[int]) -> int:
    return max(i for i, variable in enumerate(changes) if variable in arrays)


def _beside(model: Model, assigns: Iterable[Assign], own: frozenset[int], length: int) -> Iterator[Location]:
    """Yield the places that assignments read beside what makes them those of a queue."""
    for assign in assigns:
        if assign.variable not in own or assign.index == Read(length):
            yield from places_read(model, assign.value)
        if assign.variable not in own and assign.index is not None:
            yield from places_read(model, assign.index)
