"""Models and propositions that were read before, kept between runs: most commands are given what another one had.

Kept are guarded commands and expressions as plain data, by the text and by all code that made them of it; what is read
back runs nothing. A new one takes the place of an older one, so that there are never more than `SLOTS` of each.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path, PurePath
from typing import Any, TypeAlias

from buchi.models import cache, guarded
from buchi.models.frontend import Loaded
from buchi.models.guarded import Meaning, Model, Type

SLOTS = 256
LONGEST = 1 << 20
"""Characters of a text that is kept; there are no longer ones that people wrote."""


Node: TypeAlias = tuple[Any, ...]
_SCALAR, _TYPE, _TUPLE, _DICT = "scalar", "type", "tuple", "dict"
_CLASSES = {
    name: value
    for name, value in vars(guarded).items()
    if isinstance(value, type) and is_dataclass(value) and value.__module__ == guarded.__name__
}

_loaded: deque[tuple[Model, str]] = deque(maxlen=16)
"""The last models and their keys: each stands for the text, and so for all that a proposition may mean."""


def load(text: str, source: str, *, overflow_is_error: bool, make: Callable[[], Loaded]) -> Loaded:
    """Return what `make` makes of a text, or has made of it before. A model with a property is not kept."""
    if len(text) > LONGEST:
        return make()
    name = PurePath(source).name
    key = cache.key_of(text, name, str(overflow_is_error), _code(), sys.version)
    model = _read(key, "model")
    loaded = make() if model is None else Loaded(model)
    if model is None and loaded.forbidden is None:
        _write(key, "model", loaded.model)
    _loaded.append((loaded.model, key))
    return loaded


def meanings(names: Iterable[str], model: Model, make: Callable[[str], Meaning]) -> dict[str, Meaning]:
    """Return what `make` makes of each proposition over a model; those over a model that was loaded here are kept."""
    texts = tuple(names)
    key = next((cache.key_of(key, *texts) for known, key in _loaded if known is model), None)
    kept = _read(key, "propositions") if key else None
    if kept is not None:
        return dict(zip(texts, kept, strict=True))
    made = {text: make(text) for text in texts}
    if key:
        _write(key, "propositions", tuple(made.values()))
    return made


def derived(model: Model, kind: str, make: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return what `make` makes of a model alone, as plain data; that of a model that was loaded here is kept."""
    key = next((key for known, key in _loaded if known is model), None)
    found: tuple[Any, ...] | None = _read(key, kind) if key else None
    if found is None:
        found = make()
        if key:
            _write(key, kind, found)
    return found


def _read(key: str, kind: str) -> Any:
    """Return what is kept under a key, or None."""
    with cache.opened(cache.location("loaded")) as folder:
        content = folder.read(_file(key, kind), key) if folder else None
    return None if content is None else restored(marshal.loads(content))


def _write(key: str, kind: str, value: Any) -> None:
    """Keep a value, if that can be done."""
    with cache.opened(cache.location("loaded")) as folder:
        if folder and (nodes := flattened(value)) is not None:
            folder.write(_file(key, kind), key, marshal.dumps(nodes))


def _file(key: str, kind: str) -> str:
    return f"{int(key[:8], 16) % SLOTS:02x}.{kind}"


def _code() -> str:
    """Return a digest of the code that makes models of texts."""
    digest = hashlib.sha256()
    for path in code_files():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def code_files() -> list[Path]:
    """Return the files of this folder that hold code or grammars."""
    return sorted(p for p in Path(__file__).parent.rglob("*.*") if p.suffix in (".py", ".lark"))


def flattened(value: Any) -> list[Node] | None:
    """Return a model, or a part, as a list of nodes, parts first, equal ones once; None if nested too deeply."""
    numbers: dict[Node, int] = {}

    def number(value: Any) -> int:
        node = _node(value, number)
        return numbers.setdefault(node, len(numbers))

    try:
        number(value)
    except RecursionError:
        return None
    return list(numbers)


def _node(value: Any, number: Callable[[Any], int]) -> Node:
    if isinstance(value, Type):
        return (_TYPE, value.name)
    if type(value) is tuple:
        return (_TUPLE, *map(number, value))
    if type(value) is dict:
        return (_DICT, *(number(part) for pair in value.items() for part in pair))
    if is_dataclass(value):
        parts = (getattr(value, field.name) for field in fields(value) if field.init)
        return (type(value).__name__, *map(number, parts))
    assert value is None or isinstance(value, bool | int | str), value
    return (_SCALAR, type(value).__name__, value)


def restored(nodes: list[Node]) -> Any:
    """Return what a list of nodes was made of."""
    values: list[Any] = []
    for kind, *parts in nodes:
        if kind == _SCALAR:
            values.append(parts[1])
        elif kind == _TYPE:
            values.append(Type[parts[0]])
        else:
            values.append(_made(kind, [values[part] for part in parts]))
    return values[-1]


def _made(kind: str, parts: list[Any]) -> Any:
    if kind == _TUPLE:
        return tuple(parts)
    if kind == _DICT:
        return dict(zip(parts[::2], parts[1::2], strict=True))
    return _CLASSES[kind](*parts)
