"""A run as its first state and what each step does: what the results of an experiment keep, and what a page shows."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from buchi.schemas.counted import Count
from buchi.schemas.result import Counterexample, Violation
from buchi.schemas.steps import PackedSteps, Value
from buchi.schemas.told import Told, stuck_from

Edge = tuple[int, str, str, int]


class Story(Value):
    """A counterexample that can be told without its model: `prefix` once, then `cycle` for ever, if there is one."""

    first: dict[str, str]
    prefix: tuple[Told, ...]
    cycle: tuple[Told, ...]
    violation: Violation | None = None
    propositions: dict[str, bool] = Field(default_factory=dict)
    """Those of the property, with their values in the first state."""
    automaton: Count | None = None
    """The state of the automaton in the first state."""
    edges: tuple[Edge, ...] = ()
    """The edges of the automaton, if it is small: source, label, marks, destination."""

    @classmethod
    def of(cls, found: Counterexample) -> Story:
        """Tell a counterexample."""
        start = len(found.prefix)
        told = [found.told(number) for number in range(found.length)]
        notes = next(
            (part.notes for part in (found.prefix, found.cycle) if isinstance(part, PackedSteps)), None
        )
        return cls(
            first=found.at(0).state,
            prefix=tuple(told[:start]),
            cycle=tuple(told[start:]),
            violation=found.violation,
            propositions=found.holding(0),
            automaton=found.automaton_at(0),
            edges=notes.edges if notes else (),
        )

    def kept(self) -> dict[str, Any]:
        """Return it as plain data, without what says nothing."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def deadlock(self) -> int | None:
        """The number of the state in which no command is enabled, and which is never left; None if there is none."""
        return stuck_from(self.prefix, self.cycle)
