"""The arithmetic of models: 32-bit signed, wrapping, dividing as C does; and constant folding by it.

Folding never removes what could fail: a division by zero stays in the expression and fails when executed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from buchi.models.guarded import Binary, BinaryOperator, Const, Expr, Unary, UnaryOperator

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
BOOLEAN = COMPARISONS | {"and", "or"}
"""The binary operators that give 0 or 1."""


def wrap32(value: int) -> int:
    """Return `value` as a 32-bit signed number."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def divide(a: int, b: int) -> int:
    """Divide towards zero; the one quotient that does not fit (INT_MIN / -1) wraps."""
    quotient = abs(a) // abs(b)
    return wrap32(quotient if (a < 0) == (b < 0) else -quotient)


def remainder(a: int, b: int) -> int:
    """Return what `divide` leaves; its sign is that of the dividend."""
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


BINARY: dict[BinaryOperator, Callable[[int, int], int]] = {
    "+": lambda a, b: wrap32(a + b),
    "-": lambda a, b: wrap32(a - b),
    "*": lambda a, b: wrap32(a * b),
    "/": divide,
    "%": remainder,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": lambda a, b: wrap32(a << (b & 31)),
    ">>": lambda a, b: a >> (b & 31),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "and": lambda a, b: int(bool(a and b)),
    "or": lambda a, b: int(bool(a or b)),
}

UNARY: dict[UnaryOperator, Callable[[int], int]] = {
    "-": lambda a: wrap32(-a),
    "~": lambda a: ~a,
    "not": lambda a: int(not a),
}


def is_boolean(expr: Expr) -> bool:
    """Is the value always 0 or 1, as its outermost operator shows?"""
    if isinstance(expr, Binary):
        return expr.operator in BOOLEAN
    if isinstance(expr, Unary):
        return expr.operator == "not"
    return isinstance(expr, Const) and expr.value in (0, 1)


def truth(expr: Expr) -> Expr:
    """Return an expression that is 1 where `expr` is not zero, else 0."""
    return expr if is_boolean(expr) else binary("!=", expr, Const(0))


def unary(op: UnaryOperator, operand: Expr) -> Expr:
    """Build a unary expression, folded where the operand is a number."""
    return Const(UNARY[op](operand.value)) if isinstance(operand, Const) else Unary(op, operand)


def binary(op: BinaryOperator, left: Expr, right: Expr) -> Expr:
    """Build a binary expression, folded where the operands decide it without failing."""
    if not isinstance(left, Const):
        return Binary(op, left, right)
    if op in ("and", "or"):
        return Const(int(op == "or")) if bool(left.value) == (op == "or") else truth(right)
    if not isinstance(right, Const) or (right.value == 0 and op in ("/", "%")):
        return Binary(op, left, right)
    return Const(BINARY[op](left.value, right.value))


def conjunction(parts: list[Expr]) -> Expr | None:
    """Join conditions by `and`, in order; None where nothing remains to be tested."""
    joined: Expr = Const(1)
    for part in parts:
        joined = binary("and", joined, part)
    return None if isinstance(joined, Const) and joined.value else joined
