"""Guards as the interpreter takes them: some parts find the commands of a state, the others are programs."""

from __future__ import annotations

from buchi.models.guarded import (
    Binary,
    BinaryOperator,
    Const,
    Element,
    Expr,
    Lookup,
    Model,
    Read,
    Unary,
    Variable,
    conjuncts_of,
    fold,
)

MOST_TESTS = 4
"""Parts of a guard by which commands are found: the interpreter nests as deep as there are some."""
LARGEST = 63
"""The values that these test for: the interpreter keeps a list for each one up to it."""
_MIRRORED: dict[str, BinaryOperator] = {
    "==": "==",
    "!=": "!=",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}


def taken_apart(model: Model, guard: Expr | None) -> tuple[list[tuple[int, int]], list[Expr]]:
    """Return tests that a variable has a value, as commands have them, and the other parts of a guard.

    What may fail is looked at first where it comes first.
    """
    tests: list[tuple[int, int]] = []
    others: list[Expr] = []
    fails = False
    for part in conjuncts_of(guard):
        match turned(part):
            case Binary("==", Read(variable), Const(value)) if (
                0 <= value <= LARGEST and len(tests) < MOST_TESTS and not fails
            ):
                tests.append((variable, value))
            case _:
                others.append(part)
                fails = fails or fold(part, lambda one, parts: any(parts) or _may_fail(model, one))
    return tests, others


def turned(expr: Expr) -> Expr:
    """Return an equal expression in which a comparison is not negated and has its number on the right."""
    match expr:
        case Unary("not", Binary("==", left, right)):
            return turned(Binary("!=", left, right))
        case Unary("not", Binary("!=", left, right)):
            return turned(Binary("==", left, right))
        case Binary(operator, Const() as left, right) if operator in _MIRRORED:
            return expr if isinstance(right, Const) else Binary(_MIRRORED[operator], right, left)
    return expr


def known_index(index: Expr, array: Variable) -> int | None:
    """Return the number that an index is, if it is one of the array's."""
    if isinstance(index, Const) and 0 <= index.value < (array.length or 1):
        return index.value
    return None


def _may_fail(model: Model, expr: Expr) -> bool:
    """May it have no value where its operands have one?"""
    match expr:
        case Element(variable, index):
            return known_index(index, model.variables[variable]) is None
        case Binary("/" | "%", _, right):
            return not isinstance(right, Const) or right.value == 0
    return isinstance(expr, Lookup)
