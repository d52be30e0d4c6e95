"""The limits that a file asks for, as those of a run."""

from __future__ import annotations

from typing import Any

from buchi.common.ends import Limits
from buchi.common.errors import InputError
from buchi.pipeline.memory import parse_size
from buchi.pipeline.yaml_documents import Document
from buchi.schemas.strict import LimitsChoice


def limits_of(wanted: LimitsChoice, document: Document[Any], *where: str | int) -> Limits:
    """Return the limits that stand `where` in a document. Raises InputError."""
    try:
        size = None if wanted.memory is None else parse_size(str(wanted.memory))
    except InputError as error:
        raise document.error(error.message, *where, "memory", suggestion=error.suggestion) from None
    return Limits(seconds=wanted.seconds, states=wanted.states, bytes=size)
