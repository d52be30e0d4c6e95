"""What a run gives back: verdicts, counterexamples, counters; fields in the order of the JSON contract."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import Self

from buchi.schemas import notebook

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]


class Value(BaseModel):
    """Base of the values below: immutable, and nothing but the declared fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Verdict(str, Enum):
    """The answer to "does the model have the property?"."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


class Reason(str, Enum):
    """What ended a search before it was done."""

    INTERRUPTED = "interrupted"
    TIME = "time"
    STATES = "states"
    MEMORY = "memory"


class Limits(Value):
    """How much a run may use; None is no limit, except that `bytes` then follows the memory that is free."""

    seconds: Annotated[float, Field(gt=0)] | None = None
    states: Annotated[int, Field(gt=0)] | None = None
    bytes: Annotated[int, Field(gt=0)] | None = None


class Step(Value):
    """A state of a run, and the command taken in it; None where none is enabled and the run stays here."""

    command: str | None
    state: dict[str, str]

    def changes(self, before: Step) -> dict[str, str]:
        """Return the values that differ from those of the step before."""
        return {name: value for name, value in self.state.items() if before.state.get(name) != value}


class Counterexample(Value):
    """A run of the model that never ends: `prefix` once, then `cycle` again and again.

    The command of each step leads to the state of the next one; that of the last back into the cycle.
    """

    prefix: tuple[Step, ...]
    cycle: Annotated[tuple[Step, ...], Field(min_length=1)]

    def condensed(self) -> dict[str, Any]:
        """Return the run as its first state and, for each step, the command with the values that it changes."""
        steps = (*self.prefix, *self.cycle)
        short = [
            {"command": step.command, "changes": after.changes(step)}
            for step, after in zip(steps, (*steps[1:], self.cycle[0]), strict=True)
        ]
        start = len(self.prefix)
        return {"first": steps[0].state, "prefix": short[:start], "cycle": short[start:]}

    def _repr_html_(self) -> str:
        return notebook.counterexample_html(self)


class AutomatonSize(Value):
    """The size of the automaton that was checked. `pairs` are the clauses of its acceptance (1 for Büchi)."""

    states: Count
    edges: Count
    sets: Count
    pairs: Count


class ExploreResult(Value):
    """The size of a model's state space; a lower bound where `reason` says that the search did not finish."""

    states: Count
    transitions: Count
    deadlocks: Count
    seconds: Seconds
    bytes: Count
    reason: Reason | None = None

    def _repr_html_(self) -> str:
        return notebook.explore_html(self)


class CheckResult(Value):
    """A verdict, how it was reached, and what that took.

    `automaton` and `checker` are None when a limit was reached before there was an automaton to check. `why`
    tells why this checker was chosen, where the user did not; it is for people and no part of the JSON.
    """

    verdict: Verdict
    kind: str
    checker: str | None
    workers: Annotated[int, Field(ge=1)]
    automaton: AutomatonSize | None
    states: Count
    transitions: Count
    post_calls: Count
    max_depth: Count
    seconds: Seconds
    bytes: Count
    reason: Reason | None
    counterexample: Counterexample | None
    why: str | None = Field(default=None, exclude=True)

    @model_validator(mode="after")
    def _says_what_it_must(self) -> Self:
        if (self.verdict is Verdict.VIOLATED) != (self.counterexample is not None):
            raise ValueError("a counterexample belongs to the verdict violated, and only to it")
        if (self.verdict is Verdict.UNKNOWN) != (self.reason is not None):
            raise ValueError("a reason belongs to the verdict unknown, and only to it")
        return self

    def _repr_html_(self) -> str:
        return notebook.check_html(self)
