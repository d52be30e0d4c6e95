"""Property files: named formulas for one model, with the verdicts that are expected of them.

`docs/properties.md` explains the format.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator

from buchi.schemas.strict import LimitsChoice, Strict

LONGEST_NAME = 200
MOST = 10_000
"""Properties of one file: more than anybody writes by hand."""

Formula = Annotated[str, Field(min_length=1, description="A formula in LTL.")]


class Property(Strict):
    """A formula, the verdict that is expected of it, and how it is to be checked."""

    ltl: Formula
    """The formula, as `--ltl` takes it."""
    expect: Literal["holds", "violated", "unknown"] | None = None
    """The verdict that is expected; any other one is a failure. Without it, the property is to hold."""
    description: str | None = None
    """What the property means, for people: reports show it."""
    via: Literal["tlba", "slba", "ta", "tgba", "tgra", "tfla", "tela"] | None = None
    """The kind of automaton to check, as `--via` has it."""
    checker: Annotated[str, Field(min_length=1)] | None = None
    """The emptiness check, as `--checker` has it."""
    deadlock: Literal["stutter", "drop"] | None = None
    """Does a state without successors repeat for ever, or do its runs not count? As `--deadlock` has it."""
    fair: tuple[str, ...] | None = None
    """Only runs count that are fair: a list of `weak`, `strong`, or `weak:P,Q`, as `--fair` has them."""
    fair_by: Literal["process", "command"] | None = None
    """Is `fair` about processes or commands? As `--fair-by` has it."""
    limits: LimitsChoice = LimitsChoice()
    """What the check of this property may use; the verdict is `unknown` when that is not enough."""


def _tag(given: Any) -> str:
    return "<text>" if isinstance(given, str) else "<property>"


Given = Annotated[
    Annotated[Formula, Tag("<text>")] | Annotated[Property, Tag("<property>")], Discriminator(_tag)
]
"""A formula alone, or with what else there is to say."""


class Properties(Strict):
    """The properties of a model."""

    properties: Annotated[
        dict[Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)], Given],
        Field(min_length=1, max_length=MOST),
    ]
    """The properties by their names; a text is a formula that is to hold."""

    @field_validator("properties", mode="before")
    @classmethod
    def _names_are_texts(cls, given: Any) -> Any:
        if given == {}:
            raise ValueError("there is no property")
        for name in given if isinstance(given, dict) else ():
            if not isinstance(name, str):
                raise ValueError(f"the name {name} is no text: put it in quotes")
        return given

    def named(self) -> dict[str, Property]:
        """Return all of them, with a formula alone as a property."""
        found = self.properties.items()
        return {name: one if isinstance(one, Property) else Property(ltl=one) for name, one in found}
