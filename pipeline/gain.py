"""Does it pay to search a part of a model that is enough? Found out near its start, while all of it is searched.

Both the model and the part are explored breadth-first up to some states. The part is as much smaller later on as it is
within as many steps as both have come; and it is slower by as much for each state.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from buchi import _engine
from buchi.common.errors import InputError
from buchi.pipeline.prepared import Executable
from buchi.pipeline.reduction import Kept

ASKED_AT = 1 << 21
"""States of a search before this is asked: a smaller one is over before there is an answer."""
SAMPLE = 1 << 14
"""States of the model, and of the part."""
ENOUGH = 0.7
"""The share of the time from which on it pays: what it is thought to be is not exact."""


@dataclass(frozen=True)
class _Look:
    """What a look at a model near its start tells: states within 0, 1, … steps, and seconds for each state."""

    levels: list[int]
    done: bool
    seconds: float

    @classmethod
    def at(cls, model: _engine.Model) -> _Look:
        started = time.thread_time()
        outcome = _engine.explore(model, _engine.Control(states=SAMPLE))
        took = (time.thread_time() - started) / max(1, outcome.counters.post_calls)
        return cls(outcome.levels, outcome.end is _engine.End.DONE, took)


def pays(model: Executable, kept: Kept) -> bool:
    """Is a search of the part thought to take clearly less time than one of all?"""
    try:
        part = _Look.at(model.reduced(kept))
        whole = _Look.at(model.engine)
    except (InputError, _engine.ModelError):  # what is wrong with the model is told by who searches it
        return False
    return _share(part, whole) * part.seconds < ENOUGH * whole.seconds


def _share(part: _Look, whole: _Look) -> float:
    """Return how many states of the whole the part has."""
    if part.done:
        return part.levels[-1] / ASKED_AT
    common = min(len(part.levels), len(whole.levels)) - 1
    return 1.0 if common < 0 else part.levels[common] / whole.levels[common]
