"""Expressions as text: parsed into postfix order, then lowered to guarded expressions by who knows the names.

Postfix order (operands before their operator) makes every walk a plain loop: an expression of thousands of
terms or parentheses cannot exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from lark import Token, Transformer

from buchi.common.errors import InputError
from buchi.models import arithmetic
from buchi.models.guarded import BinaryOperator, Const, Expr, UnaryOperator, fold
from buchi.models.source import Source

GRAMMAR: Final = Path(__file__).with_name("expressions.lark").read_text(encoding="utf-8")
"""The rules of expressions, to stand in front of the grammar that uses them."""

RESERVED: Final = frozenset({"true", "false", "and", "or", "not", "imply"})


@dataclass(frozen=True, slots=True)
class Member:
    """`process.name` or `process->name`."""

    process: Token
    name: Token

    def __str__(self) -> str:
        return f"{self.process}.{self.name}"


@dataclass(frozen=True, slots=True)
class Call:
    """`fireable(t, u)` or `tokens(p, q)`."""

    function: Token
    names: tuple[Token | Member, ...]

    def __str__(self) -> str:
        return f"{self.function}…)"


@dataclass(frozen=True, slots=True)
class Index:
    """Takes the operand before it as an index into `array`."""

    array: Token | Member


Name: TypeAlias = Token | Member
Leaf: TypeAlias = Name | Call
Postfix: TypeAlias = list["Token | Member | Call | Index | Postfix"]
"""Operands before their operators. A long part stands as a list of its own: copying it again and again adds up."""


def token_of(leaf: Leaf) -> Token:
    """Return the token at which a leaf begins."""
    if isinstance(leaf, Member):
        return leaf.process
    return leaf.function if isinstance(leaf, Call) else leaf


MAX_DEPTH: Final = 20_000
"""Operators within each other, as in a sum of so many terms: what replays counterexamples nests as deep as that."""
MAX_PENDING: Final = 1000
"""Operands that wait for their operator; the engine's interpreter has room for a few more."""
_SHORT: Final = 16

_SPELLINGS: Final[dict[str, BinaryOperator]] = {
    **{operator: operator for operator in arithmetic.BINARY},
    "&&": "and",
    "||": "or",
}
_PREFIXES: Final[dict[str, UnaryOperator]] = {"-": "-", "~": "~", "!": "not", "not": "not"}

_LEVELS: Final = [
    ["imply"], ["or", "||"], ["and", "&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="],
    ["<<", ">>"], ["+", "-"], ["*", "/", "%"],
]  # fmt: skip
"""Binary operators from loose to tight; all associate to the left, `imply` too."""
_LEVEL: Final = {spelling: level for level, spellings in enumerate(_LEVELS) for spelling in spellings}
_PREFIX_LEVEL: Final = len(_LEVELS)


class ExpressionBuilder(Transformer[Token, Any]):
    """Turns the rules of `expressions.lark` into postfix order while the text is being parsed."""

    def member(self, children: list[Token]) -> Member:
        """`P.x`."""
        return Member(*children)

    def call(self, children: list[Any]) -> Call:
        """`fireable(t)`."""
        return Call(children[0], tuple(children[1:]))

    def index(self, children: list[Any]) -> Postfix:
        """`a[i]`."""
        array, postfix = children
        postfix.append(Index(array))
        return postfix  # type: ignore[no-any-return]

    def expression(self, children: list[Any]) -> Postfix:
        """Order operands and operators by precedence (Dijkstra's shunting yard)."""
        output: Postfix = []
        waiting: list[tuple[int, Token]] = []
        for child in children:
            if type(child) is list:  # a parenthesis or an element, in postfix order already
                if not output:
                    output = child
                elif len(child) <= _SHORT:
                    output += child
                else:
                    output.append(child)
            elif isinstance(child, Member | Call):
                output.append(child)
            elif child.type == "OPERATOR":
                level = _LEVEL[child.value]
                while waiting and waiting[-1][0] >= level:
                    output.append(waiting.pop()[1])
                waiting.append((level, child))
            elif child.type == "PREFIX":
                waiting.append((_PREFIX_LEVEL, child))
            else:
                output.append(child)
        output.extend(operator for _, operator in reversed(waiting))
        return output


def _flat(postfix: Postfix) -> Iterator[Leaf | Index]:
    """Yield the items of a postfix order one by one."""
    pending = [iter(postfix)]
    while pending:
        for item in pending[-1]:
            if isinstance(item, list):
                pending.append(iter(item))
                break
            yield item
        else:
            pending.pop()


def _depth(expr: Expr) -> int:
    return fold(expr, lambda _, depths: 1 + max(depths, default=0))


class Lowering:
    """Turns postfix order into guarded expressions. A subclass says what the names mean.

    `size` counts what has been lowered.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.size = 0

    def scalar(self, leaf: Name) -> Expr:
        """Return the value of a name that stands alone."""
        raise NotImplementedError

    def call(self, call: Call) -> Expr:
        """Return the value of a call."""
        raise NotImplementedError

    def element(self, array: Name, index: Expr) -> Expr:
        """Return the value of an element."""
        raise NotImplementedError

    def lower(self, postfix: Postfix) -> Expr:
        """Return the guarded expression. Raises InputError."""
        stack: list[Expr | Leaf] = []
        before = self.size
        for item in _flat(postfix):
            self.size += 1
            stack.append(self._applied(item, stack))
            if len(stack) > MAX_PENDING:
                raise self._too_deep(MAX_PENDING, item)
        expr = self.value(stack.pop())
        if self.size - before > MAX_DEPTH and _depth(expr) > MAX_DEPTH:
            raise self._too_deep(MAX_DEPTH, item)
        return expr

    def _applied(self, item: Leaf | Index, stack: list[Expr | Leaf]) -> Expr | Leaf:
        """Return what an operator makes of the operands before it; a leaf is left as it is."""
        if isinstance(item, Index):
            return self.element(item.array, self.value(stack.pop()))
        if isinstance(item, Member | Call):
            return item
        if item.type == "OPERATOR":
            right = stack.pop()
            return self.binary(item, stack.pop(), right)
        if item.type == "PREFIX":
            return arithmetic.unary(_PREFIXES[item.value], self.value(stack.pop()))
        return item

    def _too_deep(self, limit: int, item: Leaf | Index) -> InputError:
        leaf = item.array if isinstance(item, Index) else item
        return self.source.error(f"an expression is nested too deeply (the limit is {limit})", token_of(leaf))

    def binary(self, operator: Token, left: Expr | Leaf, right: Expr | Leaf) -> Expr:
        """Apply a binary operator; its operands may still be names."""
        first, second = self.value(left), self.value(right)
        if operator.value == "imply":
            return arithmetic.binary("or", arithmetic.unary("not", first), second)
        return arithmetic.binary(_SPELLINGS[operator.value], first, second)

    def value(self, operand: Expr | Leaf) -> Expr:
        """Return what an operand stands for."""
        if not isinstance(operand, Token):
            return self._computed(operand)
        if operand.type == "NUMBER":
            return Const(self._number(operand))
        if operand.value in ("true", "false"):
            return Const(int(operand.value == "true"))
        return self.scalar(operand)

    def _computed(self, operand: Expr | Member | Call) -> Expr:
        if isinstance(operand, Call):
            return self.call(operand)
        return self.scalar(operand) if isinstance(operand, Member) else operand

    def _number(self, token: Token) -> int:
        value = int(token) if len(token) < 12 else 2**32
        if value >= 2**31:
            raise self.source.error("a number must be below 2147483648", token)
        return value
