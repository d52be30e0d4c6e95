"""Reference semantics of models in plain Python, independent of the engine that it is compared with.

Each command and expression becomes a Python function the first time it is needed. A function reads the state
`s`, a sequence of all elements of all variables, and for what is shared by all commands the state `old` in which a
step begins.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from buchi.common.errors import ModelRuntimeError
from buchi.models.arithmetic import divide, is_boolean, remainder
from buchi.models.guarded import (
    Assertion,
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
from buchi.schemas.steps import Layout, shown_value

State: TypeAlias = tuple[int, ...]

_MAX_DEPTH = 40
"""Deeper expressions are cut into several functions: Python's compiler bounds how deep parentheses nest."""

_CODES = {Type.BYTE: "B", Type.WORD: "H", Type.INT16: "h", Type.INT32: "i", Type.COUNT32: "i"}


class Evaluator:
    """Executes a model state by state. Raises ModelRuntimeError where the model fails."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._writer = _Writer(model)
        self.layout = _layout(model)
        self._vector = struct.Struct(self.layout.format)
        self._dispatch = _dispatch(model, self._writer.bases)
        self._steps: dict[int, Callable[[State, State], State | None]] = {}
        self._expressions: dict[int, tuple[Expr, Callable[[State, State], int]]] = {}

    def initial(self) -> State:
        """Return the initial state."""
        return tuple(value for variable in self.model.variables for value in _padded(variable))

    def successors(self, state: State) -> list[tuple[int, State]]:
        """Return the enabled commands, in order, with the states they lead to."""
        for expr in self.model.shared:  # a fault counts even where no command needs the value
            self.evaluate(expr, state)
        failed = self.failed_assertion(state)
        if failed is not None:
            raise self._error(f"the assertion {failed} does not hold", state)
        found = []
        for command in self._candidates(state):
            successor = self._step(command, state)
            if successor is not None:
                found.append((command, successor))
        return found

    def failed_assertion(self, state: State) -> Assertion | None:
        """Return the first assertion that does not hold in a state."""
        bases = self._writer.bases
        for assertion in self.model.assertions:
            here = all(state[bases[variable]] == value for variable, value in assertion.at)
            if here and not self.evaluate(assertion.condition, state):
                return assertion
        return None

    def evaluate(self, expr: Expr, state: State) -> int:
        """Return the value of an expression over the model's variables."""
        known = self._expressions.get(id(expr))
        if known is None:  # by identity: hashing a deep expression would exhaust the stack
            known = self._expressions[id(expr)] = (expr, self._writer.expression(expr))
        try:
            return int(known[1](state, state))
        except _FaultError as fault:
            raise self._error(f"{fault} in an expression", state) from None

    def pack(self, state: State) -> bytes:
        """Return the state vector: little-endian, each variable at its offset."""
        return self.layout.pack(state)

    def unpack(self, packed: bytes) -> State:
        """Return the state of a state vector; where it has no small values, in half the time."""
        return self.layout.unpack(packed) if self.layout.small else self._vector.unpack(packed)

    def show(self, state: State) -> dict[str, str]:
        """Return the value of every variable and element, locations by name."""
        return self.layout.show(state)

    def changes(self, before: State, after: State) -> dict[str, str]:
        """Return what `show` gives for `after`, where it differs from `before`."""
        both = zip(before, after, self.layout.elements, strict=True)
        return {name: shown_value(new, names) for old, new, (name, names) in both if old != new}

    def _candidates(self, state: State) -> list[int]:
        """Return the commands whose first test holds, in order."""
        found: list[int] = []
        for slot, commands in self._dispatch:
            found += commands.get(state[slot] if slot >= 0 else 0, ())
        return sorted(found)

    def _step(self, command: int, state: State) -> State | None:
        step = self._steps.get(command)
        if step is None:
            step = self._steps[command] = self._writer.command(self.model.commands[command])
        try:
            return step(state, state)
        except _FaultError as fault:
            raise self._error(f"{fault} in {self.model.commands[command].name}", state) from None

    def _error(self, message: str, state: State) -> ModelRuntimeError:
        return ModelRuntimeError(
            message, ", ".join(f"{name} = {value}" for name, value in self.show(state).items())
        )


class _FaultError(Exception):
    """What went wrong in a step; the evaluator knows where."""


def _fail(what: str) -> NoReturn:
    raise _FaultError(what)


def _index(index: int, length: int) -> int:
    return index if 0 <= index < length else _fail("index out of bounds")


def _quotient(a: int, b: int) -> int:
    return divide(a, b) if b else _fail("division by zero")


def _remainder(a: int, b: int) -> int:
    return remainder(a, b) if b else _fail("division by zero")


def _in_range(value: int, low: int, high: int) -> int:
    return +value if low <= value <= high else _fail("overflow")


def _padded(variable: Variable) -> tuple[int, ...]:
    return variable.initial + (0,) * ((variable.length or 1) - len(variable.initial))


def _elements(variable: Variable) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names of a variable's elements, each with the names of its values."""
    if variable.length is None:
        yield variable.name, variable.values
    else:
        yield from ((f"{variable.name}[{i}]", variable.values) for i in range(variable.length))


def _dispatch(model: Model, bases: Sequence[int]) -> list[tuple[int, dict[int, list[int]]]]:
    """Return the commands by their first test; slot -1 holds those without one, under the value 0."""
    slots: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, command in enumerate(model.commands):
        slot, value = (bases[command.at[0][0]], command.at[0][1]) if command.at else (-1, 0)
        slots[slot][value].append(number)
    return list(slots.items())


class _Piece(NamedTuple):
    """Python source of an expression, and how deep its parentheses nest."""

    source: str
    depth: int


class _Writer:
    """Writes Python functions for the expressions and commands of a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.bases = _bases(model)
        self._shared: dict[int, str] = {}
        self._count = 0
        self._globals: dict[str, Any] = {
            "index": _index,
            "quotient": _quotient,
            "rest": _remainder,
            "in_range": _in_range,
            "tables": model.tables,
        }

    def expression(self, expr: Expr) -> Callable[[State, State], int]:
        """Return a function from states to the value."""
        return self._globals[self._function([f"return {self._source(expr)}"])]  # type: ignore[no-any-return]

    def command(self, command: Command) -> Callable[[State, State], State | None]:
        """Return a function from states to the successor, None where the command is not enabled."""
        tests = [f"s[{self.bases[variable]}] == {value}" for variable, value in command.at[1:]]
        tests += [f"s[{self.bases[variable]}] >= {value}" for variable, value in command.least]
        if command.guard is not None:
            tests.append(self._source(command.guard))
        body = [f"if not ({test}): return None" for test in tests]
        body += self._transfer(command.transfer)
        body += [f"{self._place(assign)} = {self._stored(assign)}" for assign in command.effects]
        return self._globals[self._function([*body, "return tuple(s)"])]  # type: ignore[no-any-return]

    def _transfer(self, assigns: Sequence[Assign]) -> Iterator[str]:
        """Read everything from the old state, then copy it and store."""
        for number, assign in enumerate(assigns):
            yield f"slot{number}, value{number} = {self._slot(assign)}, {self._stored(assign)}"
        yield "s = list(s)"
        yield from (f"s[slot{number}] = value{number}" for number in range(len(assigns)))

    def _place(self, assign: Assign) -> str:
        return f"s[{self._slot(assign)}]"

    def _slot(self, assign: Assign) -> str:
        base = self.bases[assign.variable]
        if assign.index is None:
            return str(base)
        return f"{base} + index({self._source(assign.index)}, {self.model.variables[assign.variable].length})"

    def _stored(self, assign: Assign) -> str:
        """Return the source of a value as the variable stores it."""
        kind, value = self.model.variables[assign.variable].type, assign.value
        if isinstance(value, Const) and kind.low <= value.value <= kind.high:
            return str(value.value)
        source = self._source(value)
        if self.model.is_checked(assign):
            return f"in_range({source}, {kind.low}, {kind.high})"
        return _wrapped(source, kind)

    def _function(self, body: list[str]) -> str:
        """Define a function of the state and return its name."""
        self._count += 1
        name = f"f{self._count}"
        exec(f"def {name}(s, old):\n" + "".join(f" {line}\n" for line in body), self._globals)
        return name

    def _source(self, expr: Expr) -> str:
        return fold(expr, self._piece).source

    def _piece(self, expr: Expr, operands: list[_Piece]) -> _Piece:
        source = self._combine(expr, [operand.source for operand in operands])
        depth = 1 + max((operand.depth for operand in operands), default=0)
        if depth < _MAX_DEPTH:
            return _Piece(source, depth)
        return _Piece(f"{self._function([f'return {source}'])}(s, old)", 1)

    def _combine(self, expr: Expr, operands: list[str]) -> str:
        if isinstance(expr, Const):
            return f"({expr.value})"
        if isinstance(expr, Read):
            return f"s[{self.bases[expr.variable]}]"
        if isinstance(expr, Element):
            length = self.model.variables[expr.variable].length
            return f"s[{self.bases[expr.variable]} + index({operands[0]}, {length})]"
        if isinstance(expr, Lookup):
            return f"tables[{expr.table}][index({operands[0]}, {len(self.model.tables[expr.table])})]"
        if isinstance(expr, Shared):
            return f"{self._shared_function(expr.index)}(old, old)"
        return _unary(expr, operands[0]) if isinstance(expr, Unary) else _binary(expr, *operands)

    def _shared_function(self, index: int) -> str:
        if index not in self._shared:
            self._shared[index] = self._function([f"return {self._source(self.model.shared[index])}"])
        return self._shared[index]


def _layout(model: Model) -> Layout:
    """Return how states are packed: variables of less than a byte come last, and fill one after the other."""
    elements = tuple(element for variable in model.variables for element in _elements(variable))
    codes = (f"{v.length or 1}{_CODES[v.type]}" for v in model.variables if not v.type.is_small)
    small: list[list[int]] = []
    for variable in model.variables:
        if variable.type.is_small:
            if not small or sum(small[-1]) == 8:
                small.append([])
            small[-1].append(variable.type.bits)
    return Layout("<" + "".join(codes), elements, tuple(map(tuple, small)))


def _bases(model: Model) -> list[int]:
    """Return where the elements of each variable begin in a state."""
    bases, total = [], 0
    for variable in model.variables:
        bases.append(total)
        total += variable.length or 1
    return bases


def _wrapped(source: str, kind: Type) -> str:
    mask = (1 << kind.bits) - 1
    return f"({source} & {mask})" if kind.low == 0 else f"(({source} + {-kind.low} & {mask}) - {-kind.low})"


def _unary(expr: Unary, operand: str) -> str:
    return {
        "-": _wrapped(f"-{operand}", Type.INT32),
        "~": f"(~{operand})",
        "not": f"(not {operand})",
    }[expr.operator]


def _binary(expr: Binary, left: str, right: str) -> str:
    operator = expr.operator
    if operator in ("and", "or"):
        first = left if is_boolean(expr.left) else f"({left} != 0)"
        second = right if is_boolean(expr.right) else f"({right} != 0)"
        return f"({first} {operator} {second})"
    if operator in ("/", "%"):
        return f"{'quotient' if operator == '/' else 'rest'}({left}, {right})"
    if operator in ("<<", ">>"):
        shifted = f"({left} {operator} ({right} & 31))"
        return shifted if operator == ">>" else _wrapped(shifted, Type.INT32)
    source = f"({left} {operator} {right})"
    return _wrapped(source, Type.INT32) if operator in ("+", "-", "*") else source
