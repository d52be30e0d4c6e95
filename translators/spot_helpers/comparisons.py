"""Quote comparisons such as `P_1 != "p9"` or `a[0] <= 2` and all names in an LTL formula, so that Spot reads
each as one proposition.

At each place of the text an arithmetic comparison is tried; where there is none, one token is copied. LTL
operators that look like comparisons (`<>`, `<->`, `<=>`, `->`, `=>`) are single tokens here and so never
taken apart. What a word means is settled in `formula_words`; Spot sees no bare name. The work is linear in
the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from buchi.common.errors import InputError, Place
from buchi.common.spelling import canonical_proposition
from buchi.translators.spot_helpers.formula_words import is_operator, split_word

_NAME = r"[A-Za-z_.](?:\w|\.|\\[.-])*"
_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\])*"|'[^']*')
    |(?P<unclosed>["'].*)
    |(?P<psl>[{{}};\#]|\[(?:\*|\+|=|->|:\*)|\|=>|\|->|<>=>|<>->|\[\]=>|\[\]->)
    |(?P<ltl><-?->|<=>|<>|-?->|=>|\[\]|\(\)|/\\|\\/|&&|\|\|)
    |(?P<call>(?:fireable|tokens|enabled|moved)\s*\()
    |(?P<compare>==|!=|<=|>=|<|>)
    |(?P<number>\d+)
    |(?P<name>{_NAME})
    |(?P<open>\\?\[)
    |(?P<close>\\?\])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_BOUNDS = re.compile(r"\[\s*\d+\s*(?:(?::|\.\.|,)\s*\d*\s*)?\]")
MAX_DEPTH = 2000
"""Parentheses and operators within each other."""
_SYMBOLS = frozenset("¬→↔⇒⇔∧∨∩∪⊕⋄□◇○◯◻♢⟶⟹⬜")
"""The operators of Spot that are no ASCII."""
_SIGNS = frozenset("+-*/%")
_IN_NAMES = frozenset({",", "-"})
"""What stands among the names of a call, or within one."""
_LETTERS = {"[]": "G", "<>": "F", "()": "X"}
"""Spot mistakes `X []` for the beginning of bounds; its complaint then has a length that is never set, of gigabytes."""
_BOUNDED = frozenset(["F", "G", "X"])
"""Followed by a bracket these are operators with bounds, as in `F[2:3] a`, not arrays."""


class Token(NamedTuple):
    """A piece of the formula; `at` is where it begins."""

    kind: str
    text: str
    at: int


@dataclass
class Quoted:
    """The pieces for Spot, and for each of their characters the place in the user's text."""

    pieces: list[Token] = field(default_factory=list)
    """Operands (`operand`), bounds (`bounds`), parentheses and operators (`sign`)."""
    origins: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text for Spot: each piece is followed by a blank."""
        return "".join(f"{piece.text} " for piece in self.pieces)

    def add(self, kind: str, text: str, at: int, exact: bool = False) -> None:
        """Append what stands for the user's text from `at`.

        `exact` if it is that text character by character.
        """
        self.pieces.append(Token(kind, text, at))
        self.origins += [at + i if exact else at for i in range(len(text))] + [at]

    def origin(self, position: int, end: int) -> int:
        """Return the place in the user's text (which ends at `end`) of a position of the text for Spot."""
        return self.origins[position] if position < len(self.origins) else end


def tokenize(text: str) -> list[Token]:
    """Split a formula; blanks are dropped."""
    found = (Token(str(m.lastgroup), m.group(), m.start()) for m in _TOKEN.finditer(text))
    return [token for token in found if token.kind != "space"]


class _Arithmetic:
    """Where arithmetic that begins at each token ends: `sum (compare sum)?`, or None.

    The tables are filled from the end of the formula, so that each entry needs only later ones and no
    nesting can exhaust the stack or be read twice.
    """

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.sums: list[int | None] = [None] * (len(tokens) + 2)
        self.operands: list[int | None] = [None] * (len(tokens) + 2)
        self.indices: list[int | None] = [None] * (len(tokens) + 2)
        for at in range(len(tokens), -1, -1):
            self.indices[at] = self._after_indices(at)
            self.operands[at] = self._operand(at)
            self.sums[at] = self._sum(at)

    def is_a(self, at: int, kind: str, text: str | None = None) -> bool:
        return at < len(self.tokens) and self.tokens[at].kind == kind and text in (None, self.tokens[at].text)

    def comparison(self, at: int) -> int | None:
        left = self.sums[at]
        return self.sums[left + 1] if left is not None and self.is_a(left, "compare") else None

    def variable(self, at: int) -> int | None:
        return at + 1 if self.tokens[at].text in _BOUNDED else self.indices[at + 1]

    def proposition(self, at: int) -> int | None:
        """Read a comparison, a call, or a name with a dot or an index, that is to be quoted."""
        compared = self.comparison(at)
        if compared is None and self.is_a(at, "call"):
            return self.operands[at]
        if compared is not None or not self.is_a(at, "name"):
            return compared
        end = self.variable(at)
        return end if end is not None and (end > at + 1 or "." in self.tokens[at].text) else None

    def _after_indices(self, at: int) -> int | None:
        if not self.is_a(at, "open"):
            return at
        index = self.sums[at + 1]
        return self.indices[index + 1] if index is not None and self.is_a(index, "close") else None

    def _operand(self, at: int) -> int | None:
        if self.is_a(at, "other", "-"):
            return self.operands[at + 1]
        if self.is_a(at, "number") or self.is_a(at, "string"):
            return at + 1
        if self.is_a(at, "call"):
            return self._call(at + 1)
        if self.is_a(at, "other", "("):
            end = self.sums[at + 1]
            return end + 1 if end is not None and self.is_a(end, "other", ")") else None
        return self.variable(at) if self.is_a(at, "name") else None

    def _call(self, at: int) -> int | None:
        """Read the names of a call and its closing parenthesis."""
        while at < len(self.tokens) and (
            self.tokens[at].kind in ("name", "number", "string") or self.tokens[at].text in _IN_NAMES
        ):
            at += 1
        return at + 1 if self.is_a(at, "other", ")") else None

    def _sum(self, at: int) -> int | None:
        end = self.operands[at]
        if end is not None and end < len(self.tokens) and self.tokens[end].text in _SIGNS:
            return self.sums[end + 1]
        return end


def quote_names(text: str, names: Collection[str] | None = None) -> Quoted:
    """Return the formula with every name and comparison as a quoted proposition in canonical spelling."""
    tokens = tokenize(text)
    _check_nesting(tokens)
    arithmetic = _Arithmetic(tokens)
    result = Quoted()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        end = arithmetic.proposition(at)
        if end is not None:
            last = tokens[end - 1]
            _add_quoted(result, text[token.at : last.at + len(last.text)], token.at)
            at = end
        elif token.kind == "open":
            at = _add_bounds(result, text, tokens, at)
        else:
            _copy(result, token, names)
            at += 1
    return result


def _check_nesting(tokens: list[Token]) -> None:
    """Refuse what is nested beyond reason before anything else looks at it."""
    depth = 0
    for token in tokens:
        if token.kind == "open" or token.text == "(":
            depth += 1
        elif token.kind == "close" or token.text == ")":
            depth -= 1
        if depth > MAX_DEPTH:
            _refuse(f"the formula is nested more than {MAX_DEPTH} deep", token.at)


def _add_quoted(result: Quoted, text: str, at: int) -> None:
    """Append a proposition; names that could not be told apart when read again are refused."""
    name = canonical_proposition(text)
    if not name:
        _refuse("the name of a proposition is empty", at)
    if "\\" in name:
        _refuse(
            "a backslash in the name of a proposition",
            at,
            "it may stand only before a bracket, a dot or a quote",
        )
    if any(unicodedata.category(c) == "Cc" for c in name):
        _refuse("a control character in the name of a proposition", at)
    result.add("operand", '"' + name.replace('"', '\\"') + '"', at)


def _add_bounds(result: Quoted, text: str, tokens: list[Token], at: int) -> int:
    """Append the bounds of an operator, as in `F[2:3]`; return where the formula goes on."""
    found = _BOUNDS.match(text, tokens[at].at)
    if found is None or not result.pieces or result.pieces[-1].text not in _BOUNDED:
        _refuse("unexpected [", tokens[at].at, "bounds are written F[2:5], G[2:5], X[3]")
    result.add("bounds", found.group(), found.start(), exact=True)
    while at < len(tokens) and tokens[at].at < found.end():
        at += 1
    return at


def _copy(result: Quoted, token: Token, names: Collection[str] | None) -> None:
    """Pass a token on to Spot; a quoted proposition gets its canonical spelling."""
    if token.kind == "string":
        _add_quoted(result, token.text[1:-1], token.at)
    elif token.kind == "name":
        _add_word(result, token, names)
    elif token.kind == "unclosed":
        _refuse("unclosed string", token.at)
    elif token.kind == "psl":
        _refuse(f"{token.text} does not belong to an LTL formula", token.at, "PSL and SERE are not supported")
    elif token.kind == "other" and not token.text.isascii() and token.text not in _SYMBOLS:
        _refuse(f"unexpected {token.text}", token.at, "a name with such letters is written in quotes")
    elif token.text == "=":
        _refuse("a single = is no comparison", token.at, "write == to compare")
    elif token.text in _LETTERS:
        result.add("sign", _LETTERS[token.text], token.at)
    else:
        kind = "operand" if token.kind == "number" else "sign"
        result.add(kind, token.text, token.at, exact=True)


def _add_word(result: Quoted, token: Token, names: Collection[str] | None) -> None:
    try:
        operators, rest = split_word(token.text, names)
    except InputError as error:
        _refuse(error.message, token.at, error.suggestion)
    for i, operator in enumerate(operators):
        result.add("sign", operator, token.at + i, exact=True)
    if not rest:
        return
    if is_operator(rest):
        result.add("sign", rest, token.at, exact=True)
    else:
        _add_quoted(result, rest, token.at + len(operators))


def _refuse(message: str, at: int, suggestion: str | None = None) -> NoReturn:
    """Complain about the text at `at`; who knows the whole text says where that is."""
    raise InputError(message, Place("formula", None, at + 1), suggestion)
