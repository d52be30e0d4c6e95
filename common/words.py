"""Numbers and messages as people read them, and cells as spreadsheets do."""

from __future__ import annotations

import re
from typing import Any

_LONGEST = 400
_NAME = re.compile(r"[\w.]+(?:\([^()]*\))?")
_COMMANDS = ("=", "+", "-", "@", "\t", "\r")


def counted(number: int, noun: str) -> str:
    """Return a number of things: `1 state`, `2,000 states`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def negated(proposition: str) -> str:
    """Return that a proposition does not hold, as a formula has it."""
    return f"!{proposition}" if _NAME.fullmatch(proposition) else f"!({proposition})"


def duration(seconds: float) -> str:
    """Return a time that is never nothing: `1.25 s`, `12.5 ms`, `< 0.1 ms`."""
    return f"{seconds:.2f} s" if seconds >= 0.0999 else f"{milliseconds(seconds)} ms"


def milliseconds(seconds: float) -> str:
    """Return a time as a number of milliseconds, or what it is below."""
    return f"{1000 * seconds:.1f}" if seconds >= 0.00005 else "< 0.1"


def printable(message: str) -> str:
    """Return a message that any output can encode, whatever it quotes, of a length that can be read."""
    return message[:_LONGEST].encode("utf-8", "backslashreplace").decode()


def harmless_cell(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: a text that looks like one gets an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_COMMANDS) else cell
