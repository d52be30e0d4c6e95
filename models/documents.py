"""Documents in YAML or JSON, read strictly: no key twice, no unknown field, a place for every mistake."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from buchi.common.complaints import Complaint
from buchi.common.errors import InputError, Place
from buchi.common.words import printable
from buchi.common.yaml_values import load_yaml

Document = TypeVar("Document", bound=BaseModel)
_SHOWN = 200
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character in JSON; two of them may make one."""


def read_document(text: str, source: str, schema: type[Document]) -> Document:
    """Return the document of a text: YAML, unless the name of its file says JSON. Raises InputError."""
    content = _from_json(text, source) if source.endswith(".json") else load_yaml(text, source)
    try:
        return schema.model_validate(content)
    except ValidationError as error:
        where, what = Complaint.of(error)
        raise InputError(
            printable(str(Complaint(where[:_SHOWN], what))),
            Place(source),
            f"fields: {', '.join(schema.model_fields)}",
        ) from None


def _from_json(text: str, source: str) -> Any:
    try:
        content = json.loads(text, object_pairs_hook=_object)
        if _SURROGATE.search(text):
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except UnicodeEncodeError:
        raise InputError("half a character (a lone surrogate) is no text", Place(source)) from None
    except json.JSONDecodeError as error:
        raise InputError(error.msg, Place(source, error.lineno, error.colno)) from None
    except RecursionError:
        raise InputError("nested too deeply", Place(source)) from None
    except ValueError as error:  # a key that comes twice, or a number of thousands of digits
        raise InputError(printable(str(error)), Place(source)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise ValueError(f"{name} comes twice")
        result[name] = value
    return result
