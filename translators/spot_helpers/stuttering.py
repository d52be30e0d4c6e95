"""Is a language invariant under stuttering? Spot decides."""

from __future__ import annotations

import spot

from buchi.common.errors import InputError
from buchi.schemas.ltl import Ltl


def is_stutter_invariant(formula: Ltl) -> bool:
    """Ask Spot, which has to translate only formulas with X."""
    return bool(spot.is_stutter_invariant(spot.formula(formula.formula)))


def require_stutter_invariance(automaton: spot.twa_graph) -> None:
    """Raise `InputError`, with a word that shows why, unless the language is stutter-invariant."""
    automaton = spot.cleanup_acceptance(
        automaton
    )  # Spot's complement trips over marks that no condition names
    if spot.is_stutter_invariant(automaton):
        return
    raise InputError(
        "the property is not stutter-invariant (Spot: is_stutter_invariant is false), so it has no testing"
        " automaton: these see only changes of the propositions",
        suggestion=_witness(automaton),
    )


def _witness(automaton: spot.twa_graph) -> str:
    """Return a word whose membership changes when letters are repeated or merged."""
    outside = spot.complement(automaton)
    stretched = spot.closure(spot.sl(automaton))
    word = outside.intersecting_word(stretched)
    if word is None:
        return "use a property without X, or another kind of automaton"
    word.simplify()
    return f"the word {word} is outside, but repeating or merging its letters leads into the property"
