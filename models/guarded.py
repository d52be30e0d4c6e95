"""The guarded-command form: what every model language is translated to, and all that a back-end executes.

A model is a list of variables and a list of commands. A command is enabled in a state when the variables named in
`at` have the given values, those in `least` at least the given ones, and `guard` is not zero. Executing it copies the
state, then carries out

1. `transfer`: every value and index is read from the *old* state (the value passed in a rendezvous);
2. `effects`:  one after the other, each reading the state as the effects before it left it.

Arithmetic is 32-bit signed and wraps around. Storing wraps to the type of the variable, or is an error where
`Model.overflow_is_error` (never for INT32). `and`/`or` are lazy and give 0 or 1. Division by zero and an index out of
bounds are errors of the model. A shift counts modulo 32; INT_MIN / -1 is INT_MIN, its remainder 0.

Successors come in the order of the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import accumulate
from typing import Final, Literal, TypeAlias, TypeVar

from buchi.models.odd_names import odd_names


class Type(Enum):
    """The storage type of a variable: its bits, lowest and highest value. A COUNT32 never wraps around.

    Those of less than a byte are for scalars: several of them share a byte, and none is in two.
    """

    BIT = (1, 0, 1)
    PAIR = (2, 0, 3)
    NIBBLE = (4, 0, 15)
    BYTE = (8, 0, 255)
    WORD = (16, 0, 65535)
    INT16 = (16, -32768, 32767)
    INT32 = (32, -(2**31), 2**31 - 1)
    COUNT32 = (32, 0, 2**31 - 1)

    def __init__(self, bits: int, low: int, high: int) -> None:
        self.bits: Final = bits
        self.low: Final = low
        self.high: Final = high

    @property
    def is_small(self) -> bool:
        """Is it less than a byte?"""
        return self.bits < 8

    @property
    def size(self) -> int:
        """Bytes, of a type that has any."""
        return self.bits // 8

    def wrap(self, value: int) -> int:
        """Return `value` as a variable of this type stores it."""
        return (value - self.low) % (1 << self.bits) + self.low


@dataclass(frozen=True, slots=True)
class Const:
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a scalar variable, by its index in `Model.variables`."""

    variable: int


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array variable."""

    variable: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Lookup:
    """An element of a constant table, by its index in `Model.tables`."""

    table: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Shared:
    """The value of `Model.shared[index]`, computed once for each state whose successors are asked for."""

    index: int


UnaryOperator: TypeAlias = Literal["-", "~", "not"]
BinaryOperator: TypeAlias = Literal[
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or"
]


@dataclass(frozen=True, slots=True)
class Unary:
    """An operator with one operand."""

    operator: UnaryOperator
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator with two operands."""

    operator: BinaryOperator
    left: Expr
    right: Expr


Expr: TypeAlias = Const | Read | Element | Lookup | Shared | Unary | Binary


@dataclass(frozen=True, slots=True)
class StepTest:
    """What a proposition may say of a step: that one of these commands is enabled in the state it leaves, or takes it.

    Commands are given by their numbers. `negated` turns it round.
    """

    what: Literal["enabled", "moved"]
    commands: tuple[int, ...]
    negated: bool = False

    def holds(self, enabled: Collection[int], taken: int) -> bool:
        """Does it hold for a step?"""
        found = taken in self.commands if self.what == "moved" else any(c in self.commands for c in enabled)
        return found != self.negated


Meaning: TypeAlias = Expr | StepTest
"""What a proposition may mean."""


@dataclass(frozen=True, slots=True)
class Assign:
    """Store `value` in a variable; `index` is given exactly when the variable is an array."""

    variable: int
    index: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the state vector. `length` is None for a scalar.

    `values` names the values 0, 1, … of a program counter, so that `P.wait` and `P == wait` can be understood.
    """

    name: str
    type: Type
    length: int | None = None
    initial: tuple[int, ...] = (0,)
    values: tuple[str, ...] = ()

    @property
    def bits(self) -> int:
        """Its bits in the state vector."""
        return self.type.bits * (self.length or 1)


@dataclass(frozen=True, slots=True)
class Message:
    """What a command passes on: to another process, into a buffer, or out of one. Values are of the old state."""

    channel: str
    way: Literal["passed", "sent", "received"]
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A guarded command. `name` is what a counterexample shows.

    `processes` are those that take part in it, by name, the one that begins it first; none where a language has none.
    `lines` are where that is written, one for each process, as far as the language has lines.
    """

    name: str
    at: tuple[tuple[int, int], ...]
    guard: Expr | None
    transfer: tuple[Assign, ...]
    effects: tuple[Assign, ...]
    processes: tuple[str, ...] = ()
    least: tuple[tuple[int, int], ...] = ()
    """Variables that must have at least a value, which is above zero."""
    lines: tuple[int, ...] = ()
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Assertion:
    """A condition that must not be zero in a state where the variables of `at` have the given values.

    `expression` is the condition as it is written, and `line` where.
    """

    name: str
    at: tuple[tuple[int, int], ...]
    condition: Expr
    expression: str = ""
    line: int | None = None

    def __str__(self) -> str:
        return self.name if self.line is None else f"{self.name} (line {self.line})"


@dataclass(frozen=True)
class Model:
    """A model in guarded-command form. `constants` are names that propositions may use besides the variables.

    Variables of less than a byte come last, the larger ones first, so that none is in two bytes.

    Where `widens`, an overflow is no error of the model: the variable gets a wider type, and all begins again.
    """

    name: str
    variables: tuple[Variable, ...]
    commands: tuple[Command, ...]
    tables: tuple[tuple[int, ...], ...] = ()
    shared: tuple[Expr, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    constants: dict[str, Expr] = field(default_factory=dict)
    overflow_is_error: bool = False
    widens: bool = False

    def is_checked(self, assign: Assign) -> bool:
        """Must what is stored be looked at, whether it fits? It fits where it is a number that does."""
        kind = self.variables[assign.variable].type
        if kind is Type.INT32 or not (self.overflow_is_error or self.widens or kind is Type.COUNT32):
            return False
        return not (isinstance(assign.value, Const) and kind.low <= assign.value.value <= kind.high)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each variable begins in the state vector: the byte, or the bit of one that is less than a byte."""
        offsets, total = [], 0
        for variable in self.variables:
            assert total % min(variable.type.bits, 8) == 0, variable
            offsets.append(total if variable.type.is_small else total // 8)
            total += variable.bits
        return tuple(offsets)

    @cached_property
    def width(self) -> int:
        """Bytes of a state vector."""
        return (sum(variable.bits for variable in self.variables) + 7) // 8

    @cached_property
    def table_offsets(self) -> tuple[int, ...]:
        """The element at which each constant table begins when they stand one after the other."""
        return tuple(accumulate((len(table) for table in self.tables), initial=0))

    @cached_property
    def index(self) -> dict[str, int]:
        """The variables by name."""
        return {variable.name: i for i, variable in enumerate(self.variables)}

    @cached_property
    def named_commands(self) -> dict[str, list[Command]]:
        """The commands by name."""
        found: dict[str, list[Command]] = {}
        for command in self.commands:
            found.setdefault(command.name, []).append(command)
        return found

    @cached_property
    def processes(self) -> dict[str, tuple[int, ...]]:
        """For each process, the commands in which it takes part."""
        found: dict[str, list[int]] = {}
        for number, command in enumerate(self.commands):
            for process in dict.fromkeys(command.processes):
                found.setdefault(process, []).append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    @cached_property
    def odd_names(self) -> frozenset[str]:
        """The names of variables, constants and commands that are no words."""
        return odd_names([*self.index, *self.constants, *self.named_commands])


def conjuncts_of(expr: Expr | None) -> Iterator[Expr]:
    """Yield the parts of a conjunction, from left to right."""
    pending = [] if expr is None else [expr]
    while pending:
        current = pending.pop()
        if isinstance(current, Binary) and current.operator == "and":
            pending += [current.right, current.left]
        else:
            yield current


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct subexpressions."""
    if isinstance(expr, Binary):
        return (expr.left, expr.right)
    if isinstance(expr, Unary):
        return (expr.operand,)
    if isinstance(expr, Element | Lookup):
        return (expr.index,)
    return ()


Result = TypeVar("Result")


def fold(expr: Expr, combine: Callable[[Expr, list[Result]], Result]) -> Result:
    """Combine the results of the subexpressions bottom-up; no expression is too deep for Python's stack."""
    order, pending = [], [expr]
    while pending:
        current = pending.pop()
        order.append(current)
        pending.extend(children(current))
    results: list[Result] = []
    for current in reversed(order):
        arity = len(children(current))
        operands = results[len(results) - arity :]
        results[len(results) - arity :] = [combine(current, operands)]
    return results[0]


def variables_read(model: Model, expr: Expr) -> Iterator[int]:
    """Yield the variables an expression reads, those of shared expressions included."""
    pending = [expr]
    while pending:
        current = pending.pop()
        if isinstance(current, Read | Element):
            yield current.variable
        if isinstance(current, Shared):
            pending.append(model.shared[current.index])
        pending.extend(children(current))


@dataclass(frozen=True, slots=True)
class Footprint:
    """The variables a command may read and write."""

    reads: frozenset[int]
    writes: frozenset[int]


def footprint(model: Model, command: Command) -> Footprint:
    """Return the variables that `command` reads and writes."""
    assigns = command.transfer + command.effects
    expressions = [assign.value for assign in assigns] + [a.index for a in assigns if a.index is not None]
    if command.guard is not None:
        expressions.append(command.guard)
    reads = {variable for expr in expressions for variable in variables_read(model, expr)}
    reads.update(variable for variable, _ in command.at + command.least)
    return Footprint(frozenset(reads), frozenset(assign.variable for assign in assigns))
