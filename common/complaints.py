"""What a schema has against a value, in one line."""

from __future__ import annotations

from pydantic import ValidationError


def first_reason(error: ValidationError) -> str:
    """Return the first complaint of a schema, with the name of the field."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
