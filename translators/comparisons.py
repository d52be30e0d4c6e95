"""Quote comparisons such as `P_1 != "p9"` or `a[0] <= 2` in an LTL formula, so that Spot reads each as one
proposition.

At each place of the text an arithmetic comparison is tried; where there is none, one token is copied. LTL
operators that look like comparisons (`<>`, `<->`, `<=>`, `->`, `=>`) are single tokens here and so never
taken apart. Names with a dot or an index are quoted as well, since Spot would read `Fork.free` as
`F(ork.free)` and knows no index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from buchi.schemas.errors import InputError, Place
from buchi.schemas.ltl import canonical_proposition

_NAME = r"[A-Za-z_.](?:\w|\.|\\\.)*"
_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\])*"|'[^']*')
    |(?P<star>\[(?:\*|\+|=|->|:\*)[^\]]*\])
    |(?P<ltl><-?->|<=>|<>|-?->|=>|\[\]|/\\|\\/|&&|\|\||\|=>|\|->)
    |(?P<compare>==|!=|<=|>=|<|>)
    |(?P<number>\d+)
    |(?P<name>{_NAME})
    |(?P<open>\\?\[)
    |(?P<close>\\?\])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_SIGNS = frozenset("+-*/%")
_BOUNDED = frozenset(["F", "G", "X"])
"""Followed by a bracket these are operators with bounds, as in `F[2:3] a`, not arrays."""


class Token(NamedTuple):
    """A piece of the formula; `at` is where it begins."""

    kind: str
    text: str
    at: int


@dataclass
class Quoted:
    """The text for Spot, and for each of its characters the place in the user's text."""

    text: str = ""
    origins: list[int] = field(default_factory=list)

    def add(self, text: str, at: int, exact: bool) -> None:
        """Append what stands for the user's text from `at`.

        `exact` if it is that text character by character.
        """
        self.text += text
        self.origins += [at + i if exact else at for i in range(len(text))]

    def origin(self, position: int, end: int) -> int:
        """Return the place in the user's text (which ends at `end`) of a position of the text for Spot."""
        return self.origins[position] if position < len(self.origins) else end


def tokenize(text: str) -> list[Token]:
    """Split a formula; blanks are dropped."""
    found = (Token(str(m.lastgroup), m.group(), m.start()) for m in _TOKEN.finditer(text))
    return [token for token in found if token.kind != "space"]


class _Arithmetic:
    """A recogniser for `sum (compare sum)?` over tokens.

    Methods return the index after what they read, or None.
    """

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens

    def is_a(self, at: int, kind: str, text: str | None = None) -> bool:
        return at < len(self.tokens) and self.tokens[at].kind == kind and text in (None, self.tokens[at].text)

    def comparison(self, at: int) -> int | None:
        left = self.sum(at)
        if left is None or not self.is_a(left, "compare"):
            return None
        return self.sum(left + 1)

    def sum(self, at: int) -> int | None:
        end = self.operand(at)
        while end is not None and end < len(self.tokens) and self.tokens[end].text in _SIGNS:
            end = self.operand(end + 1)
        return end

    def operand(self, at: int) -> int | None:
        if self.is_a(at, "other", "-"):
            return self.operand(at + 1)
        if self.is_a(at, "number") or self.is_a(at, "string"):
            return at + 1
        if self.is_a(at, "other", "("):
            end = self.sum(at + 1)
            return end + 1 if end is not None and self.is_a(end, "other", ")") else None
        return self.variable(at) if self.is_a(at, "name") else None

    def variable(self, at: int) -> int | None:
        end: int | None = at + 1
        while end is not None and self.is_a(end, "open") and self.tokens[at].text not in _BOUNDED:
            index = self.sum(end + 1)
            end = index + 1 if index is not None and self.is_a(index, "close") else None
        return end

    def proposition(self, at: int) -> int | None:
        """Read a comparison, or a name with a dot or an index, that is to be quoted."""
        compared = self.comparison(at)
        if compared is not None or not self.is_a(at, "name"):
            return compared
        end = self.variable(at)
        return end if end is not None and (end > at + 1 or "." in self.tokens[at].text) else None


def quote_comparisons(text: str) -> Quoted:
    """Return the formula with every comparison as a quoted proposition in canonical spelling."""
    tokens = tokenize(text)
    reader = _Arithmetic(tokens)
    result = Quoted()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        end = reader.proposition(at)
        if end is not None:
            last = tokens[end - 1]
            _add_quoted(result, text[token.at : last.at + len(last.text)], token.at)
        else:
            end = at + 1
            _copy(result, token, text)
        at = end
        result.add(" ", token.at, exact=False)
    return result


def _add_quoted(result: Quoted, text: str, at: int) -> None:
    result.add(f'"{canonical_proposition(text)}"', at, exact=False)


def _copy(result: Quoted, token: Token, text: str) -> None:
    """Pass a token on to Spot; a quoted proposition gets its canonical spelling."""
    if token.kind == "string":
        _add_quoted(result, token.text[1:-1], token.at)
    elif token.text == "=":
        place = Place("formula", None, token.at + 1, text)
        raise InputError("a single = is no comparison", place, "write == to compare")
    else:
        result.add(token.text, token.at, exact=True)
