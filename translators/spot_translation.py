"""Spot's translation of a formula, as all translators from LTL call it."""

from __future__ import annotations

from typing import Literal

import spot

from buchi.schemas.ltl import Ltl
from buchi.translators.translator import Options


class SpotOptions(Options):
    """What Spot's translations can be asked for."""

    prefer: Literal["small", "deterministic", "any"] = "small"
    effort: Literal["low", "medium", "high"] = "high"


def spot_translate(formula: Ltl, options: SpotOptions, *wanted: str) -> spot.twa_graph:
    """Translate; a dictionary of its own makes the result independent of what was translated before."""
    return spot.translate(
        spot.formula(formula.formula), *wanted, options.prefer, options.effort, dict=spot.make_bdd_dict()
    )
