"""Propositions in the postfix form of the fast checker (`engine/certify/expression.hpp`)."""

from __future__ import annotations

from itertools import chain

from buchi.common.errors import InputError
from buchi.models.guarded import Binary, Const, Element, Expr, Lookup, Model, Read, Type, Unary, fold

_OPS = [
    "const",
    "load",
    "bits",
    "element",
    "lookup",
    "-",
    "~",
    "not",
    "+",
    "sub",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "if-zero",
    "if-not-zero",
    "truth",
]
_NUMBER = {name: i for i, name in enumerate(_OPS)}
_LAZY = {"and": "if-zero", "or": "if-not-zero"}
_LONGEST = 1 << 20

Code = list[int]


def program(model: Model, expr: Expr) -> Code:
    """Return the program of an expression. Raises InputError for one that is too long."""

    def combine(part: Expr, operands: list[Code]) -> Code:
        code = [*chain(*operands), *_own(model, part)]
        if isinstance(part, Binary) and part.operator in _LAZY:
            left, right = operands
            after = [*right, _NUMBER["truth"]]
            code = [*left, _NUMBER[_LAZY[part.operator]], len(after), *after]
        if len(code) > _LONGEST:
            raise InputError("a proposition is too long for the fast checker")
        return code

    return fold(expr, combine)


def _own(model: Model, part: Expr) -> Code:
    """Return what follows the operands of an expression."""
    match part:
        case Const(value):
            return [_NUMBER["const"], value]
        case Read(variable):
            return _load(model, variable)
        case Element(variable, _):
            length = model.variables[variable].length or 1
            return [_NUMBER["element"], *_place(model, variable), length]
        case Lookup(table, _):
            return [_NUMBER["lookup"], model.table_offsets[table], len(model.tables[table])]
        case Unary(operator, _):
            return [_NUMBER["-"] + ("-", "~", "not").index(operator)]
        case Binary(operator, _, _):
            return [] if operator in _LAZY else [_NUMBER["sub" if operator == "-" else operator]]
    raise InputError("a proposition reads what only commands do")


def _load(model: Model, variable: int) -> Code:
    kind = model.variables[variable].type
    if kind.is_small:
        return [_NUMBER["bits"], model.offsets[variable], kind.high]
    return [_NUMBER["load"], *_place(model, variable)]


def _place(model: Model, variable: int) -> Code:
    """Return the bytes of a variable, whether it has a sign, and where it is."""
    kind: Type = model.variables[variable].type
    return [kind.size, int(kind.low < 0), model.offsets[variable]]
