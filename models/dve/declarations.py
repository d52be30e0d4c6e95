"""Declarations to variables, constants, tables and channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lark import Token

from buchi.common.errors import InputError, Place, nearest
from buchi.models.dve import syntax
from buchi.models.dve.scope import Array, Channel, Constant, Location, Names, Scalar, Scope, Table
from buchi.models.expressions import Postfix
from buchi.models.guarded import Const, Expr, Lookup, Type, Variable
from buchi.models.source import Source

TYPES = {"byte": Type.BYTE, "int": Type.INT16}
MAX_LENGTH = 65535
"""Elements of an array, capacity of a channel, locations of a process."""
MAX_WIDTH = 1 << 20
"""Bytes of a state, and elements of all constant arrays."""


@dataclass
class Declarations:
    """Collects what is declared, in order."""

    source: Source
    overflow_is_error: bool
    given: Mapping[str, int] = field(default_factory=dict)
    """Values of constants that take the place of those in the text."""
    variables: list[Variable] = field(default_factory=list)
    tables: list[tuple[int, ...]] = field(default_factory=list)
    constants: dict[str, Expr] = field(default_factory=dict)
    width: int = 0
    table_size: int = 0

    def declare(self, declaration: syntax.Declaration, scope: Scope) -> None:
        """Declare variables, constants or channels."""
        if isinstance(declaration, syntax.Channels):
            self._channels(declaration, scope)
            return
        for item in declaration.items:
            if declaration.constant:
                self._constant(item, TYPES[declaration.type.value], scope)
            else:
                self._variable(item, TYPES[declaration.type.value], scope)

    def process(self, process: syntax.Process, scope: Scope) -> int:
        """Declare the program counter of a process and its locations; return the variable."""
        if len(process.locations) > MAX_LENGTH:
            raise self.source.error(f"a process has at most {MAX_LENGTH} locations", process.name)
        for number, name in enumerate(process.locations):
            scope.declare(name, Location(len(self.variables), number))
        kind = Type.BYTE if len(process.locations) <= 256 else Type.WORD
        names = tuple(name.value for name in process.locations)
        initial = (scope.location(process.initial),)
        return self._add(Variable(process.name.value, kind, None, initial, names), process.name)

    def _add(self, variable: Variable, name: Token) -> int:
        self.width += variable.bits // 8
        if self.width > MAX_WIDTH:
            raise self.source.error(f"with {name}, a state takes more than {MAX_WIDTH} bytes", name)
        self.variables.append(variable)
        return len(self.variables) - 1

    def _variable(self, item: syntax.Item, kind: Type, scope: Scope) -> None:
        length, values = self._values(item, kind, scope)
        index = self._add(Variable(_full_name(item.name, scope), kind, length, values), item.name)
        scope.declare(item.name, Scalar(index) if length is None else Array(index))

    def _constant(self, item: syntax.Item, kind: Type, scope: Scope) -> None:
        """Declare a constant. An array stands among `Model.constants` as the lookup of its first element."""
        if item.initial is None:
            raise self.source.error(
                f"the constant {item.name} has no value", item.name, f"write {item.name} = 0"
            )
        length, values = self._values(item, kind, scope)
        name = _full_name(item.name, scope)
        if length is None:
            value = self._given(name, kind, values[0])
            scope.declare(item.name, Constant(value))
            self.constants[name] = Const(value)
        else:
            scope.declare(item.name, Table(len(self.tables), values))
            self.constants[name] = Lookup(len(self.tables), Const(0))
            self.tables.append(values)
            self.table_size += length
            if self.table_size > MAX_WIDTH:
                message = f"with {item.name}, constant arrays have more than {MAX_WIDTH} elements"
                raise self.source.error(message, item.name)

    def _given(self, name: str, kind: Type, written: int) -> int:
        """Return the value of a constant: the one that is given, or else the one that is written."""
        value = self.given.get(name, written)
        if not kind.low <= value <= kind.high:
            raise self._misgiven(
                f"{value} does not fit in {name}", f"give a number from {kind.low} to {kind.high}"
            )
        return value

    def check_given(self) -> None:
        """Refuse values of what is no constant with one value, once all is declared. Raises InputError."""
        scalars = [name for name, value in self.constants.items() if isinstance(value, Const)]
        for name in self.given:
            if name in scalars:
                continue
            if name in self.constants:
                raise self._misgiven(f"{name} is a constant array, and only single constants can be given")
            if any(variable.name == name for variable in self.variables):
                raise self._misgiven(f"{name} is no constant", "declare it as const to give it a value")
            hint = nearest(name, scalars) or (f"it has {', '.join(scalars[:5])}" if scalars else None)
            raise self._misgiven(f"the model has no constant {name}", hint)

    def _misgiven(self, message: str, suggestion: str | None = None) -> InputError:
        return InputError(message, Place(self.source.name), suggestion)

    def _values(self, item: syntax.Item, kind: Type, scope: Scope) -> tuple[int | None, tuple[int, ...]]:
        """Return the length of an array (None: a scalar) and the initial values."""
        names, initial = Names(scope), item.initial
        if isinstance(initial, syntax.Braces) != (item.size is not None) and initial is not None:
            need = "values in braces" if item.size is not None else "one value, without braces"
            raise self.source.error(f"{item.name} needs {need}", item.name)
        given = initial.values if isinstance(initial, syntax.Braces) else [initial] if initial else []
        values = [
            self._fit(names.constant(value, "the value", item.name), kind, item.name) for value in given
        ]
        if item.size is None:
            return None, tuple(values) or (0,)
        length = self._length(item.name, item.size, "the size", 1, scope)
        if any(values[length:]):  # BEEM's anderson writes one zero too many
            raise self.source.error(f"{item.name} has {length} elements but {len(values)} values", item.name)
        return length, tuple(values[:length]) + (0,) * (length - len(values))

    def _fit(self, value: int, kind: Type, name: Token) -> int:
        if self.overflow_is_error and not kind.low <= value <= kind.high:
            raise self.source.error(f"{value} does not fit in {name} ({kind.low} to {kind.high})", name)
        return kind.wrap(value)

    def _length(self, name: Token, size: Postfix, what: str, least: int, scope: Scope) -> int:
        length = Names(scope).constant(size, what, name)
        if not least <= length <= MAX_LENGTH:
            raise self.source.error(
                f"{what} of {name} is {length}, not within {least} and {MAX_LENGTH}", name
            )
        return length

    def _channels(self, declaration: syntax.Channels, scope: Scope) -> None:
        types = None if declaration.types is None else tuple(TYPES[name.value] for name in declaration.types)
        for name, size in declaration.items:
            capacity = 0 if size is None else self._length(name, size, "the capacity", 0, scope)
            scope.declare(name, self._channel(name, types, capacity))

    def _channel(self, name: Token, types: tuple[Type, ...] | None, capacity: int) -> Channel:
        if capacity == 0 or types is None:
            return Channel(name.value, types)
        kind = Type.BYTE if capacity <= Type.BYTE.high else Type.WORD
        length, empty = self._add(Variable(f"{name}.length", kind), name), (0,) * capacity
        fields = tuple(
            self._add(Variable(f"{name}.{i}", kind, capacity, empty), name) for i, kind in enumerate(types)
        )
        return Channel(name.value, types, capacity, length, fields)


def _full_name(name: Token, scope: Scope) -> str:
    return f"{scope.name}.{name}" if scope.name else name.value
