"""LTL to an automaton with any acceptance condition that suits the formula, by Spot.

Paper: Major et al. (2019) and Renkin et al. (2020) describe what Spot builds on. The acceptance condition is
kept in disjunctive normal form.
"""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.forms import Tela
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl
from buchi.translators.spot_helpers.translation import SpotOptions, spot_translate, translated


class LtlToTela:
    """Spot's translation to any acceptance."""

    name: ClassVar[str] = "ltl-tela"
    source: ClassVar[Kind] = Kind.LTL
    target: ClassVar[Kind] = Kind.TELA
    summary: ClassVar[str] = "Spot's translation to any acceptance"
    paper: ClassVar[str] = "Renkin et al. 2020"
    options: ClassVar[type[SpotOptions]] = SpotOptions

    def run(self, value: Ltl, options: SpotOptions) -> Tela:
        """Translate the formula itself: for the forbidden behaviours, give its negation."""
        return translated(value, spot_translate(value, options, "generic"), Tela)
