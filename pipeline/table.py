"""Every form as the plain table that products are built from: a letter, initial labels, edges with marks."""

from __future__ import annotations

from buchi.common.labels import Label, exactly
from buchi.schemas.automaton import Automaton, Edge, Letter
from buchi.schemas.forms import BUCHI
from buchi.schemas.slba import Slba
from buchi.schemas.testing import TA_ACCEPTANCE, TA_SETS, TaMark, TestingAutomaton


def table(form: Automaton | Slba | TestingAutomaton) -> Automaton:
    """Return what the engine needs of an automaton of any form."""
    if isinstance(form, Slba):
        return _slba_table(form)
    if isinstance(form, TestingAutomaton):
        return _ta_table(form)
    return form


def _slba_table(form: Slba) -> Automaton:
    """An edge reads the label of its destination; the first state is checked by the initial condition."""
    label = [exactly(letter, len(form.propositions)) for letter in form.labels]
    accepting = frozenset(form.accepting)
    return Automaton(
        letter=Letter.DESTINATION,
        propositions=form.propositions,
        states=max(form.states, 1),
        initial=tuple((label[state], state) for state in form.initial) or _NOWHERE,
        edges=tuple(Edge(a, label[b], int(a in accepting), b) for a, b in form.edges),
        sets=1,
        acceptance=BUCHI,
    )


def _ta_table(form: TestingAutomaton) -> Automaton:
    """The implicit stuttering steps become loops that read the empty change."""
    width = len(form.propositions)
    accepting, livelock = frozenset(form.accepting), frozenset(form.livelock)
    changes = [
        Edge(e.source, exactly(e.change, width), _change_marks(e.source in accepting), e.destination)
        for e in form.edges
    ]
    nothing = exactly(0, width)
    loops = [Edge(s, nothing, _stutter_marks(s in livelock), s) for s in range(form.states)]
    return Automaton(
        letter=Letter.CHANGE,
        propositions=form.propositions,
        states=max(form.states, 1),
        initial=tuple((exactly(label, width), state) for label, state in form.initial) or _NOWHERE,
        edges=(*changes, *loops),
        sets=TA_SETS,
        acceptance=TA_ACCEPTANCE,
    )


def _change_marks(accepting: bool) -> int:
    return int(TaMark.CHANGE | TaMark.BUCHI if accepting else TaMark.CHANGE)


def _stutter_marks(livelock: bool) -> int:
    return int(TaMark.STUTTER | TaMark.LIVELOCK if livelock else TaMark.STUTTER)


_NOWHERE: tuple[tuple[Label, int], ...] = (((), 0),)
"""The empty language: an initial condition that no model state meets."""
