"""What a result tells beside its verdict: that the question may not be the one that was meant."""

from __future__ import annotations

from typing import Literal, TypeAlias

from buchi.schemas.steps import Value

Doubt: TypeAlias = Literal["tautology", "contradiction", "constant", "vacuous"]


class Caution(Value):
    """A reason to doubt a formula, whatever the verdict: a `kind`, the part of the formula, and a sentence."""

    kind: Doubt
    about: str
    """The formula, the proposition, or the implication that is never put to the test."""
    message: str

    def __str__(self) -> str:
        return self.message
