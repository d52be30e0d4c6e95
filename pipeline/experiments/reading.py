"""Reads an experiment file, so that every mistake has a place: file, line, column and key.

The YAML is composed into nodes first, which know where they stand; the value of the file and the places of its parts
both come from them. Pydantic tells which part it refuses, and that part has a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from buchi.common.errors import InputError, Place, nearest
from buchi.models.source import Source
from buchi.pipeline.loading import read_text
from buchi.schemas.experiment import Experiment

Path_ = tuple[str | int, ...]
"""The way to a part of a document: keys and indices."""

MOST_CHARACTERS = 4 << 20
MOST_PARTS = 50_000
DEEPEST = 50
LONGEST_NUMBER = 100
"""More than anybody writes, and little enough to be read at once."""


@dataclass(frozen=True)
class Document:
    """An experiment, where it was read, and where its parts are in the text."""

    experiment: Experiment
    path: Path
    text: Source
    marks: Mapping[Path_, yaml.Mark]

    @property
    def name(self) -> str:
        """The name of the experiment: that of the file unless it says another."""
        return self.experiment.name or self.path.name.removesuffix(self.path.suffix)

    def place(self, *parts: str | int) -> Place:
        """Return where a part is, or the nearest part around it that was written."""
        return _place(self.text, self.marks, parts)

    def error(self, message: str, *parts: str | int, suggestion: str | None = None) -> InputError:
        """Return the error that points at a part and names its key."""
        key = ".".join(map(str, _written(parts, self.marks)))
        return InputError(f"{key}: {message}" if key else message, self.place(*parts), suggestion)


def read_experiment(path: Path | str) -> Document:
    """Read an experiment file. Raises InputError."""
    path = Path(path)
    text = Source(str(path), read_text(path))
    if len(text.text) > MOST_CHARACTERS:
        hint = "put the formulas into a file, and the structures into files of models"
        raise InputError("an experiment is not larger than 4 MiB", Place(text.name), hint)
    node = _composed(text)
    marks = _marks(node, text)
    try:
        experiment = Experiment.model_validate(_value(node, text, yaml.SafeLoader("")))
    except ValidationError as error:
        raise _explained(error.errors(), text, marks) from None
    return Document(experiment, path, text, marks)


def _composed(text: Source) -> yaml.Node:
    try:
        node = yaml.compose(text.text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = text.place(mark.line + 1, mark.column + 1) if mark else Place(text.name)
        raise InputError(error.problem or "this is not YAML", place) from None
    except yaml.YAMLError as error:
        raise InputError(f"this is not YAML: {error}", Place(text.name)) from None
    except RecursionError:
        raise InputError("this is nested too deeply", Place(text.name)) from None
    if not isinstance(node, yaml.MappingNode):
        raise InputError("an experiment is a mapping with the keys models, formulas, …", Place(text.name, 1))
    return node


def _value(node: yaml.Node, text: Source, loader: yaml.SafeLoader) -> Any:
    """Return what a node means. Raises InputError for what the safe loader refuses, and for a key that comes twice."""
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, text, loader)
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, text, loader) for child in node.value]
    return _constructed(node, text, loader)


def _mapping(node: yaml.MappingNode, text: Source, loader: yaml.SafeLoader) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key, child in node.value:
        if key.tag == _MERGE:
            raise InputError("keys are not merged here: write them out", _at(text, key.start_mark))
        name = _constructed(key, text, loader)
        if name in result:
            raise InputError(f"the key {name} comes twice", _at(text, key.start_mark))
        result[name] = _value(child, text, loader)
    return result


_MERGE = "tag:yaml.org,2002:merge"
_TAGS = {"!": "what begins with ! is a tag of YAML: put a formula in quotes"}


_NOT_OF_THE_TAG = (LookupError, AttributeError, ArithmeticError)
"""What the constructors of YAML raise where a tag was written before something else, such as `!!int ""`."""
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


def _constructed(node: yaml.Node, text: Source, loader: yaml.SafeLoader) -> Any:
    try:
        _check_number(node)
        value = loader.construct_object(node, deep=True)
        if isinstance(value, str):
            value.encode()
    except UnicodeEncodeError:
        raise InputError("this text holds half of a character", _at(text, node.start_mark)) from None
    except (yaml.YAMLError, TypeError, ValueError) as error:
        message = getattr(error, "problem", None) or str(error)
        raise InputError(message, _at(text, node.start_mark), _TAGS.get(node.tag[:1])) from None
    except _NOT_OF_THE_TAG:
        raise InputError(f"this is not what the tag {node.tag} says", _at(text, node.start_mark)) from None
    return value


def _check_number(node: yaml.Node) -> None:
    """Refuse a number that would take long to be read. Raises ValueError."""
    if node.tag in _NUMBERS and len(node.value) > LONGEST_NUMBER:
        raise ValueError(f"this number has {len(node.value):,} characters")


def _marks(root: yaml.Node, text: Source) -> dict[Path_, yaml.Mark]:
    """Return where each part begins; that of a key and its value is where the key is.

    Raises InputError where aliases make a small text stand for more than anybody would write.
    """
    marks: dict[Path_, yaml.Mark] = {(): root.start_mark}
    pending: list[tuple[Path_, yaml.Node]] = [((), root)]
    while pending:
        path, node = pending.pop()
        if len(path) > DEEPEST:
            raise InputError("this is nested too deeply, or an alias contains itself", _at(text, marks[path]))
        for part, mark, child in _parts(node, text):
            marks[(*path, part)] = mark
            pending.append(((*path, part), child))
        if len(marks) > MOST_PARTS:
            message = f"this has more than {MOST_PARTS:,} parts, with what its aliases stand for"
            raise InputError(message, Place(text.name))
    return marks


def _parts(node: yaml.Node, text: Source) -> Iterator[tuple[str | int, yaml.Mark, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise InputError("a key is a text", _at(text, key.start_mark))
            yield str(key.value), key.start_mark, child
    elif isinstance(node, yaml.SequenceNode):
        for i, child in enumerate(node.value):
            yield i, child.start_mark, child


_OF_OURS = ("unknown_key", "value_error")
"""Complaints of the schema's own: they are about what a value says, and so it is of the right kind."""


def _most_telling(problems: Sequence[ErrorDetails], marks: Mapping[Path_, yaml.Mark]) -> ErrorDetails:
    """Return the complaint about the smallest part: where a value may be of several kinds, each has complained."""
    return max(problems, key=lambda p: (len(_written(_where(p), marks)), p["type"] in _OF_OURS))


def _where(problem: ErrorDetails) -> Path_:
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


def _explained(
    problems: Sequence[ErrorDetails], text: Source, marks: Mapping[Path_, yaml.Mark]
) -> InputError:
    """Turn complaints of pydantic into a message with a place and, where there is one, a suggestion."""
    problem = _most_telling(problems, marks)
    path = _written(_where(problem), marks)
    missing = problem["loc"][-1:] if problem["type"] == "missing" else ()
    key = ".".join(map(str, (*path, *missing))) or "the experiment"
    here = [other for other in problems if _written(_where(other), marks) == path]
    kind = None if problem["type"] in _OF_OURS else _alternatives(here)
    message = kind or problem["msg"].removeprefix("Value error, ")
    shown = f"{key}: {message[:1].lower()}{message[1:]}"
    return InputError(shown, _place(text, marks, path), _suggestion(problem))


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


def _written(where: Sequence[str | int], marks: Mapping[Path_, yaml.Mark]) -> Path_:
    """Return the parts of a location that are in the text: pydantic adds the names of schemas it has tried."""
    path: Path_ = ()
    for part in where:
        if (*path, part) in marks:
            path = (*path, part)
    return path


def _place(text: Source, marks: Mapping[Path_, yaml.Mark], path: Path_) -> Place:
    while path not in marks:
        path = path[:-1]
    return _at(text, marks[path])


def _at(text: Source, mark: yaml.Mark) -> Place:
    return text.place(mark.line + 1, mark.column + 1)
