"""Spot's translation of a formula, as all translators from LTL call it."""

from __future__ import annotations

from typing import Literal, TypeVar

import spot

from buchi.schemas.automaton import Automaton
from buchi.schemas.ltl import Ltl
from buchi.translators.spot_automata import from_spot
from buchi.translators.stuttering import is_stutter_invariant
from buchi.translators.translator import Options

AnyAutomaton = TypeVar("AnyAutomaton", bound=Automaton)


class SpotOptions(Options):
    """What Spot's translations can be asked for."""

    prefer: Literal["small", "deterministic", "any"] = "small"
    effort: Literal["low", "medium", "high"] = "high"


def spot_translate(formula: Ltl, options: SpotOptions, *wanted: str) -> spot.twa_graph:
    """Translate; a dictionary of its own makes the result independent of what was translated before."""
    return spot.translate(
        spot.formula(formula.formula), *wanted, options.prefer, options.effort, dict=spot.make_bdd_dict()
    )


def translated(formula: Ltl, automaton: spot.twa_graph, form: type[AnyAutomaton]) -> AnyAutomaton:
    """Return the automaton that Spot made of a formula as a value, with what is known from the formula."""
    return from_spot(automaton, form, is_stutter_invariant(formula))
