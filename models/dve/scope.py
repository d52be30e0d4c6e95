"""The names of a DVE model, and what an expression means in the scope of a process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from lark import Token

from buchi.common.errors import InputError, nearest
from buchi.models.dve import syntax
from buchi.models.expressions import RESERVED, Lowering, Member, Name, Postfix
from buchi.models.guarded import Assign, Binary, Const, Element, Expr, Lookup, Read, Type
from buchi.models.source import Source

_BLANKS = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
MAX_NAME = 255
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A variable."""

    variable: int


@dataclass(frozen=True, slots=True)
class Array:
    """An array variable."""

    variable: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Table:
    """A constant array."""

    table: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """A location of a process."""

    counter: int
    number: int


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel. `types` is None when untyped. A buffer has variables: length and fields."""

    name: str
    types: tuple[Type, ...] | None = None
    capacity: int = 0
    length: int = -1
    fields: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProcessName:
    """A process; `scope` is None for the property process, which nothing can read."""

    scope: Scope | None


Symbol: TypeAlias = Scalar | Array | Constant | Table | Location | Channel | ProcessName

_KINDS = {
    Scalar: "a variable",
    Array: "an array",
    Constant: "a constant",
    Table: "a constant array",
    Location: "a location",
    Channel: "a channel",
    ProcessName: "a process",
}


def kind(symbol: Symbol) -> str:
    """Return what a message calls a symbol."""
    return _KINDS[type(symbol)]


@dataclass
class Scope:
    """The names declared in one place. A process sees those of its `outer` scope too, unless it hides them.

    DiVinE's manual forbids hiding; BEEM's pgm_protocol and production_cell do it.
    """

    source: Source
    name: str = ""
    outer: Scope | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)

    def declare(self, name: Token, symbol: Symbol) -> None:
        """Add a name. Raises InputError where it is taken."""
        if name.value in RESERVED:
            raise self.source.error(f"{name} is a word of the language and cannot be a name", name)
        if len(name) > MAX_NAME:
            raise self.source.error(f"a name has at most {MAX_NAME} characters", name)
        if name.value in self.symbols:
            hint = f"the first declaration is in line {self.tokens[name.value].line}"
            raise self.source.error(f"{name} is declared twice", name, hint)
        self.symbols[name.value] = symbol
        self.tokens[name.value] = name

    def find(self, name: Token) -> Symbol:
        """Return what a name means here. Raises InputError where it means nothing."""
        for scope in self._chain():
            if name.value in scope.symbols:
                return scope.symbols[name.value]
        known = [known for scope in self._chain() for known in scope.symbols]
        raise self.source.error(f"unknown name {name}", name, nearest(name, known))

    def location(self, name: Token) -> int:
        """Return the number of a location of this process."""
        symbol = self.symbols.get(name.value)
        if isinstance(symbol, Location):
            return symbol.number
        known = [known for known, symbol in self.symbols.items() if isinstance(symbol, Location)]
        raise self.source.error(f"process {self.name} has no location {name}", name, nearest(name, known))

    def member(self, member: Member) -> Symbol:
        """Return what `P.x` means."""
        process = self.find(member.process)
        if not isinstance(process, ProcessName):
            raise self.source.error(f"{member.process} is {kind(process)}, not a process", member.process)
        if process.scope is None:
            raise self.source.error(
                f"{member.process} is the property process and cannot be read", member.process
            )
        symbol = process.scope.symbols.get(member.name.value)
        if symbol is None:
            hint = nearest(member.name, process.scope.symbols)
            raise self.source.error(f"process {member.process} has no {member.name}", member.name, hint)
        return symbol

    def _chain(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Names(Lowering):
    """Expressions, constants and assignments in a scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope.source)
        self.scope = scope

    def written(self, start: int, end: int) -> str:
        """Return a part of the text on one line, without its comments."""
        return _BLANKS.sub(" ", self.source.text[start:end]).strip()

    def scalar(self, leaf: Name) -> Expr:
        """Return the value of a name or of `P.x`; an array alone is its first element (BEEM's train-gate)."""
        symbol = self._find(leaf)
        if isinstance(symbol, Scalar):
            return Read(symbol.variable)
        if isinstance(symbol, Constant):
            return Const(symbol.value)
        if isinstance(symbol, Array | Table):
            return self.element(leaf, Const(0))
        if isinstance(symbol, Location) and isinstance(leaf, Member):
            return Binary("==", Read(symbol.counter), Const(symbol.number))
        raise self._misuse(leaf, symbol)

    def element(self, array: Name, index: Expr) -> Expr:
        """Return the value of an element; folded where a constant array is read at a number."""
        symbol = self._find(array)
        if isinstance(symbol, Array):
            return Element(symbol.variable, index)
        if not isinstance(symbol, Table):
            raise self._error(f"{array} is {kind(symbol)}, not an array", array)
        if isinstance(index, Const) and 0 <= index.value < len(symbol.values):
            return Const(symbol.values[index.value])
        return Lookup(symbol.table, index)

    def constant(self, postfix: Postfix, what: str, at: Token) -> int:
        """Return the number an expression over constants stands for."""
        value = self.lower(postfix)
        if not isinstance(value, Const):
            raise self._error(f"{what} of {at} must be a constant expression that can be computed", at)
        return value.value

    def assign(self, target: syntax.Target, value: Expr) -> Assign:
        """Return the assignment of `value` to a target."""
        symbol = self.scope.find(target.name)
        if isinstance(symbol, Scalar) and target.index is None:
            return Assign(symbol.variable, None, value)
        if isinstance(symbol, Array):
            index = Const(0) if target.index is None else self.lower(target.index)
            return Assign(symbol.variable, index, value)
        if isinstance(symbol, Scalar):
            raise self._error(f"{target.name} is a variable, not an array", target.name)
        raise self._error(f"{target.name} is {kind(symbol)} and cannot be assigned here", target.name)

    def _find(self, leaf: Name) -> Symbol:
        return self.scope.member(leaf) if isinstance(leaf, Member) else self.scope.find(leaf)

    def _misuse(self, leaf: Name, symbol: Symbol) -> InputError:
        hints = {
            Location: f"to ask whether the process is there, write {self.scope.name}.{leaf}",
            ProcessName: f"to ask where it is, write {leaf}.LOCATION",
        }
        return self._error(f"{leaf} is {kind(symbol)}, not a value", leaf, hints.get(type(symbol)))

    def _error(self, message: str, leaf: Name, suggestion: str | None = None) -> InputError:
        return self.source.error(message, leaf.name if isinstance(leaf, Member) else leaf, suggestion)
