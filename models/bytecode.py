"""Guarded commands as programs for the engine's interpreter (`engine/bytecode.hpp`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models.guarded import (
    Assign,
    Binary,
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

STACK_DEPTH = 1024  # as in engine/bytecode.hpp

Code: TypeAlias = list[int]


class Op(IntEnum):
    """The operations, numbered as in the engine."""

    END = 0
    CONST = 1
    LOAD = 2
    LOAD_ELEMENT = 3
    LOOKUP = 4
    SHARED = 5
    STORE = 6
    STORE_ELEMENT = 7
    RANGE = 8
    NEGATE = 9
    COMPLEMENT = 10
    NOT = 11
    ADD = 12
    SUBTRACT = 13
    MULTIPLY = 14
    DIVIDE = 15
    REMAINDER = 16
    BIT_AND = 17
    BIT_OR = 18
    BIT_XOR = 19
    SHIFT_LEFT = 20
    SHIFT_RIGHT = 21
    EQUAL = 22
    NOT_EQUAL = 23
    LESS = 24
    LESS_EQUAL = 25
    GREATER = 26
    GREATER_EQUAL = 27
    JUMP_IF_ZERO = 28
    JUMP_IF_NOT_ZERO = 29
    TRUTH = 30
    BYTE_EQUALS = 31


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

    def _parts(self, expr: Expr) -> list[Expr | _Step]:
        """Return what computes `expr`: its operands and the instructions, in order."""
        offsets, variables = self.model.offsets, self.model.variables
        match expr:
            case Const(value):
                return [_Step((Op.CONST, value), +1)]
            case Read(variable):
                return [_Step((Op.LOAD, TYPES[variables[variable].type], offsets[variable]), +1)]
            case Element(variable, Const(index)) if 0 <= index < (variables[variable].length or 1):
                kind = variables[variable].type
                return [_Step((Op.LOAD, TYPES[kind], offsets[variable] + index * kind.size), +1)]
            case Element(variable, index):
                array = variables[variable]
                return [
                    index,
                    _Step((Op.LOAD_ELEMENT, TYPES[array.type], offsets[variable], array.length or 1), 0),
                ]
            case Lookup(table, index):
                start = self.model.table_offsets[table]
                return [index, _Step((Op.LOOKUP, start, len(self.model.tables[table])), 0)]
            case Shared(index):
                return [_Step((Op.SHARED, index), +1)]
            case Unary(operator, operand):
                return [operand, _Step((UNARY[operator],), 0)]
            case Binary("==", Read(variable), Const(value)) if self._is_byte(variable, value):
                return [_Step((Op.BYTE_EQUALS, *self._bits(variable, value)), +1)]
            case Binary(operator, left, right) if operator in LAZY:
                jump = _Jump((LAZY[operator], 0), -1)
                return [left, jump, right, _Step((Op.TRUTH,), 0), _Land(jump)]
            case Binary(operator, left, right):
                return [left, right, _Step((BINARY[operator],), -1)]

    def _is_byte(self, variable: int, value: int) -> bool:
        """Is a variable, with this value, in one byte?"""
        kind = self.model.variables[variable].type
        return kind.bits <= 8 and kind.low <= value <= kind.high

    def _bits(self, variable: int, value: int) -> tuple[int, int, int]:
        """Return a byte, those of its bits that are the variable's, and what they are for a value."""
        kind, offset = self.model.variables[variable].type, self.model.offsets[variable]
        if not kind.is_small:
            return offset, kind.high, value
        return offset // 8, kind.high << offset % 8, value << offset % 8

    def assignment(self, assign: Assign) -> None:
        variable = self.model.variables[assign.variable]
        place = (TYPES[variable.type], self.model.offsets[assign.variable])
        if assign.index is not None:
            self.expression(assign.index)
        self.expression(assign.value)
        if self.model.is_checked(assign):
            _Step((Op.RANGE, variable.type.low, variable.type.high), 0).write(self)
        if assign.index is None:
            _Step((Op.STORE, *place), -1).write(self)
        else:
            _Step((Op.STORE_ELEMENT, *place, variable.length or 1), -2).write(self)

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


def compile_expression(model: Model, expr: Expr) -> Code:
    """Return the program of an expression."""
    writer = _Writer(model)
    writer.expression(expr)
    return writer.finish()


def compile_assignments(model: Model, assigns: tuple[Assign, ...]) -> Code:
    """Return the program of assignments carried out one after the other."""
    writer = _Writer(model)
    for assign in assigns:
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
    commands = [
        (
            tests(command.at),
            place(compile_expression(model, command.guard)) if command.guard is not None else -1,
            place(compile_assignments(model, command.transfer)) if command.transfer else -1,
            place(compile_assignments(model, command.effects)) if command.effects else -1,
            tests(command.least),
        )
        for command in model.commands
    ]
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
