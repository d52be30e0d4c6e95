"""The kinds of value that translators turn into one another."""

from __future__ import annotations

from enum import Enum

from buchi.common.errors import InputError, nearest


class Kind(str, Enum):
    """A node of the graph of translations; the value is the name on the command line."""

    LTL = "ltl"
    TLBA = "tlba"
    SLBA = "slba"
    TA = "ta"
    TGBA = "tgba"
    TGRA = "tgra"
    TFLA = "tfla"
    TELA = "tela"

    def __str__(self) -> str:
        return self.value


AUTOMATA = tuple(kind for kind in Kind if kind is not Kind.LTL)
"""The kinds of automata."""


def automaton_kind(name: str, named: str) -> Kind:
    """Return the kind called `name`; `named` is how the user gave it. Raises InputError: a formula is no automaton."""
    kinds = [kind.value for kind in AUTOMATA]
    if name not in kinds:
        hint = nearest(name, kinds) or f"known: {', '.join(kinds)}"
        raise InputError(f"{named} is not a kind of automaton", suggestion=hint)
    return Kind(name)
