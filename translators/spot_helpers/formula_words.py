"""What a word of a formula means: operators written together, a constant, or the name of a proposition.

Spot takes `Fast` for `F ast` and knows no model. Here the names of a model win. Without a model, operators
may be joined to a name of one letter with a number, as in `GFa` or `Xp_1`, which is how Spot prints; what
else could be read in two ways is refused with a word on how to write either.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from buchi.common.errors import InputError

_OPERATORS = frozenset(["U", "W", "R", "V", "M", "xor"])
_CONSTANT = re.compile(r"true|false", re.IGNORECASE)
_RUN = re.compile(r"([FGX]+)(.*)", re.DOTALL)
_SHORT = re.compile(r"[A-Za-z](?:_?\d+)?")
_BARE = re.compile(r"[A-EH-WYZa-z_][A-Za-z0-9_]*")
_SPOT_WORDS = frozenset(["first_match"])


def is_operator(word: str) -> bool:
    """Is this a binary operator or a constant, in letters?"""
    return word in _OPERATORS or _CONSTANT.fullmatch(word) is not None


def is_bare(name: str) -> bool:
    """Do Spot and we read a name without quotes alike, wherever it stands alone?"""
    return _BARE.fullmatch(name) is not None and not is_operator(name) and name not in _SPOT_WORDS


def is_short(name: str) -> bool:
    """May operators be joined to this name?"""
    return _SHORT.fullmatch(name) is not None


def split_word(word: str, names: Collection[str] | None = None) -> tuple[str, str]:
    """Return the unary operators at the beginning of a word, and the rest: a name, an operator or nothing.

    `names` are those of the model. Raises InputError where there are two readings.
    """
    found = _RUN.fullmatch(word)
    if is_operator(word) or found is None:
        _check_constant(word, names)
        return "", word
    operators, rest = found.groups()
    if not rest:
        return operators, rest
    if names is not None:
        return _known(word, len(operators), names) or _spot_reading(operators, rest)
    operators, rest = _spot_reading(operators, rest)
    if operators and not is_short(rest) and not is_operator(rest):
        raise _ambiguous(word, [(operators, rest), ("", word)])
    return operators, rest


def _check_constant(word: str, names: Collection[str] | None) -> None:
    if names and word in names and _CONSTANT.fullmatch(word):
        raise InputError(
            f"{word} is a constant and also a name of the model",
            suggestion=f'write "{word}" for the name, {int(word.lower() == "true")} for the constant',
        )


def _known(word: str, operators: int, names: Collection[str]) -> tuple[str, str] | None:
    """Return the reading that gives a name of the model: the whole word, or one after operators."""
    if word in names:
        return "", word
    readings = [(word[:i], word[i:]) for i in range(1, operators + 1) if word[i:] in names]
    if len(readings) > 1:
        raise _ambiguous(word, readings)
    return readings[0] if readings else None


def _spot_reading(operators: str, rest: str) -> tuple[str, str]:
    """Read as Spot does: all operators are such, but `F1` is a name."""
    return (operators[:-1], operators[-1] + rest) if rest[0].isdigit() else (operators, rest)


def _ambiguous(word: str, readings: list[tuple[str, str]]) -> InputError:
    ways = [" ".join([*operators, f'"{name}"']) for operators, name in readings]
    return InputError(f"{word} can be read in {len(ways)} ways", suggestion=f"write {' or '.join(ways)}")
