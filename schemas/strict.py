"""What the files that people write have in common: keys that are known, and limits."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError


class Strict(BaseModel):
    """Base of what follows: immutable; an unknown key is refused together with the keys that there are."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_by_name=True,
        validate_by_alias=True,
        use_attribute_docstrings=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _keys_are_known(cls, data: Any) -> Any:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in data if isinstance(data, dict) else ():
            if key not in (*known, *cls.model_fields):
                context = {"key": str(key), "known": ", ".join(known)}
                raise PydanticCustomError("unknown_key", "there is no key {key} here", context)
        return data


class LimitsChoice(Strict):
    """What a run may use."""

    seconds: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)] | None = None
    """The time of translation and search."""
    states: Annotated[int, Field(gt=0, lt=1 << 62)] | None = None
    """The most states of the product."""
    memory: str | int | None = None
    """The memory: a number of bytes, or a size such as 2GiB."""
