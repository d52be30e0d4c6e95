"""The kinds of value that translators turn into one another."""

from __future__ import annotations

from enum import Enum


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

    @property
    def long_name(self) -> str:
        """The name in words."""
        return _LONG_NAMES[self]


_LONG_NAMES = {
    Kind.LTL: "LTL formula",
    Kind.TLBA: "transition-labelled Büchi automaton",
    Kind.SLBA: "state-labelled Büchi automaton",
    Kind.TA: "testing automaton",
    Kind.TGBA: "transition-based generalized Büchi automaton",
    Kind.TGRA: "transition-based generalized Rabin automaton",
    Kind.TFLA: "transition-based Fin-less automaton",
    Kind.TELA: "transition-based Emerson-Lei automaton",
}
