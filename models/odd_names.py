"""Names with dashes and several dots, as nodes of Petri nets have them: what a model calls so wins over operators.

Where such a name stands in a text, its signs become letters that nobody writes, one for one, so that a grammar reads
the name as one word and places of mistakes stay right.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_ODD = re.compile(r"(?!\w+(?:\.\w+)?\Z)[A-Za-z_][\w.-]*")
_RUN = re.compile(r"""(?P<quoted>"[^"]*"|'[^']*')|[A-Za-z_](?:[\w.]|\\?-|\\\.)*""")
_WORD = re.compile(r"\w+")
_ESCAPED = re.compile(r"\\([.-])")
_LETTERS = str.maketrans("-.", "ꟷꓸ")
_SIGNS = str.maketrans("ꟷꓸ", "-.")


def odd_names(names: Collection[str]) -> frozenset[str]:
    """Return the names that a grammar of words would take apart."""
    return frozenset(name for name in names if _ODD.fullmatch(name))


def hidden(text: str, odd: Collection[str]) -> str:
    """Return a text in which each of these names is one word; the longest one that fits is meant."""
    lengths = sorted({len(name) for name in odd}, reverse=True)

    def run(match: re.Match[str]) -> str:
        return (
            match.group()
            if match["quoted"]
            else _hidden_run(_ESCAPED.sub(r"\1", match.group()), odd, lengths)
        )

    return _RUN.sub(run, text) if odd else text


def _hidden_run(text: str, odd: Collection[str], lengths: list[int]) -> str:
    made, at = [], 0
    while at < len(text):
        word = _WORD.match(text, at)
        end = at + 1 if word is None else word.end()
        if word is not None:
            end = next((at + n for n in lengths if text[at : at + n] in odd and _ends(text, at + n)), end)
        made.append(text[at:end].translate(_LETTERS) if end - at > 1 else text[at:end])
        at = end
    return "".join(made)


def _ends(text: str, at: int) -> bool:
    return _WORD.match(text, at) is None


def shown(name: str) -> str:
    """Return a name as the model has it."""
    return name.translate(_SIGNS)
