"""TGBA to TLBA by degeneralization, by Spot: the sets are awaited one after the other.

Paper: Gastin & Oddoux (2001) for the construction, Babiak et al. (2013) for Spot's improvements.
"""

from __future__ import annotations

from typing import ClassVar

import spot

from buchi.schemas.forms import BUCHI, Tgba, Tlba
from buchi.schemas.kinds import Kind
from buchi.translators.spot_helpers.automata import from_spot, to_spot
from buchi.translators.spot_helpers.rebuild import rebuilt
from buchi.translators.translator import Options


class TgbaToTlba:
    """Makes one acceptance set of several, on states."""

    name: ClassVar[str] = "tgba-tlba"
    source: ClassVar[Kind] = Kind.TGBA
    target: ClassVar[Kind] = Kind.TLBA
    summary: ClassVar[str] = "degeneralization to accepting states"
    paper: ClassVar[str] = "Gastin & Oddoux 2001; Babiak et al. 2013"
    options: ClassVar[type[Options]] = Options

    def run(self, value: Tgba, options: Options) -> Tlba:
        """Degeneralize; without any set all runs are accepting, and so are all states."""
        if value.sets == 0:
            edges = tuple(edge._replace(marks=1) for edge in value.edges)
            return rebuilt(value, Tlba, edges=edges, acceptance=BUCHI)
        alone = to_spot(value, spot.make_bdd_dict())
        return from_spot(spot.degeneralize(alone), Tlba, value.claims.stutter_invariant)
