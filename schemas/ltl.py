"""An LTL formula as a value."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from buchi.schemas.kinds import Kind


class Ltl(BaseModel):
    """A formula in the syntax of Spot, with quoted propositions where needed.

    Made by `translators.ltl.parse_ltl`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: Literal[Kind.LTL] = Kind.LTL
    formula: str
    propositions: tuple[str, ...]
    """The propositions of the formula, in canonical spelling."""

    def negated(self) -> Ltl:
        """Return the formula of the forbidden behaviours."""
        return self.model_copy(update={"formula": f"!({self.formula})"})

    def __str__(self) -> str:
        return self.formula
