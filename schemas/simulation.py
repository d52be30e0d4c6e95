"""What a simulation comes to: the run that was made, where it ended, and what could follow."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from buchi.common.frames import Record, Tabular
from buchi.schemas.steps import Steps, Value, json_of, record_of


class End(str, Enum):
    """Why a run ends where it does."""

    STEPS = "steps"
    """It has as many steps as were asked for."""
    DEADLOCK = "deadlock"
    BREAKPOINT = "breakpoint"
    ASSERTION = "assertion"
    """An assertion of the model fails there."""
    ERROR = "error"
    """The model fails there: it divides by zero, or leaves an array."""
    INTERRUPTED = "interrupted"


class SimulatedRun(Tabular, Value):
    """A run from the initial state: the command of each step leads to the state of the next, the last has none.

    `choices` are the commands that could follow, `watched` what was watched with its values in the last state. `why`
    tells which breakpoint was met, or how the model fails. `seed` is that of random choices.
    """

    end: End
    why: str | None = None
    seed: int
    choices: tuple[str, ...]
    watched: dict[str, str]
    steps: Steps

    def records(self) -> list[Record]:
        """Return a row for each state: the command taken in it, and its values."""
        return [record_of(step) for step in self.steps]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.simulation_text(self)

    def json_chunks(self) -> Iterator[str]:
        """Yield what `model_dump_json` gives, piece by piece: a run may be long."""
        yield self.model_dump_json(exclude={"steps"}).removesuffix("}")
        yield ',"steps":['
        yield from json_of(self.steps, "")
        yield "]}"
