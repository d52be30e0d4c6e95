"""YAML as plain values: mappings, lists, text, numbers, truth values, and nothing else.

LibYAML parses where PyYAML has it; the values are built from its events, in one pass. Refused, with their place: a key
that comes twice, aliases (`*x`), by which a small text becomes a large value, tags (`!!python/name:...`), by which a
text chooses what is built, and deep nesting. As in YAML 1.2, `on`, `off`, `yes` and `no` are words; so is everything
that is not plainly a number, such as `010` and `0x10`: as the name of a state it means what it says.

Where a text is small, `read_yaml` also tells where each part of it begins, and takes aliases: what they stand for is
written out in their place, within a bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

import yaml

from buchi.common.errors import InputError, Place
from buchi.common.words import printable

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


Way = tuple[str | int, ...]
"""The way to a part of a document: keys and indices."""
Places = Mapping[Way, tuple[int, int]]
"""Where parts begin: line and column. That of a key and its value is where the key is."""


class Placed(NamedTuple):
    """The value of a text, and where its parts begin."""

    value: Any
    places: Places


def load_yaml(text: str, name: str) -> Any:
    """Return the value of a text, which messages call `name`. Raises InputError."""
    with _explained(name):
        return _build(yaml.parse(text, Loader=_PARSER))


def read_yaml(text: str, name: str, most: int) -> Placed:
    """Return the value of a text with its places: of at most so many parts, with what aliases stand for."""
    with _explained(name):
        events = _written_out(yaml.parse(text, Loader=_PARSER), most)
        return Placed(_build(events), _places(events))


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn the complaints of a parser into those of the project."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(name, mark.line + 1, mark.column + 1) if mark else Place(name)
        raise InputError(printable(error.problem or "this is not YAML"), place) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise InputError(printable(f"this is not YAML: {error}"), Place(name)) from None


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
        if name == "<<" and event.implicit[0]:
            raise _error("keys are not merged by <<: write them out", event)
        if name in self.names:
            raise _error(f"{name} comes twice", event)
        self.names.add(name)
        self.key, self.has_key = key, True


def _build(events: Iterable[Any]) -> Any:
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
    _check_depth(depth, event)
    return _Open(mapping={} if isinstance(event, yaml.MappingStartEvent) else None)


def _check_depth(depth: int, event: Any) -> None:
    """Refuse what is nested deeply while it is being read: a parser takes quadratic time for it."""
    if depth > MAX_DEPTH:
        raise _error("nested too deeply", event)


def _scalar(event: Any) -> Any:
    _refuse_tag(event)
    text: str = event.value
    if not event.implicit[0]:  # in quotes
        return _whole(text, event)
    if text in _WORDS:
        return _WORDS[text]
    if not (text[0] in "-+." or text[0].isdigit()):
        return text
    if len(text) > _DIGITS and text.lstrip("-+").isdigit():
        raise _error(f"a number of {len(text)} digits is too large", event)
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _whole(text: str, event: Any) -> str:
    """Return a text, unless it escapes half of a character, which LibYAML refuses by itself."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _error("this text holds half of a Unicode character", event) from None
    return text


def _refuse_tag(event: Any) -> None:
    if event.tag not in (None, "!"):
        hint = ": put a formula in quotes" if event.tag.startswith("!") else ""
        raise _error(f"tags such as {event.tag[:60]} are refused{hint}", event)


def _written_out(events: Iterable[Any], most: int) -> list[Any]:
    """Return the events with those that each alias stands for in its place."""
    done: list[Any] = []
    opened: list[tuple[str | None, int]] = []
    anchored: dict[str | None, slice] = {}
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            done += done[_meaning(event, anchored, opened)]
        else:
            done.append(event)
        if isinstance(event, yaml.CollectionStartEvent):
            opened.append((event.anchor, len(done) - 1))
            _check_depth(len(opened), event)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, first = opened.pop()
            anchored[anchor] = slice(first, len(done))
        elif isinstance(event, yaml.ScalarEvent):
            anchored[event.anchor] = slice(len(done) - 1, len(done))
        if len(done) > most:
            raise _error(f"this has more than {most:,} parts, with what its aliases stand for", event)
    return done


def _meaning(
    alias: Any, anchored: Mapping[str | None, slice], opened: Iterable[tuple[str | None, int]]
) -> slice:
    """Return which events an alias stands for."""
    if alias.anchor in (anchor for anchor, _ in opened):
        raise _error(f"the alias *{alias.anchor} contains itself", alias)
    if alias.anchor not in anchored:
        raise _error(f"there is no anchor &{alias.anchor} before this alias", alias)
    return anchored[alias.anchor]


def _places(events: Iterable[Any]) -> Places:
    """Return where each part begins. The events are known to make a value, so that keys are scalars."""
    rest = iter(events)
    root = next((event for event in rest if isinstance(event, yaml.NodeEvent)), None)
    marks = {(): root.start_mark, **dict(_parts((), root, rest))} if root else {}
    return {way: (mark.line + 1, mark.column + 1) for way, mark in marks.items()}


def _parts(way: Way, event: Any, rest: Iterator[Any]) -> Iterator[tuple[Way, Any]]:
    """Yield the parts of the value that begins with an event and goes on with the rest, and their marks."""
    if isinstance(event, yaml.MappingStartEvent):
        for key in takewhile(_is_inside, rest):
            yield (*way, key.value), key.start_mark
            yield from _parts((*way, key.value), next(rest), rest)
    elif isinstance(event, yaml.SequenceStartEvent):
        for i, item in enumerate(takewhile(_is_inside, rest)):
            yield (*way, i), item.start_mark
            yield from _parts((*way, i), item, rest)


def _is_inside(event: Any) -> bool:
    return not isinstance(event, yaml.CollectionEndEvent)


def _error(problem: str, event: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
