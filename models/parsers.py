"""Parsers made by Lark, kept between runs: to make one takes longer than to parse most models."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from lark import Lark, Transformer
from platformdirs import user_cache_path


def make_parser(name: str, grammar: str, builder: Transformer[Any, Any], start: str = "start") -> Lark:
    """Return a parser for a grammar; what was kept under its name serves as long as the grammar is the same."""
    kept = user_cache_path("buchi") / "parsers" / f"{name}.lark"
    with suppress(OSError):  # where nothing can be kept, it is made each time
        kept.parent.mkdir(parents=True, exist_ok=True)
    return Lark(grammar, start=start, parser="lalr", lexer="contextual", transformer=builder, cache=str(kept))
