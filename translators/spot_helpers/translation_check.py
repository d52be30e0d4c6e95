"""Is an automaton that of its formula? A translation is compared with one made by another path.

The other path is Spot's plainest: a small TGBA with low effort. Each of the two automata must not meet the
complement of the other. What is too large to complement, or would be large as a TGBA, is not judged.
"""

from __future__ import annotations

import spot

MAX_STATES = 300
MAX_EDGES = 5000
"""Bounds on the complements that are built."""
MAX_EVENTUALITIES = 12
"""As a TGBA, a formula may be exponential in the number of its F and G; with other acceptance it need not."""


def mistake(automaton: spot.twa_graph, formula: spot.formula) -> str | None:
    """Return a word on which an automaton and a formula disagree; None if there is none, or none is known."""
    text = str(spot.relabel(formula, spot.Pnn))
    if text.count("F") + text.count("G") > MAX_EVENTUALITIES:
        return None
    other = spot.translate(formula, "tgba", "small", "low", dict=automaton.get_dict())
    return _outside(automaton, other) or _outside(other, automaton)


def _outside(automaton: spot.twa_graph, other: spot.twa_graph) -> str | None:
    """Return a word that an automaton accepts and the other does not; None also where that is too costly."""
    try:
        complement = spot.complement(other, spot.output_aborter(MAX_STATES, MAX_EDGES))
        word = complement.intersecting_word(automaton) if complement is not None else None
    except RuntimeError:  # Spot's automata have 32 acceptance sets at most
        return None
    return None if word is None else str(word)
