"""What a schema has against a value, in one line."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import ValidationError


class Complaint(NamedTuple):
    """The first complaint of a schema: the way to the field, and what is wrong with it."""

    where: str
    what: str

    @classmethod
    def of(cls, error: ValidationError) -> Complaint:
        """Return the first of all complaints."""
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return cls(".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, "))

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what
