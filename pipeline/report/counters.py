"""What runs are compared by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from buchi.common.errors import InputError, nearest
from buchi.schemas.run import RunRecord


class Unit(str, Enum):
    """How a number is written."""

    COUNT = "count"
    SECONDS = "seconds"
    BYTES = "bytes"


@dataclass(frozen=True)
class Counter:
    """A field of `Measured`, as people call it."""

    name: str
    title: str
    unit: Unit = Unit.COUNT

    def of(self, run: RunRecord) -> float | None:
        """Return what a run counted, None where it did not."""
        value: float | None = getattr(run.measured, self.name)
        return value


SECONDS = Counter("seconds", "Time", Unit.SECONDS)
STATES = Counter("states", "States")
TRANSITIONS = Counter("transitions", "Transitions")
WORK = (
    SECONDS,
    STATES,
    TRANSITIONS,
    Counter("post_calls", "Post calls"),
    Counter("max_depth", "Depth"),
    Counter("cpu_seconds", "CPU time", Unit.SECONDS),
    Counter("bytes", "Memory", Unit.BYTES),
    Counter("peak_bytes", "Memory of the process", Unit.BYTES),
    Counter("counterexample_length", "Counterexample length"),
)
"""What a search took; plots and means are over these."""

AUTOMATON_STATES = Counter("automaton_states", "Automaton states")
AUTOMATON_PAIRS = Counter("automaton_pairs", "Pairs")
AUTOMATON = (
    AUTOMATON_STATES,
    Counter("automaton_edges", "Automaton edges"),
    Counter("automaton_sets", "Acceptance sets"),
    AUTOMATON_PAIRS,
)
"""The size of what was searched with."""

STACKS = (
    Counter("max_stack", "Stack beside the path"),
    Counter("components", "Components"),
    Counter("passes", "Passes"),
    Counter("reduced_posts", "Reduced post calls"),
    Counter("left_out", "Successors left out"),
)
"""What only some checks have; for those who ask."""

COUNTERS = {counter.name: counter for counter in (*WORK, *AUTOMATON, *STACKS)}


def find(name: str) -> Counter:
    """Return the counter that a user names; `post-calls` is as good as `post_calls`."""
    found = COUNTERS.get(name.replace("-", "_"))
    if found is None:
        hint = nearest(name, COUNTERS) or f"it is one of {', '.join(COUNTERS)}"
        raise InputError(f"there is no counter {name!r}", suggestion=hint)
    return found
