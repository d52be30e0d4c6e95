"""Documents in YAML or JSON, read strictly: no key twice, no unknown field, a place for every mistake."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from buchi.schemas.errors import InputError, Place

Document = TypeVar("Document", bound=BaseModel)
_BOOL = "tag:yaml.org,2002:bool"


class _Loader(yaml.SafeLoader):
    """The safe loader, which refuses a key that comes twice; `on`, `off`, `yes` and `no` are words, as in YAML 1.2."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Build a mapping."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        _refuse_repeated(keys, node)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag != _BOOL]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_BOOL, re.compile("(true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def _refuse_repeated(keys: list[Any], node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, (where, _) in zip(keys, node.value, strict=True):
        if str(key) in seen:
            raise yaml.MarkedYAMLError(problem=f"{key} comes twice", problem_mark=where.start_mark)
        seen.add(str(key))


def read_document(text: str, source: str, schema: type[Document]) -> Document:
    """Return the document of a text: YAML, unless the name of its file says JSON. Raises InputError."""
    content = _from_json(text, source) if source.endswith(".json") else _from_yaml(text, source)
    try:
        return schema.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise InputError(
            f"{where}: {message}" if where else message,
            Place(source),
            f"fields: {', '.join(schema.model_fields)}",
        ) from None


def _from_json(text: str, source: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(error.msg, Place(source, error.lineno, error.colno)) from None
    except (KeyError, RecursionError) as error:
        raise InputError(_complaint(error), Place(source)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        raise KeyError(next(name for i, name in enumerate(names) if name in names[:i]))
    return result


def _complaint(error: KeyError | RecursionError) -> str:
    return f"{error.args[0]} comes twice" if isinstance(error, KeyError) else "nested too deeply"


def _from_yaml(text: str, source: str) -> Any:
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(source, mark.line + 1, mark.column + 1) if mark else Place(source)
        raise InputError(error.problem or "this is not YAML", place) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"this is not YAML: {error}", Place(source)) from None
