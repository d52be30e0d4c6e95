"""Parsers made by Lark, kept between runs: to make one takes longer than to parse most models.

What is kept are the tables of the parser as plain data, not a pickle: to read them back runs nothing.
"""

from __future__ import annotations

import marshal
import sys
from typing import Any, Final

import lark
from lark import Lark, Transformer
from lark.grammar import Rule
from lark.lexer import TerminalDef

from buchi.models import cache

_NOT_KEPT: Final = frozenset({"transformer", "lexer_callbacks", "postlex", "edit_terminals", "_plugins"})
"""Options that are code."""


def make_parser(name: str, grammar: str, builder: Transformer[Any, Any], start: str = "start") -> Lark:
    """Return a parser for a grammar; what was kept under its name serves as long as the grammar is the same."""
    key, file = cache.key_of(grammar, start, lark.__version__, sys.version), f"{name}.tables"
    with cache.opened(cache.location("parsers")) as folder:
        kept = folder.read(file, key) if folder else None
        if kept is not None:
            data, memo = marshal.loads(kept)
            return _restored(data, memo, builder)
        parser = Lark(grammar, start=start, parser="lalr", lexer="contextual", transformer=builder)
        if folder:
            folder.write(file, key, marshal.dumps(_tables(parser)))
        return parser


def _tables(parser: Lark) -> tuple[dict[str, Any], dict[int, Any]]:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in _NOT_KEPT}
    return data, memo


def _restored(data: dict[str, Any], memo: dict[int, Any], builder: Transformer[Any, Any]) -> Lark:
    parser: Lark = Lark._load_from_dict(data, memo, transformer=builder)  # type: ignore[no-untyped-call]
    return parser
