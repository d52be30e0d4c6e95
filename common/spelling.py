"""The one spelling of a proposition.

The same proposition is written `P_1!="p9"` in a formula, `P_1!='p9'` in a HOA file and `P_1 != p9` by hand;
a formula and an automaton speak of the same thing only when both use the spelling made here. The quotes can
go around a plain word: a process is compared with nothing but its states. What else stands in quotes is a
name with blanks or signs of its own, and stays as it is.
"""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"\\+([\[\].\"'-])")
_PIECE = re.compile(r"""(?P<quoted>"[^"]*"|'[^']*')|(?P<space>\s+)|(?P<lone>["'])|[^\s"']+""")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_BRACKETS = frozenset("()[]")


def canonical_proposition(text: str) -> str:
    """Return the spelling used everywhere.

    No escapes, no quotes around plain words, no blank that is not needed. Its own spelling stays as it is.
    """
    plain = _ESCAPED.sub(r"\1", text).strip()
    pieces = list(_PIECE.finditer(plain))
    if any(piece["lone"] for piece in pieces):
        return _SPACE.sub(" ", plain)
    made: list[str] = []
    last = ""
    for piece in pieces:
        after = plain[piece.end() : piece.end() + 1]
        if piece["space"]:
            shown = " " if _needs_blank(last, after) else ""
        else:
            shown = _unquoted(piece.group(), last, after) if piece["quoted"] else piece.group()
        made.append(shown)
        last = shown[-1:] or last
    return "".join(made)


def _needs_blank(before: str, after: str) -> bool:
    """Must two characters be kept apart? Two words must, and two signs, which could become one."""
    quotes = ("'", '"')
    if _is_word(before) or before in quotes:
        return _is_word(after) or after in quotes
    return before == "\\" or not (
        before in _BRACKETS or _is_word(after) or after in _BRACKETS or after in quotes
    )


def _unquoted(string: str, before: str, after: str) -> str:
    """Return a plain word without its quotes, unless it would grow together with what stands beside it."""
    content = string[1:-1]
    apart = not any(_is_word(beside) or beside in ("'", '"') for beside in (before, after) if beside)
    if apart and _WORD.fullmatch(content):
        return content
    return string if "'" in content else f"'{content}'"


def _is_word(character: str) -> bool:
    return _WORD.fullmatch(character) is not None
