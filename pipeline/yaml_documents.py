"""Reads a YAML file that people write by a schema, so that every mistake has a place: file, line, column and key.

Pydantic tells which part it refuses, and the reader of YAML where each part begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from buchi.common.errors import InputError, Place, nearest
from buchi.common.yaml_values import Placed, Places, Way, read_yaml
from buchi.models.source import Source
from buchi.pipeline.loading import read_text

MOST_CHARACTERS = 4 << 20
MOST_PARTS = 100_000
"""More than anybody writes, and little enough to be read at once."""

Schema = TypeVar("Schema", bound=BaseModel)


@dataclass(frozen=True)
class Document(Generic[Schema]):
    """What a file says, where it was read, and where its parts are in the text."""

    value: Schema
    path: Path
    text: Source
    places: Places

    def place(self, *parts: str | int) -> Place:
        """Return where a part is, or the nearest part around it that was written."""
        return _place(self.text, self.places, parts)

    def error(self, message: str, *parts: str | int, suggestion: str | None = None) -> InputError:
        """Return the error that points at a part and names its key."""
        key = ".".join(map(str, _written(parts, self.places)))
        return InputError(f"{key}: {message}" if key else message, self.place(*parts), suggestion)


@dataclass(frozen=True)
class Kind(Generic[Schema]):
    """A kind of file: its schema, and what messages call it."""

    schema: type[Schema]
    name: str
    keys: str
    """What it is a mapping of."""
    hint: str | None = None
    """What to do with one that is too large."""

    def read(self, path: Path | str) -> Document[Schema]:
        """Read a file. Raises InputError."""
        path = Path(path)
        text = Source(str(path), read_text(path))
        if len(text.text) > MOST_CHARACTERS:
            raise InputError(f"{self.name} is not larger than 4 MiB", Place(text.name), self.hint)
        value, places = self._parsed(text)
        try:
            return Document(self.schema.model_validate(value), path, text, places)
        except ValidationError as error:
            raise _explained(error.errors(), text, places, f"the {self.name.partition(' ')[2]}") from None

    def _parsed(self, text: Source) -> Placed:
        try:
            read = read_yaml(text.text, text.name, MOST_PARTS)
        except InputError as error:
            at = error.place
            shown = text.place(at.line, at.column) if at and at.line and at.column else at
            raise InputError(error.message, shown) from None
        if not isinstance(read.value, dict):
            raise InputError(f"{self.name} is a mapping with {self.keys}", Place(text.name, 1))
        return read


_OF_OURS = ("unknown_key", "value_error")
"""Complaints of the schema's own: they are about what a value says, and so it is of the right kind."""


def _most_telling(problems: Sequence[ErrorDetails], places: Places) -> ErrorDetails:
    """Return the complaint about the smallest part: where a value may be of several kinds, each has complained."""
    return max(problems, key=lambda p: (len(_written(_where(p), places)), p["type"] in _OF_OURS))


def _where(problem: ErrorDetails) -> Way:
    """Return which part is at fault; for an unknown key that is the key itself."""
    if problem["type"] == "unknown_key":
        return (*problem["loc"], str(problem["ctx"]["key"]))
    return problem["loc"]


_SHOULD_BE = {
    "tuple_type": "a list",
    "too_short": "a list that is not empty",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
}
"""What the complaints of pydantic about types mean in YAML."""


def _explained(problems: Sequence[ErrorDetails], text: Source, places: Places, whole: str) -> InputError:
    """Turn complaints of pydantic into a message with a place and, where there is one, a suggestion."""
    problem = _most_telling(problems, places)
    path = _written(_where(problem), places)
    missing = problem["loc"][-1:] if problem["type"] == "missing" else ()
    key = ".".join(map(str, (*path, *missing))) or whole
    here = [other for other in problems if _written(_where(other), places) == path]
    kind = None if problem["type"] in _OF_OURS else _alternatives(here)
    message = kind or problem["msg"].removeprefix("Value error, ")
    shown = f"{key}: {message[:1].lower()}{message[1:]}"
    return InputError(shown, _place(text, places, path), _suggestion(problem))


def _alternatives(problems: Sequence[ErrorDetails]) -> str | None:
    """Return what a value may be where all complaints are about that: it may be of several kinds."""
    allowed = [_SHOULD_BE.get(p["type"]) or p.get("ctx", {}).get("expected") for p in problems]
    if None in allowed:
        return None
    return f"this should be {' or '.join(dict.fromkeys(map(str, allowed)))}"


def _suggestion(problem: ErrorDetails) -> str | None:
    context = problem.get("ctx", {})
    if problem["type"] == "unknown_key":
        return nearest(context["key"], context["known"].split(", ")) or f"keys: {context['known']}"
    if problem["type"] == "literal_error":
        return nearest(str(problem["input"]), re.findall(r"'([^']*)'", context["expected"]))
    return None


def _written(where: Sequence[str | int], places: Places) -> Way:
    """Return the parts of a location that are in the text: pydantic adds the names of schemas it has tried."""
    path: Way = ()
    for part in where:
        if (*path, part) in places:
            path = (*path, part)
    return path


def _place(text: Source, places: Places, way: Way) -> Place:
    while way not in places:
        way = way[:-1]
    return text.place(*places[way])
