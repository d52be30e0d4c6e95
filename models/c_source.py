"""Guarded commands as C: one function that writes all successors of a state (`PostFunction` in `engine/model.hpp`).

A switch over the first test of the commands takes the place of trying them all. A fault leaves the function at once;
the checks cost nothing where an index or a divisor is a constant.

No text of a model reaches the source: only numbers do. Compilers are slow on functions without end, so that a function
has a bounded size; what is too large for one of them is not given to a compiler at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

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
    fold,
)

PIECE = 400_000
"""Characters of a function."""
PIECE_COMMANDS = 150
"""Commands of a function: compilers mind their number more than their length. No function of BEEM has more."""
LARGEST = 100_000
"""Characters of a command or an expression."""
DEEPEST = 200
"""Checked operations within each other, such as the indices of `a[a[a[0]]]`."""
WHOLE = 4_000_000
"""Characters of a model, ten times those of BEEM's largest."""
DIRECT_CALLS = 100
"""Groups of commands that are called one by one; more of them are called in a loop."""
RUN = 8
"""Elements in a row from which on they are copied as one block, and commands that one test may pass over."""


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
#define CALL(part) do { \\
    int32_t m_ = part(s, o, stride, c + n, fault, shared); if (m_ < 0) goto failed; \\
    n += m_; o += (size_t)m_ * stride; \\
  } while (0)
#define SHIFT_LEFT(a, b) ((int32_t)((uint32_t)(a) << ((b) & 31)))
#define SHIFT_RIGHT(a, b) ((int32_t)(a) >> ((b) & 31))

#define LOADER(name, type) \\
  static inline int32_t name(const uint8_t *p) { type v; memcpy(&v, p, sizeof v); return (int32_t)v; }
LOADER(load_byte, uint8_t) LOADER(load_word, uint16_t) LOADER(load_int16, int16_t)
LOADER(load_int32, int32_t) LOADER(load_count32, int32_t)
#define STORER(name, type) \\
  static inline void name(uint8_t *p, int32_t e) { type v = (type)e; memcpy(p, &v, sizeof v); }
STORER(store_byte, uint8_t) STORER(store_word, uint16_t) STORER(store_int16, int16_t)
STORER(store_int32, int32_t) STORER(store_count32, int32_t)
#define LOAD_BITS(p, bit, most) (p[bit / 8] >> bit % 8 & most)
#define STORE_BITS(p, bit, most, e) p[bit / 8] = p[bit / 8] & ~(most << bit % 8) | ((e) & most) << bit % 8
"""

PARAMETERS = (
    "const uint8_t *restrict s, uint8_t *restrict o, size_t stride, int32_t *restrict c, "
    "fault_t *restrict fault, const int32_t *shared"
)


class _Text(NamedTuple):
    """An expression in C, how tightly its outermost operator binds, and how many checks are within each other."""

    text: str
    binding: int
    nested: int = 0


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
        checked = isinstance(expr, Element | Lookup) or (isinstance(expr, Binary) and expr.operator in "/%")
        nested = max((operand.nested for operand in operands), default=0) + checked
        made = self._written(expr, operands)
        if nested > DEEPEST or len(made.text) > LARGEST:
            raise TooLargeError("an expression is too large for a compiler")
        return made._replace(nested=nested)

    def _written(self, expr: Expr, operands: list[_Text]) -> _Text:
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
        if kind.is_small:
            return f"LOAD_BITS({self.base}, {self.model.offsets[variable]}, {kind.high})"
        return f"load_{kind.name.lower()}({address(self.model, self.base, variable, index)})"


def address(model: Model, base: str, variable: int, index: str) -> str:
    """Return the address of an element of a variable in the vector `base`."""
    size, offset = model.variables[variable].type.size, model.offsets[variable]
    if index.isdigit():
        return f"{base} + {offset + size * int(index)}"
    return f"{base} + {offset} + {size} * {index}"


def c_source(model: Model) -> str:
    """Return the C source of a model. Raises TooLargeError."""
    lines, size = [], 0
    for line in _lines(model):
        lines.append(line)
        size += len(line)
        if size > WHOLE:
            raise TooLargeError("the model is too large for a compiler")
    return "\n".join(lines) + "\n"


def _lines(model: Model) -> Iterator[str]:
    yield PRELUDE
    for i, table in enumerate(model.tables):
        yield f"static const int32_t table{i}[] = {{{', '.join(map(str, table))}}};"
    groups = [list(members) for _, members in groupby(enumerate(model.commands), key=_first_test)]
    for number, group in enumerate(groups):
        yield from _group(model, number, group)
    checks = 0
    for checks, piece in enumerate(
        _pieces([(0, _assertion(model, i)) for i in range(len(model.assertions))]), 1
    ):
        yield from _function(f"check{checks - 1}", (text for _, text in piece))
    yield from _entry(model, checks, len(groups))


def _first_test(numbered: tuple[int, Command]) -> int | None:
    at = numbered[1].at
    return at[0][0] if at else None


_Piece: TypeAlias = list[tuple[int, str]]
"""Commands as C, each with the value that its first test asks for."""


def _pieces(commands: _Piece) -> Iterator[_Piece]:
    """Cut a list into pieces of bounded size."""
    piece: _Piece = []
    size = 0
    for value, text in commands:
        if piece and (size + len(text) > PIECE or len(piece) == PIECE_COMMANDS):
            yield piece
            piece, size = [], 0
        piece.append((value, text))
        size += len(text)
    if piece:
        yield piece


def _group(model: Model, number: int, group: list[tuple[int, Command]]) -> Iterator[str]:
    """Yield the function of neighbouring commands whose first test is of the same variable."""
    variable = _first_test(group[0])
    tested = "0" if variable is None else _Expressions(model, "s").load(variable, "0")
    by_value = sorted(group, key=lambda numbered: _first_value(numbered[1]))
    pieces = list(_pieces(list(_texts(model, by_value))))
    if len(pieces) == 1:
        yield from _function(f"group{number}", _switch(tested, pieces[0]))
        return
    calls: dict[int, str] = defaultdict(str)
    for i, piece in enumerate(pieces):
        yield from _function(f"group{number}_{i}", _switch(tested, piece))
        for value in {value: None for value, _ in piece}:
            calls[value] += f"CALL(group{number}_{i});"
    yield from _function(f"group{number}", _switch(tested, list(calls.items())))


def _texts(model: Model, group: list[tuple[int, Command]]) -> Iterator[tuple[int, str]]:
    """Yield commands as C; neighbours that all need some of a variable are passed over where there is none of it."""
    for variable, members in groupby(group, key=_first_needed):
        texts = [(_first_value(command), _command(model, i, command)) for i, command in members]
        if variable is None or len(texts) == 1:
            yield from texts
            continue
        needed = _Expressions(model, "s").load(variable, "0")
        for start in range(0, len(texts), RUN):
            inner = "\n".join(text for _, text in texts[start : start + RUN])
            yield 0, f"if ({needed} > 0) {{\n{inner}\n}}"


def _first_needed(numbered: tuple[int, Command]) -> int | None:
    command = numbered[1]
    return command.least[0][0] if command.least and not command.at else None


def _first_value(command: Command) -> int:
    return command.at[0][1] if command.at else 0


def _switch(tested: str, piece: _Piece) -> Iterator[str]:
    yield f"switch ({tested}) {{"
    for value, members in groupby(piece, key=lambda member: member[0]):
        yield f"case {value}:"
        yield from (text for _, text in members)
        yield "break;"
    yield "}"


def _function(name: str, body: Iterable[str]) -> Iterator[str]:
    """Yield a function that returns the number of successors it has written."""
    yield f"static __attribute__((noinline)) int32_t {name}({PARAMETERS}) {{"
    yield "int32_t n = 0;"
    yield from body
    yield "(void)shared; (void)c; return n;"
    yield "goto failed; failed: return -1;"
    yield "}"


def _command(model: Model, index: int, command: Command) -> str:
    text = "\n".join(_command_lines(model, index, command))
    if len(text) > LARGEST:
        raise TooLargeError("a command is too large for a compiler")
    return text


def _command_lines(model: Model, index: int, command: Command) -> Iterator[str]:
    """Yield the lines of a command, without its first test."""
    yield f"#undef PART\n#undef INDEX\n#define PART COMMAND\n#define INDEX {index}"
    source = _Expressions(model, "s")
    conditions = [f"{source.load(variable, '0')} == {value}" for variable, value in command.at[1:]]
    conditions += [f"{source.load(variable, '0')} >= {value}" for variable, value in command.least]
    if command.guard is not None:
        conditions.append(f"({source.text(command.guard)})")
    yield f"if ({' && '.join(conditions) or '1'}) {{"
    yield f"memcpy(o, s, {model.width});"
    yield from _transfers(model, command.transfer, source)
    for assign in command.effects:
        yield _assign(model, assign, _Expressions(model, "o"))
    yield f"o += stride; c[n++] = {index};"
    yield "}"


def _transfers(model: Model, assigns: Sequence[Assign], source: _Expressions) -> Iterator[str]:
    """Yield the transfers; elements that move together, as those of a buffer do, are one block."""
    done = 0
    while done < len(assigns):
        length = _run_length(model, assigns, done)
        if length >= RUN:
            yield _block(model, assigns[done], length)
            done += length
        else:
            yield _assign(model, assigns[done], source)
            done += 1


def _copied(model: Model, assign: Assign) -> tuple[int, int, int, int] | None:
    """Return target and source of an element that is copied as it is: variable and index of each."""
    match assign:
        case Assign(target, Const(to), Element(origin, Const(at))):
            first, second = model.variables[target], model.variables[origin]
            within = 0 <= to < (first.length or 1) and 0 <= at < (second.length or 1)
            return (target, to, origin, at) if within and first.type is second.type else None
    return None


def _run_length(model: Model, assigns: Sequence[Assign], start: int) -> int:
    """Return how many assignments copy neighbouring elements to neighbouring elements."""
    first, length = _copied(model, assigns[start]), 0
    if first is None:
        return 0
    target, to, origin, at = first
    while start + length < len(assigns):
        if _copied(model, assigns[start + length]) != (target, to + length, origin, at + length):
            break
        length += 1
    return length


def _block(model: Model, assign: Assign, length: int) -> str:
    copied = _copied(model, assign)
    assert copied is not None
    target, to, origin, at = copied
    size = length * model.variables[target].type.size
    return f"memcpy({address(model, 'o', target, str(to))}, {address(model, 's', origin, str(at))}, {size});"


def _assign(model: Model, assign: Assign, reading: _Expressions) -> str:
    variable = model.variables[assign.variable]
    index = "0"
    if assign.index is not None:
        index = reading.index(assign.index, reading.text(assign.index), variable.length or 1)
    value = reading.text(assign.value)
    if model.is_checked(assign):
        value = f"IN_RANGE({value}, {variable.type.low}, {variable.type.high})"
    if variable.type.is_small:
        return f"STORE_BITS(o, {model.offsets[assign.variable]}, {variable.type.high}, {value});"
    return f"store_{variable.type.name.lower()}({address(model, 'o', assign.variable, index)}, {value});"


def _assertion(model: Model, index: int) -> str:
    assertion, reading = model.assertions[index], _Expressions(model, "s")
    tests = [f"{reading.load(variable, '0')} == {value}" for variable, value in assertion.at]
    return (
        f"#undef PART\n#undef INDEX\n#define PART ASSERTION_PART\n#define INDEX {index}\n"
        f"if ({' && '.join([*tests, f'!({reading.text(assertion.condition)})'])}) FAIL(ASSERTION);"
    )


def _entry(model: Model, checks: int, groups: int) -> Iterator[str]:
    if groups > DIRECT_CALLS:
        names = ", ".join(f"group{number}" for number in range(groups))
        yield f"static int32_t (*const groups[])({PARAMETERS}) = {{{names}}};"
    yield (
        "int32_t buchi_post(const void *context, const uint8_t *s, uint8_t *o, size_t stride, int32_t *c, "
        "fault_t *fault) {\n"
        "int32_t n = 0; (void)context;"
    )
    reading = _Expressions(model, "s")
    yield f"int32_t shared[{max(1, len(model.shared))}]; (void)shared;"
    for index, expr in enumerate(model.shared):
        yield f"#undef PART\n#undef INDEX\n#define PART SHARED\n#define INDEX {index}"
        yield f"shared[{index}] = {reading.text(expr)};"
    yield from (f"CALL(check{number});" for number in range(checks))
    if groups > DIRECT_CALLS:
        yield f"for (int32_t i = 0; i < {groups}; ++i) CALL(groups[i]);"
    else:
        yield from (f"CALL(group{number});" for number in range(groups))
    yield "return n;"
    yield "goto failed; failed: return -1;\n}"
