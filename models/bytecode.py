"""Guarded commands as programs for the engine's interpreter (`engine/bytecode.hpp`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from buchi import _engine
from buchi.common.errors import InputError
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
    Type,
    Unary,
)
from buchi.models.guards import known_index, taken_apart, turned

STACK_DEPTH = 1024  # as in engine/bytecode.hpp

Code: TypeAlias = list[int]


class Op(IntEnum):
    """The operations, numbered as in the engine."""

    END = 0
    CONST = 1
    LOAD = 2
    LOAD_BYTE = 3
    LOAD_ELEMENT = 4
    LOOKUP = 5
    SHARED = 6
    STORE = 7
    STORE_ELEMENT = 8
    STORE_CONST = 9
    COPY_BYTE = 10
    RANGE = 11
    READ_WRITTEN = 12
    REQUIRE = 13
    REQUIRE_BYTE = 14
    REQUIRE_NOT_BYTE = 15
    JUMP_IF_ZERO = 16
    JUMP_IF_NOT_ZERO = 17
    BYTE_EQUALS = 18
    NEGATE = 19
    COMPLEMENT = 20
    NOT = 21
    TRUTH = 22
    ADD = 23
    SUBTRACT = 24
    MULTIPLY = 25
    DIVIDE = 26
    REMAINDER = 27
    BIT_AND = 28
    BIT_OR = 29
    BIT_XOR = 30
    SHIFT_LEFT = 31
    SHIFT_RIGHT = 32
    EQUAL = 33
    NOT_EQUAL = 34
    LESS = 35
    LESS_EQUAL = 36
    GREATER = 37
    GREATER_EQUAL = 38


TYPES = {Type.BYTE: 0, Type.WORD: 1, Type.INT16: 2, Type.INT32: 3, Type.COUNT32: 3}
TYPES |= {kind: 4 + kind.high for kind in (Type.BIT, Type.PAIR, Type.NIBBLE)}
UNARY = {"-": Op.NEGATE, "~": Op.COMPLEMENT, "not": Op.NOT}
LAZY = {"and": Op.JUMP_IF_ZERO, "or": Op.JUMP_IF_NOT_ZERO}
BINARY = dict(
    zip(
        ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="),
        list(Op)[Op.ADD : Op.GREATER_EQUAL + 1],
        strict=True,
    )
)
WITH_CONST = len(BINARY)
"""What is added to a binary operation whose right operand is a number."""
WITH_BYTE = 2 * len(BINARY)
"""Likewise, a byte."""
OF_BYTE = 2 * len(BINARY)
"""What is added to these where the left operand is a byte, too."""


@dataclass
class _Writer:
    """Writes one program. Works off a list of pending items, so that no expression is too deep for Python's stack."""

    model: Model
    code: Code = field(default_factory=list)
    depth: int = 0
    deepest: int = 0

    def expression(self, expr: Expr) -> None:
        pending: list[Expr | _Step] = [expr]
        while pending:
            item = pending.pop()
            if isinstance(item, _Step):
                item.write(self)
            else:
                pending.extend(reversed(self._parts(item)))

    def guard(self, parts: Sequence[Expr]) -> None:
        """Write a program that ends with zero at the first part of a conjunction that is zero."""
        for number, part in enumerate(parts, 1):
            match turned(part):
                case Binary("==", left, Const(value)) if place := self._bits(left, value):
                    _Step((Op.REQUIRE_BYTE, *place), 0).write(self)
                case Binary("!=", left, Const(value)) if place := self._bits(left, value):
                    _Step((Op.REQUIRE_NOT_BYTE, *place), 0).write(self)
                case Const(value) if value:
                    pass
                case _:
                    self.expression(part)
                    if number < len(parts):
                        _Step((Op.REQUIRE,), -1).write(self)

    def _parts(self, expr: Expr) -> list[Expr | _Step]:
        """Return what computes `expr`: its operands and the instructions, in order."""
        expr = turned(expr)
        match expr:
            case Const(value):
                return [_Step((Op.CONST, value), +1)]
            case Lookup(table, index):
                start = self.model.table_offsets[table]
                return [index, _Step((Op.LOOKUP, start, len(self.model.tables[table])), 0)]
            case Shared(index):
                return [_Step((Op.SHARED, index), +1)]
            case Unary(operator, operand):
                return [operand, _Step((UNARY[operator],), 0)]
            case Binary():
                return self._binary(expr)
            case _:
                return self._load(expr)

    def _load(self, expr: Read | Element) -> list[Expr | _Step]:
        variable, offset = self.model.variables[expr.variable], self.model.offsets[expr.variable]
        if (byte := self._byte(expr)) is not None:
            return [_Step((Op.LOAD_BYTE, byte), +1)]
        if isinstance(expr, Read):
            return [_Step((Op.LOAD, TYPES[variable.type], offset), +1)]
        if (index := known_index(expr.index, variable)) is not None:
            return [_Step((Op.LOAD, TYPES[variable.type], offset + index * variable.type.size), +1)]
        place = (TYPES[variable.type], offset, variable.length or 1)
        return [expr.index, _Step((Op.LOAD_ELEMENT, *place), 0)]

    def _binary(self, expr: Binary) -> list[Expr | _Step]:
        operator, left, right = expr.operator, expr.left, expr.right
        if operator in LAZY:
            jump = _Jump((LAZY[operator], 0), -1)
            truth = [] if _is_truth(right) else [_Step((Op.TRUTH,), 0)]
            return [left, jump, right, *truth, _Land(jump)]
        op = BINARY[operator]
        if isinstance(right, Const):
            if op is Op.EQUAL and (place := self._bits(left, right.value)):
                return [_Step((Op.BYTE_EQUALS, *place), +1)]
            if right.value or op not in (Op.DIVIDE, Op.REMAINDER):
                return self._with(left, op + WITH_CONST, right.value)
        elif (byte := self._byte(right)) is not None:
            return self._with(left, op + WITH_BYTE, byte)
        return [left, right, _Step((op,), -1)]

    def _with(self, left: Expr, op: int, right: int) -> list[Expr | _Step]:
        """Return an operation that has its right operand, and where the left one is a byte that one, too."""
        if (byte := self._byte(left)) is not None:
            return [_Step((op + OF_BYTE, byte, right), +1)]
        return [left, _Step((op, right), 0)]

    def _byte(self, expr: Expr) -> int | None:
        """Return where the byte is that is all of what is read."""
        if not isinstance(expr, Read | Element):
            return None
        variable, offset = self.model.variables[expr.variable], self.model.offsets[expr.variable]
        index = 0 if isinstance(expr, Read) else known_index(expr.index, variable)
        return offset + index if variable.type is Type.BYTE and index is not None else None

    def _bits(self, expr: Expr, value: int) -> tuple[int, int, int] | None:
        """Return a byte, those of its bits that are what is read, and what they are for a value that it may have."""
        if (byte := self._byte(expr)) is not None:
            return (byte, 255, value) if 0 <= value <= 255 else None
        if not isinstance(expr, Read):
            return None
        kind, offset = self.model.variables[expr.variable].type, self.model.offsets[expr.variable]
        if not kind.is_small or not 0 <= value <= kind.high:
            return None
        return offset // 8, kind.high << offset % 8, value << offset % 8

    def assignment(self, assign: Assign) -> None:
        variable = self.model.variables[assign.variable]
        index = 0 if assign.index is None else known_index(assign.index, variable)
        if index is not None:
            self._assignment_to(assign, index)
            return
        assert assign.index is not None
        self.expression(assign.index)
        self._value(assign)
        offset = self.model.offsets[assign.variable]
        _Step((Op.STORE_ELEMENT, TYPES[variable.type], offset, variable.length or 1), -2).write(self)

    def _assignment_to(self, assign: Assign, index: int) -> None:
        """Assign to a place that is known."""
        kind, value = self.model.variables[assign.variable].type, assign.value
        checked = self.model.is_checked(assign)
        place = Read(assign.variable) if assign.index is None else Element(assign.variable, Const(index))
        if isinstance(value, Const) and not checked and (bits := self._bits(place, kind.wrap(value.value))):
            _Step((Op.STORE_CONST, *bits), 0).write(self)
        elif (target := self._byte(place)) is not None and (byte := self._byte(value)) is not None:
            _Step((Op.COPY_BYTE, byte, target), 0).write(self)
        else:
            self._value(assign)
            offset = self.model.offsets[assign.variable] + (index * kind.size if index else 0)
            _Step((Op.STORE, TYPES[kind], offset), -1).write(self)

    def _value(self, assign: Assign) -> None:
        kind = self.model.variables[assign.variable].type
        self.expression(assign.value)
        if self.model.is_checked(assign):
            _Step((Op.RANGE, kind.low, kind.high), 0).write(self)

    def finish(self) -> Code:
        if self.deepest > STACK_DEPTH:
            raise InputError(
                f"an expression is nested too deeply ({self.deepest} levels, the limit is {STACK_DEPTH})"
            )
        return [*self.code, Op.END]


@dataclass
class _Step:
    """An instruction, and by how much it changes the height of the stack."""

    words: tuple[int, ...]
    change: int

    def write(self, writer: _Writer) -> None:
        writer.code.extend(self.words)
        writer.depth += self.change
        writer.deepest = max(writer.deepest, writer.depth)


@dataclass
class _Jump(_Step):
    """A jump whose distance is known when its target has been reached. A jump taken keeps one more value."""

    distance_at: int = -1

    def write(self, writer: _Writer) -> None:
        super().write(writer)
        self.distance_at = len(writer.code) - 1


class _Land(_Step):
    """The target of a jump."""

    def __init__(self, jump: _Jump) -> None:
        super().__init__((), 0)
        self.jump = jump

    def write(self, writer: _Writer) -> None:
        writer.code[self.jump.distance_at] = len(writer.code) - self.jump.distance_at - 1


def _is_truth(expr: Expr) -> bool:
    """Is a value 0 or 1?"""
    match expr:
        case Const(value):
            return value in (0, 1)
        case Unary(operator, _):
            return operator == "not"
        case Binary(operator, _, _):
            return operator in LAZY or BINARY[operator] >= Op.EQUAL
    return False


def compile_expression(model: Model, expr: Expr) -> Code:
    """Return the program of an expression."""
    writer = _Writer(model)
    writer.expression(expr)
    return writer.finish()


def _compile_guard(model: Model, parts: Sequence[Expr]) -> Code:
    writer = _Writer(model)
    writer.guard(parts)
    return writer.finish()


def _compile_assignments(model: Model, command: Command) -> Code:
    """Return the program of what a command does; it begins with the values before, if it has a transfer."""
    writer = _Writer(model)
    for assign in command.transfer:
        writer.assignment(assign)
    if command.transfer and command.effects:
        _Step((Op.READ_WRITTEN,), 0).write(writer)
    for assign in command.effects:
        writer.assignment(assign)
    return writer.finish()


def flat_tables(model: Model) -> list[int]:
    """Return the constant tables one after the other, as programs address them."""
    return [value for table in model.tables for value in table]


def interpreted(model: Model) -> _engine.Model:
    """Return the model as the engine's interpreter runs it."""
    code: Code = []

    def place(program: Code) -> int:
        code.extend(program)
        return len(code) - len(program)

    def tests(at: tuple[tuple[int, int], ...]) -> list[tuple[int, int, int]]:
        return [(TYPES[model.variables[v].type], model.offsets[v], value) for v, value in at]

    shared = [place(compile_expression(model, expr)) for expr in model.shared]
    assertions = [(tests(a.at), place(compile_expression(model, a.condition))) for a in model.assertions]
    commands = []
    for command in model.commands:
        switched, guard = taken_apart(model, command.guard)
        commands.append(
            (
                tests((*command.at[:1], *switched, *command.at[1:])),
                tests(command.least),
                place(_compile_guard(model, guard)) if guard else -1,
                place(_compile_assignments(model, command)) if command.transfer or command.effects else -1,
                bool(command.transfer),
            )
        )
    return _engine.Model.interpreted(
        initial_vector(model), code, flat_tables(model), shared, assertions, commands
    )


def initial_vector(model: Model) -> bytes:
    """Return the packed initial state."""
    vector = bytearray(model.width)
    for variable, offset in zip(model.variables, model.offsets, strict=True):
        kind = variable.type
        if kind.is_small:
            vector[offset // 8] |= variable.initial[0] << offset % 8
            continue
        values = [value.to_bytes(kind.size, "little", signed=kind.low < 0) for value in variable.initial]
        vector[offset : offset + len(values) * kind.size] = b"".join(values)
    return bytes(vector)
