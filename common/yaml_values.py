"""YAML as plain values: mappings, lists, text, numbers, truth values, and nothing else.

LibYAML parses where PyYAML has it; the values are built from its events, in one pass. Refused, with their place: a key
that comes twice, aliases (`*x`), by which a small text becomes a large value, tags (`!!python/name:...`), by which a
text chooses what is built, and deep nesting. As in YAML 1.2, `on`, `off`, `yes` and `no` are words; so is everything
that is not plainly a number, such as `010` and `0x10`: as the name of a state it means what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_DEPTH = 100
_DIGITS = 100
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?")
_WORDS = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_PARSER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def load_yaml(text: str) -> Any:
    """Return the value of a text. Raises YAMLError."""
    return build(yaml.parse(text, Loader=_PARSER))


@dataclass
class _Open:
    """A collection that is being built; `key` waits for its value."""

    items: list[Any] = field(default_factory=list)
    mapping: dict[Any, Any] | None = None
    names: set[str] = field(default_factory=set)
    key: Any = None
    has_key: bool = False

    def value(self) -> Any:
        return self.items if self.mapping is None else self.mapping

    def add(self, value: Any, event: Any) -> None:
        """Take an item, a key or the value of a key."""
        if self.mapping is None:
            self.items.append(value)
        elif self.has_key:
            self.mapping[self.key] = value
            self.has_key = False
        else:
            self._take_key(value, event)

    def _take_key(self, key: Any, event: Any) -> None:
        name = str(key)
        if isinstance(key, list | dict):
            raise _error("a key has to be a word", event)
        if name in self.names:
            raise _error(f"{name} comes twice", event)
        self.names.add(name)
        self.key, self.has_key = key, True


def build(events: Iterable[Any]) -> Any:
    """Return the value that events of a parser describe."""
    stack = [_Open()]
    for event in events:
        if isinstance(event, yaml.ScalarEvent):
            stack[-1].add(_scalar(event), event)
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append(_opened(event, len(stack)))
        elif isinstance(event, yaml.CollectionEndEvent):
            done = stack.pop().value()
            stack[-1].add(done, event)
        elif isinstance(event, yaml.AliasEvent):
            raise _error(f"aliases such as *{event.anchor} are refused: write it out", event)
        elif isinstance(event, yaml.DocumentStartEvent) and stack[0].items:
            raise _error("a second document begins here", event)
    return stack[0].items[0] if stack[0].items else None


def _opened(event: Any, depth: int) -> _Open:
    _refuse_tag(event)
    if depth > MAX_DEPTH:
        raise _error("nested too deeply", event)
    return _Open(mapping={} if isinstance(event, yaml.MappingStartEvent) else None)


def _scalar(event: Any) -> Any:
    _refuse_tag(event)
    text: str = event.value
    if not event.implicit[0]:  # in quotes
        return text
    if text in _WORDS:
        return _WORDS[text]
    if not (text[0] in "-+." or text[0].isdigit()):
        return text
    if len(text) > _DIGITS and text.lstrip("-+").isdigit():
        raise _error(f"a number of {len(text)} digits is too large", event)
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _refuse_tag(event: Any) -> None:
    if event.tag not in (None, "!"):
        raise _error(f"tags such as {event.tag[:60]} are refused", event)


def _error(problem: str, event: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
