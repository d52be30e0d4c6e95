"""The document of an explicit Kripke structure; `docs/models.md` has the format.

initial: idle
states:
  idle: {to: [idle, busy]}
  busy: {to: [idle], holds: [p, q]}
"""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt, model_validator
from typing_extensions import Self

from buchi.common.errors import nearest
from buchi.models.kripke import Kripke

_COMPARED = 60
Name = str | StrictInt  # a lax one would take `true` for 1


class StateDocument(BaseModel):
    """A state: its successors, in the order in which they are explored, and the propositions true in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    to: tuple[Name, ...] = ()
    holds: tuple[str, ...] = ()


class KripkeDocument(BaseModel):
    """A structure; the first state is the initial one unless `initial` names another."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    states: Annotated[dict[Name, StateDocument], Field(min_length=1)]
    initial: Name | None = None
    propositions: tuple[str, ...] | None = None
    """All propositions; without it, those that hold somewhere."""

    @model_validator(mode="after")
    def _names_can_be_printed(self) -> Self:
        for name in self.states:
            if not str(name).isprintable():
                raise ValueError(f"the state {name!a} has characters that cannot be printed")
        return self

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        known = {str(name): None for name in self.states}
        for name, state in self.states.items():
            for target in state.to:
                _check_known(str(target), known, f"state {name} leads to {target}, which is no state")
        if self.initial is not None:
            _check_known(str(self.initial), known, f"the initial state {self.initial} is no state")
        return self

    @model_validator(mode="after")
    def _propositions_are_declared(self) -> Self:
        if self.propositions is None:
            return self
        known = dict.fromkeys(self.propositions)
        for name, state in self.states.items():
            for proposition in state.holds:
                _check_known(proposition, known, f"state {name} has {proposition}, which is not declared")
        return self

    def kripke(self) -> Kripke:
        """Return the structure, with the states numbered in their order here."""
        names = tuple(map(str, self.states))
        number = {name: i for i, name in enumerate(names)}
        found = dict.fromkeys(p for state in self.states.values() for p in state.holds)
        return Kripke(
            tuple(found) if self.propositions is None else self.propositions,
            [[number[str(target)] for target in state.to] for state in self.states.values()],
            [frozenset(state.holds) for state in self.states.values()],
            0 if self.initial is None else number[str(self.initial)],
            () if names == tuple(map(str, range(len(names)))) else names,
        )


def _check_known(name: str, known: dict[str, None], complaint: str) -> None:
    """Suggest only among some names, and short ones: comparing takes long."""
    if name not in known:
        short = (other for other in known if len(other) <= _COMPARED)
        hint = nearest(name[:_COMPARED], islice(short, 1000))
        raise ValueError(f"{complaint}; {hint}" if hint else complaint)
