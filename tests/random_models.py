"""Random guarded-command models: every operator, type, array, table, fault and assignment.

A model follows from its seed. Expressions are drawn over whatever variables there are, and numbers are small or at an
edge of a type, where overflows, indices out of bounds and divisions by zero happen.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

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
)

BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
UNARY = ["-", "~", "not"]
EDGES = [-(2**31), -32769, -32768, -1, 0, 1, 2, 31, 33, 127, 128, 255, 256, 32767, 65535, 65536, 2**31 - 1]
TABLES = ((3, -7, 0, 2**31 - 1), (1,))
COUNTERS = (Type.WORD, Type.NIBBLE, Type.PAIR, Type.BIT)
"""Types of the second program counter."""
DEEPEST = 3
"""Operators within each other."""


class _Drawn:
    """Draws the parts of one model."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(f"model {seed}")
        self.variables = self._variables()
        self.second = next(i for i, variable in enumerate(self.variables) if variable.name == "Q")
        self.shared: tuple[Expr, ...] = ()
        self.shared = tuple(self.expression() for _ in range(self.rng.randint(0, 2)))

    def _variables(self) -> tuple[Variable, ...]:
        """Draw variables; those of less than a byte come last, the larger ones first."""
        first = Variable("P", Type.BYTE, values=("a", "b", "c"))
        second = Variable("Q", self.rng.choice(COUNTERS), values=("a", "b"))
        others = [self._variable(i) for i in range(self.rng.randint(0, 6))]
        return (first, *sorted([second, *others], key=lambda variable: -min(variable.type.bits, 8)))

    def _variable(self, number: int) -> Variable:
        kind = self.rng.choice(list(Type))
        length = None if kind.is_small else self.rng.choice([None, None, 1, 3])
        initial = [self.rng.choice([0, 1, kind.low, kind.high]) for _ in range(length or 1)]
        return Variable(f"v{number}", kind, length, tuple(initial))

    def _named(self, arrays: bool) -> Sequence[int]:
        return [i for i, variable in enumerate(self.variables) if (variable.length is not None) == arrays]

    def expression(self, depth: int = DEEPEST) -> Expr:
        if depth == 0 or self.rng.random() < 0.35:
            return self._leaf()
        smaller = depth - 1
        match self.rng.randrange(8):
            case 0:
                return Unary(self.rng.choice(UNARY), self.expression(smaller))
            case 1:
                table = self.rng.randrange(len(TABLES))
                return Lookup(table, self._index(len(TABLES[table]), smaller))
            case 2 if arrays := self._named(arrays=True):
                array = self.rng.choice(arrays)
                return Element(array, self._index(self.variables[array].length or 1, smaller))
        operator = self.rng.choice(BINARY)
        divides = operator in "/%" and self.rng.random() < 0.8
        right = Const(self.rng.choice([-1, 1, 2, 3, 7])) if divides else self.expression(smaller)
        return Binary(operator, self.expression(smaller), right)

    def _index(self, length: int, depth: int) -> Expr:
        """An index that is seldom out of bounds: a fault ends the whole step."""
        match self.rng.randrange(8):
            case 0:
                return self.expression(depth)
            case 1 | 2 | 3:
                return Const(self.rng.randrange(length))
        return Binary("%", Binary("&", self.expression(depth), Const(15)), Const(length))

    def _leaf(self) -> Expr:
        if self.shared and self.rng.random() < 0.2:
            return Shared(self.rng.randrange(len(self.shared)))
        if self.rng.random() < 0.5:
            return Read(self.rng.choice(self._named(arrays=False)))
        return Const(self.rng.choice(EDGES) if self.rng.random() < 0.4 else self.rng.randint(-3, 5))

    def assigns(self, most: int) -> tuple[Assign, ...]:
        return tuple(self._assign() for _ in range(self.rng.randint(0, most)))

    def _assign(self) -> Assign:
        variable = self.rng.randrange(len(self.variables))
        length = self.variables[variable].length
        index = None if length is None else self._index(length, DEEPEST - 1)
        return Assign(variable, index, self.expression())

    def tests(self) -> tuple[tuple[int, int], ...]:
        first, second = (0, self.rng.randint(0, 2)), (self.second, self.rng.randint(0, 1))
        return self.rng.choice([(), (first,), (second, first)])

    def command(self) -> Command:
        guard = self.expression() if self.rng.random() < 0.5 else None
        return Command("command", self.tests(), guard, self.assigns(2), self.assigns(3), least=self.needed())

    def needed(self) -> tuple[tuple[int, int], ...]:
        """Draw what a command needs at least: seldom anything, since most of them would never be enabled."""
        scalars, count = self._named(arrays=False), self.rng.choice([0] * 9 + [1, 2])
        return tuple((self.rng.choice(scalars), self.rng.randint(1, 2)) for _ in range(count))

    def assertions(self) -> tuple[Assertion, ...]:
        return (Assertion("assertion", self.tests(), self.expression()),) if self.rng.random() < 0.1 else ()


def random_model(seed: object) -> Model:
    """Return the model of a seed."""
    drawn = _Drawn(seed)
    return Model(
        "random",
        drawn.variables,
        tuple(drawn.command() for _ in range(drawn.rng.randint(1, 5))),
        TABLES,
        drawn.shared,
        drawn.assertions(),
        overflow_is_error=drawn.rng.random() < 0.25,
    )
