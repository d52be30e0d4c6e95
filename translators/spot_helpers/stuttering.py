"""Is a language invariant under stuttering? Spot decides."""

from __future__ import annotations

import spot

from buchi.common.errors import InputError
from buchi.schemas.automaton import Automaton
from buchi.schemas.ltl import Ltl
from buchi.schemas.slba import Slba
from buchi.translators.spot_helpers.view import as_spot


def is_stutter_invariant(formula: Ltl) -> bool:
    """Ask Spot, which has to translate only formulas with X."""
    return bool(spot.is_stutter_invariant(spot.formula(formula.formula)))


def ignores_repetitions(form: Automaton | Slba) -> bool:
    """Ask Spot whether the language of an automaton is stutter-invariant."""
    return bool(spot.is_stutter_invariant(_without_idle_marks(as_spot(form))))


def _without_idle_marks(automaton: spot.twa_graph) -> spot.twa_graph:
    """Return the automaton as Spot can complement it: it trips over marks that no condition names."""
    return spot.cleanup_acceptance(automaton)


def require_stutter_invariance(automaton: spot.twa_graph) -> None:
    """Raise `InputError`, with two words that show why, unless the language is stutter-invariant."""
    automaton = _without_idle_marks(automaton)
    if spot.is_stutter_invariant(automaton):
        return
    raise InputError(
        "the property is not stutter-invariant (Spot: is_stutter_invariant is false), so it has no testing"
        " automaton: these see only changes of the propositions",
        suggestion=_witness(automaton),
    )


def _witness(automaton: spot.twa_graph) -> str:
    """Return two words that differ only in how often letters are repeated, of which one is accepted."""
    refused = _common(spot.complement(automaton), _stretched(automaton))
    accepted = None if refused is None else _common(automaton, _stretched(refused.as_automaton()))
    way_out = "use a property without X, or another kind of automaton"
    if accepted is None:
        return way_out
    return (
        "two words that differ only in how often letters are repeated:\n"
        f"  the automaton accepts   {accepted}\n  and does not accept     {refused}\n{way_out}"
    )


def _stretched(automaton: spot.twa_graph) -> spot.twa_graph:
    """Return an automaton of the same words with letters repeated and merged at will."""
    return spot.closure(spot.sl(automaton))


def _common(automaton: spot.twa_graph, other: spot.twa_graph) -> spot.twa_word | None:
    """Return a word that both accept, without needless repetitions."""
    word = automaton.intersecting_word(other)
    if word is not None:
        word.simplify()
    return word
