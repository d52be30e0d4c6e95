"""Properties that are true or false whatever the model does: they say nothing about how routes compare.

Told by the automaton of the forbidden behaviours: that of a constant formula is translated to one that has no edges,
or a single state in which every letter is accepted. What is not that small is not called constant.
"""

from __future__ import annotations

from buchi.common.labels import covers_all
from buchi.schemas.automaton import Automaton, Letter


def constant(forbidden: Automaton) -> bool | None:
    """Return the truth value of a property that has the same one for every word, None where it has none."""
    if not forbidden.edges or not forbidden.acceptance:
        return True
    return False if _accepts_all(forbidden) else None


def _accepts_all(automaton: Automaton) -> bool:
    """Does a loop at an initial state accept every word?"""
    if automaton.letter is Letter.CHANGE:  # of a testing automaton, whose letters are changes
        return False
    starts = {state for label, state in automaton.initial if covers_all(label)}
    return any(
        edge.source == edge.destination
        and edge.source in starts
        and covers_all(edge.label)
        and automaton.accepts_marks(edge.marks)
        for edge in automaton.edges
    )
