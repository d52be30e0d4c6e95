"""How deep and how large a formula may be: found in one pass, before Spot, whose recursion follows it.

A formula of 16 000 nested operators exhausts a stack of 8 MB in Spot's translation; one of 8 000 does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from buchi.common.errors import InputError, Place
from buchi.translators.spot_helpers.comparisons import MAX_DEPTH, Token

MAX_SIZE = 1_000_000
"""Operands, with those that bounds such as `F[0:9]` repeat."""

_ASSOCIATIVE = frozenset(["&", "&&", "|", "||", "/\\", "\\/", "+", "*", "∧", "∨", "∩", "∪"])
_LOOSE = frozenset(["->", "-->", "=>", "<->", "<-->", "<=>", "xor", "^", "⊕", "→", "↔", "⇒", "⇔", "⟶", "⟹"])
_NUMBER = re.compile(r"\d+")


@dataclass
class _Group:
    """What is known of a parenthesis that is still open.

    Its parts stand between conjunctions and disjunctions, which have as many operands as they like and
    add two to the depth at most. Of the other operators, those of a part may all stand above each other.
    """

    loose: int = 0
    tight: int = 0
    deepest: int = 0
    part: int = 0
    size: int = 0
    factor: int = 1
    joined: int = 0

    def depth(self) -> int:
        """Return a bound on the depth of the syntax tree."""
        return 1 + self.loose + min(self.joined, 2) + max(self.deepest, self.tight + self.part)

    def operand(self, depth: int, size: int) -> None:
        """Add an operand of the current part."""
        self.part = max(self.part, depth)
        self.size += size * self.factor
        self.factor = 1

    def end_part(self) -> None:
        """Begin the next part."""
        self.deepest = max(self.deepest, self.tight + self.part)
        self.tight = self.part = 0


def check_size(pieces: Iterable[Token]) -> None:
    """Refuse a formula that Spot could not take. Raises InputError."""
    groups = [_Group()]
    for piece in pieces:
        if piece.text == "(" and piece.kind == "sign":
            groups.append(_Group())
        elif piece.text == ")" and piece.kind == "sign":
            if len(groups) > 1:
                closed = groups.pop()
                groups[-1].operand(closed.depth(), closed.size)
        else:
            _add(groups[-1], piece)
        if len(groups) > MAX_DEPTH or groups[-1].depth() > MAX_DEPTH:
            raise _too_much(f"the formula is nested more than {MAX_DEPTH} deep", piece)
        if groups[-1].size > MAX_SIZE:
            raise _too_much(f"the formula has more than {MAX_SIZE} operands", piece)


def _add(group: _Group, piece: Token) -> None:
    """Count an operand, an operator or its bounds."""
    if piece.kind == "operand":
        group.operand(0, 1)
    elif piece.kind == "bounds":
        numbers = [int(digits) if len(digits) < 6 else 10**6 for digits in _NUMBER.findall(piece.text)]
        group.tight += max(numbers)
        group.factor *= max(numbers) + 1
    elif piece.text in _ASSOCIATIVE:
        group.end_part()
        group.joined += 1
    elif piece.text in _LOOSE:
        group.end_part()
        group.loose += 1
    else:
        group.tight += 1


def _too_much(message: str, piece: Token) -> InputError:
    return InputError(message, Place("formula", None, piece.at + 1))
