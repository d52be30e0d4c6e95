"""LTL to a transition-labelled Büchi automaton with accepting states, by Spot.

Paper: as for TGBAs, with the degeneralization of Babiak et al. (2013). Geldenhuys & Hansen (2006)
used LTL2BA.
"""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.forms import Tlba
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl
from buchi.translators.spot_helpers.translation import SpotOptions, spot_translate, translated


class LtlToTlba:
    """Spot's translation to Büchi automata with accepting states."""

    name: ClassVar[str] = "ltl-tlba"
    source: ClassVar[Kind] = Kind.LTL
    target: ClassVar[Kind] = Kind.TLBA
    summary: ClassVar[str] = "Spot's translation to Büchi automata with accepting states"
    paper: ClassVar[str] = "Couvreur 1999; Babiak et al. 2013"
    options: ClassVar[type[SpotOptions]] = SpotOptions

    def run(self, value: Ltl, options: SpotOptions) -> Tlba:
        """Translate the formula itself: for the forbidden behaviours, give its negation."""
        return translated(value, spot_translate(value, options, "Buchi", "SBAcc"), Tlba)
