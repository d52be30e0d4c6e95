"""Guarded commands as C: one function that writes all successors of a state (`PostFunction` in `engine/model.hpp`).

A switch over the first test of the commands takes the place of trying them all. A fault leaves the function at once;
the checks cost nothing where an index or a divisor is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

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
    Variable,
    fold,
)


class TooLargeError(Exception):
    """The model is better not given to a compiler; the message says why."""


PRELUDE = """\
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct { int32_t kind, part, index; } fault_t;
enum { DIVISION_BY_ZERO, INDEX_OUT_OF_BOUNDS, OVERFLOWS, ASSERTION };
enum { COMMAND, SHARED, ASSERTION_PART };

#define FAIL(what) do { fault->kind = what; fault->part = PART; fault->index = INDEX; goto failed; } while (0)
#define IN_BOUNDS(i, n) ({ int32_t i_ = (i); if ((uint32_t)i_ >= (uint32_t)(n)) FAIL(INDEX_OUT_OF_BOUNDS); i_; })
#define IN_RANGE(e, low, high) ({ int32_t e_ = (e); if (e_ < (low) || e_ > (high)) FAIL(OVERFLOWS); e_; })
#define DIVIDE(a, b) ({ int32_t a_ = (a), b_ = (b); if (b_ == 0) FAIL(DIVISION_BY_ZERO); b_ == -1 ? -a_ : a_ / b_; })
#define REMAINDER(a, b) ({ int32_t a_ = (a), b_ = (b); if (b_ == 0) FAIL(DIVISION_BY_ZERO); b_ == -1 ? 0 : a_ % b_; })
#define SHIFT_LEFT(a, b) ((int32_t)((uint32_t)(a) << ((b) & 31)))
#define SHIFT_RIGHT(a, b) ((int32_t)(a) >> ((b) & 31))

#define LOADER(name, type) \\
  static inline int32_t name(const uint8_t *p) { type v; memcpy(&v, p, sizeof v); return (int32_t)v; }
LOADER(load_byte, uint8_t)
LOADER(load_word, uint16_t)
LOADER(load_int16, int16_t)
LOADER(load_int32, int32_t)
#define STORER(name, type) \\
  static inline void name(uint8_t *p, int32_t e) { type v = (type)e; memcpy(p, &v, sizeof v); }
STORER(store_byte, uint8_t)
STORER(store_word, uint16_t)
STORER(store_int16, int16_t)
STORER(store_int32, int32_t)
"""

PARAMETERS = (
    "const uint8_t *restrict s, uint8_t *restrict o, size_t stride, fault_t *restrict fault, "
    "const int32_t *shared"
)


class _Text(NamedTuple):
    """An expression in C, and how tightly its outermost operator binds."""

    text: str
    binding: int


ATOM = 20
BINDING = {
    "*": 12, "/": 12, "%": 12, "+": 11, "-": 11, "<": 9, "<=": 9, ">": 9, ">=": 9, "==": 8, "!=": 8,
    "&": 7, "^": 6, "|": 5, "and": 4, "or": 3,
}  # fmt: skip
MACROS = {"<<": "SHIFT_LEFT", ">>": "SHIFT_RIGHT", "/": "DIVIDE", "%": "REMAINDER"}
SPELLING = {"and": "&&", "or": "||"}


@dataclass(frozen=True)
class _Expressions:
    """Writes expressions that read their variables from the vector `base`."""

    model: Model
    base: str

    def text(self, expr: Expr) -> str:
        return fold(expr, self._combine).text

    def _combine(self, expr: Expr, operands: list[_Text]) -> _Text:
        match expr:
            case Const(value):
                return _Text(str(value) if value >= 0 else f"({value + 1} - 1)", ATOM)
            case Read(variable):
                return _Text(self.load(variable, "0"), ATOM)
            case Element(variable, index):
                return _Text(
                    self.load(variable, self.index(index, operands[0].text, self._length(variable))), ATOM
                )
            case Lookup(table, index):
                position = self.index(index, operands[0].text, len(self.model.tables[table]))
                return _Text(f"table{table}[{position}]", ATOM)
            case Shared(index):
                return _Text(f"shared[{index}]", ATOM)
            case Unary(operator, _):
                sign = "!" if operator == "not" else operator
                return _Text(f"{sign}({operands[0].text})", ATOM)
            case Binary(operator, _, right):
                return self._binary(operator, right, *operands)

    def _length(self, variable: int) -> int:
        return self.model.variables[variable].length or 1

    @staticmethod
    def _binary(operator: str, divisor: Expr, left: _Text, right: _Text) -> _Text:
        plain_division = isinstance(divisor, Const) and divisor.value not in (0, -1)
        if operator in MACROS and not (operator in "/%" and plain_division):
            return _Text(f"{MACROS[operator]}({left.text}, {right.text})", ATOM)
        binding = BINDING[operator]
        first = left.text if left.binding >= binding else f"({left.text})"
        second = right.text if right.binding > binding else f"({right.text})"
        return _Text(f"{first} {SPELLING.get(operator, operator)} {second}", binding)

    @staticmethod
    def index(index: Expr, text: str, length: int) -> str:
        """Return an index that is checked unless it is a constant within the bounds."""
        if isinstance(index, Const) and 0 <= index.value < length:
            return str(index.value)
        return f"IN_BOUNDS({text}, {length})"

    def load(self, variable: int, index: str) -> str:
        kind = self.model.variables[variable].type
        return f"load_{kind.name.lower()}({address(self.model, self.base, variable, index)})"


def address(model: Model, base: str, variable: int, index: str) -> str:
    """Return the address of an element of a variable in the vector `base`."""
    size, offset = model.variables[variable].type.size, model.offsets[variable]
    if index.isdigit():
        return f"{base} + {offset + size * int(index)}"
    return f"{base} + {offset} + {size} * {index}"


def c_source(model: Model) -> str:
    """Return the C source of a model."""
    return "\n".join(_lines(model)) + "\n"


def _lines(model: Model) -> Iterator[str]:
    yield PRELUDE
    for i, table in enumerate(model.tables):
        yield f"static const int32_t table{i}[] = {{{', '.join(map(str, table))}}};"
    groups = [list(members) for _, members in groupby(enumerate(model.commands), key=_first_test)]
    for number, group in enumerate(groups):
        yield from _group(model, number, group)
    yield from _entry(model, len(groups))


def _first_test(numbered: tuple[int, Command]) -> int | None:
    at = numbered[1].at
    return at[0][0] if at else None


def _group(model: Model, number: int, group: list[tuple[int, Command]]) -> Iterator[str]:
    """Yield the function of neighbouring commands whose first test is of the same variable.

    It returns the number of successors written; not inlined, as compilers are slow on functions without end.
    """
    yield f"static __attribute__((noinline)) int32_t group{number}({PARAMETERS}) {{"
    yield "int32_t n = 0;"
    variable = _first_test(group[0])
    if variable is None:
        for index, command in group:
            yield from _command(model, index, command, command.at)
    else:
        yield f"switch ({_Expressions(model, 's').load(variable, '0')}) {{"
        by_value = sorted(group, key=lambda numbered: numbered[1].at[0][1])
        for value, members in groupby(by_value, key=lambda numbered: numbered[1].at[0][1]):
            yield f"case {value}:"
            for index, command in members:
                yield from _command(model, index, command, command.at[1:])
            yield "break;"
        yield "}"
    yield "(void)shared; return n;"
    yield "goto failed; failed: return -1;"
    yield "}"


def _command(model: Model, index: int, command: Command, tests: tuple[tuple[int, int], ...]) -> Iterator[str]:
    yield "#undef PART\n#undef INDEX"
    yield f"#define PART COMMAND\n#define INDEX {index}"
    source = _Expressions(model, "s")
    conditions = [f"{source.load(variable, '0')} == {value}" for variable, value in tests]
    if command.guard is not None:
        conditions.append(f"({source.text(command.guard)})")
    yield f"if ({' && '.join(conditions) or '1'}) {{"
    yield f"memcpy(o, s, {model.width});"
    for assign in command.transfer:
        yield _assign(model, assign, source)
    for assign in command.effects:
        yield _assign(model, assign, _Expressions(model, "o"))
    yield "o += stride; ++n;"
    yield "}"


def _assign(model: Model, assign: Assign, reading: _Expressions) -> str:
    variable = model.variables[assign.variable]
    index = "0"
    if assign.index is not None:
        index = reading.index(assign.index, reading.text(assign.index), variable.length or 1)
    value = _stored(model, variable, assign.value, reading)
    return f"store_{variable.type.name.lower()}({address(model, 'o', assign.variable, index)}, {value});"


def _stored(model: Model, variable: Variable, value: Expr, reading: _Expressions) -> str:
    text = reading.text(value)
    if not model.overflow_is_error or variable.type is Type.INT32:
        return text
    return f"IN_RANGE({text}, {variable.type.low}, {variable.type.high})"


def _entry(model: Model, groups: int) -> Iterator[str]:
    yield (
        "int32_t buchi_post(const void *context, const uint8_t *s, uint8_t *o, size_t stride, fault_t *fault) {\n"
        "int32_t total = 0, n; (void)context;"
    )
    reading = _Expressions(model, "s")
    yield f"int32_t shared[{max(1, len(model.shared))}]; (void)shared;"
    for index, expr in enumerate(model.shared):
        yield f"#undef PART\n#undef INDEX\n#define PART SHARED\n#define INDEX {index}"
        yield f"shared[{index}] = {reading.text(expr)};"
    for index, assertion in enumerate(model.assertions):
        yield f"#undef PART\n#undef INDEX\n#define PART ASSERTION_PART\n#define INDEX {index}"
        tests = [f"{reading.load(variable, '0')} == {value}" for variable, value in assertion.at]
        yield f"if ({' && '.join([*tests, f'!({reading.text(assertion.condition)})'])}) FAIL(ASSERTION);"
    for number in range(groups):
        yield f"n = group{number}(s, o, stride, fault, shared);"
        yield "if (n < 0) return -1;"
        yield "total += n; o += (size_t)n * stride;"
    yield "return total;"
    yield "goto failed; failed: return -1;\n}"
