"""LTL to a transition-based generalized Rabin automaton, by Spot.

Paper: Bloemen, Duret-Lutz & van de Pol (2019), section 5.1, used other translators; `external` runs those.
What Spot finds is often a Büchi automaton in disguise: a pair without Fin.
"""

from __future__ import annotations

from typing import ClassVar

import spot

from buchi.schemas.forms import Tgra
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl
from buchi.translators.spot_helpers.translation import SpotOptions, spot_translate, translated


class LtlToTgra:
    """Spot's translation to any acceptance, brought to generalized Rabin form."""

    name: ClassVar[str] = "ltl-tgra"
    source: ClassVar[Kind] = Kind.LTL
    target: ClassVar[Kind] = Kind.TGRA
    summary: ClassVar[str] = (
        "Spot's translation to generalized Rabin automata; prefer=deterministic for those"
    )
    paper: ClassVar[str] = "Renkin et al. 2020"
    options: ClassVar[type[SpotOptions]] = SpotOptions

    def run(self, value: Ltl, options: SpotOptions) -> Tgra:
        """Translate the formula itself: for the forbidden behaviours, give its negation."""
        general = spot_translate(value, options, "generic")
        rabin = spot.cleanup_acceptance(spot.to_generalized_rabin(general))
        return translated(value, rabin, Tgra)
