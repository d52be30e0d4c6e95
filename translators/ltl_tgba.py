"""LTL to a transition-based generalized Büchi automaton, by Spot.

Paper: Couvreur (1999) for the translation, Duret-Lutz (2014) for its simplifications.
"""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.forms import Tgba
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl
from buchi.translators.spot_helpers.translation import SpotOptions, spot_translate, translated


class LtlToTgba:
    """Spot's translation to generalized Büchi automata."""

    name: ClassVar[str] = "ltl-tgba"
    source: ClassVar[Kind] = Kind.LTL
    target: ClassVar[Kind] = Kind.TGBA
    summary: ClassVar[str] = "Spot's translation to generalized Büchi automata"
    paper: ClassVar[str] = "Couvreur 1999; Duret-Lutz 2014"
    options: ClassVar[type[SpotOptions]] = SpotOptions

    def run(self, value: Ltl, options: SpotOptions) -> Tgba:
        """Translate the formula itself: for the forbidden behaviours, give its negation."""
        return translated(value, spot_translate(value, options, "tgba"), Tgba)
