"""Formulas of the Model Checking Contest: properties in XML, over the places and transitions of a net.

A formula says what holds on all paths. `tokens-count` is the sum of places, `is-fireable` whether one of the
transitions can fire in a marking. What belongs to other examinations than LTL is refused where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Final, TypeAlias

from buchi.common.errors import InputError, nearest
from buchi.models.arithmetic import binary
from buchi.models.guarded import Command, Const, Expr, Model, Read
from buchi.models.markup import Markup
from buchi.models.propositions import enabled

_CONSTANT = re.compile(r"[0-9]{1,10}", re.ASCII)
_MOST: Final = 2**31 - 1
LONGEST: Final = 1_000_000
"""Characters of a formula, without the names in it."""


@dataclass(frozen=True)
class Property:
    """A property by its id: a formula in the syntax of Spot, and what its propositions mean, also as texts."""

    id: str
    formula: str
    meanings: dict[str, Expr]
    texts: dict[str, str]


@dataclass(frozen=True)
class _Formula:
    """Part of a formula, as text."""

    text: str


@dataclass(frozen=True)
class _Number:
    """A number of tokens; equal texts have equal values."""

    text: str
    value: Expr


Part: TypeAlias = _Formula | _Number | str
"""What an element becomes; the text of a name is left as it is."""


@dataclass
class _Element:
    """An element that is open, what is in it, and where it begins."""

    name: str
    at: int
    parts: list[Part] = field(default_factory=list)


_TEXTS: Final = frozenset({"id", "place", "transition", "integer-constant"})
_PASSED_OVER: Final = frozenset({"description"})
_PREFIXES: Final = {"all-paths": "", "negation": "!", "globally": "G", "finally": "F", "next": "X"}
_INFIXES: Final = {"conjunction": "&", "disjunction": "|"}
_AROUND: Final = frozenset({"property-set", "property", "formula", "before", "reach"})
_OTHERS: Final = frozenset({"until", "integer-le", "tokens-count", "is-fireable"})
_PARTS: Final = frozenset({*_TEXTS, *_PREFIXES, *_INFIXES, *_AROUND, *_OTHERS})


def read_properties(text: str, source: str, model: Model) -> tuple[Property, ...]:
    """Return the properties of a file. Raises InputError."""
    return _Reader(Markup(text, source), model).properties()


class _Reader:
    """Takes the elements one by one; each becomes a part of the one around it."""

    def __init__(self, document: Markup, model: Model) -> None:
        self._document = document
        self._model = model
        self._open: list[_Element] = []
        self._passed_over = 0
        self._found: dict[str, Property] = {}
        self._names: dict[str, str] = {}
        self._meanings: dict[str, Expr] = {}

    def properties(self) -> tuple[Property, ...]:
        self._document.read(self._start, self._end)
        if not self._found:
            raise self._document.error("there is no property in this file")
        return tuple(self._found.values())

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        if self._passed_over or name in _PASSED_OVER:
            self._passed_over += 1
            return
        if not self._open and name != "property-set":
            raise self._document.error(f"this is no file of properties: the root element is {name[:80]}")
        if name not in _PARTS:
            raise self._document.error(f"{name[:80]} is not supported in formulas of LTL")
        self._open.append(_Element(name, self._document.here))
        if name in _TEXTS:
            self._document.collect()

    def _end(self, name: str) -> None:
        if self._passed_over:
            self._passed_over -= 1
            return
        element = self._open.pop()
        if name == "property":
            self._end_of_property(element)
        elif name != "property-set":
            part = self._part(element)
            if isinstance(part, _Formula) and len(part.text) > LONGEST:
                raise self._document.error(f"a formula has at most {LONGEST} characters", element.at)
            self._open[-1].parts.append(part)

    def _part(self, element: _Element) -> Part:
        name = element.name
        if name in _TEXTS:
            text = self._document.collected().strip()
            return self._constant(text) if name == "integer-constant" else text
        if name in _AROUND:
            return self._formulas(element, 1, 1)[0]
        if name in _PREFIXES:
            return _Formula(f"{_PREFIXES[name]}({self._formulas(element, 1, 1)[0].text})")
        if name in _INFIXES:
            return _joined(_INFIXES[name], self._formulas(element, 1))
        if name == "until":
            return _joined("U", self._formulas(element, 2, 2))
        return self._state(element)

    def _state(self, element: _Element) -> Part:
        """Return a sum of places, or a proposition."""
        if element.name == "tokens-count":
            names = self._texts(element)
            return _Number(
                f"tokens({', '.join(names)})", reduce(partial(binary, "+"), map(self._place, names))
            )
        if element.name == "is-fireable":
            names = self._texts(element)
            return self._proposition(f"fireable({', '.join(names)})", lambda: self._fireable(names))
        numbers = [part for part in element.parts if isinstance(part, _Number)]
        if len(numbers) != 2 or len(element.parts) != 2:
            raise self._document.error("integer-le compares two numbers", element.at)
        left, right = numbers
        return self._proposition(
            f"{left.text} <= {right.text}", lambda: binary("<=", left.value, right.value)
        )

    def _proposition(self, text: str, meaning: Callable[[], Expr]) -> _Formula:
        """Return the name of a proposition; those of the same text have one name."""
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = f"p{len(self._names)}"
            self._meanings[name] = meaning()
        return _Formula(name)

    def _fireable(self, names: list[str]) -> Expr:
        tests = (enabled(command) for name in names for command in self._commands(name))
        return reduce(partial(binary, "or"), tests)

    def _formulas(self, element: _Element, least: int, most: int | None = None) -> list[_Formula]:
        found = [part for part in element.parts if isinstance(part, _Formula)]
        if len(found) < len(element.parts) or len(found) < least or (most is not None and len(found) > most):
            many = f"{least}" if least == most else f"at least {least}"
            raise self._document.error(f"{element.name} has other parts than {many} formula(s)", element.at)
        return found

    def _texts(self, element: _Element) -> list[str]:
        found = [part for part in element.parts if isinstance(part, str)]
        if not found or len(found) < len(element.parts):
            raise self._document.error(f"{element.name} needs names", element.at)
        return found

    def _constant(self, text: str) -> _Number:
        if not _CONSTANT.fullmatch(text) or int(text) > _MOST:
            raise self._document.error(f"{text[:80]!a} is no number from 0 to {_MOST}")
        return _Number(text, Const(int(text)))

    def _place(self, name: str) -> Expr:
        model = self._model
        if name in model.constants:
            return model.constants[name]
        if name not in model.index:
            raise self._unknown("place", name, [*model.index, *model.constants])
        return Read(model.index[name])

    def _commands(self, name: str) -> list[Command]:
        found = self._model.named_commands.get(name)
        if found is None:
            raise self._unknown("transition", name, self._model.named_commands)
        return found

    def _unknown(self, what: str, name: str, known: Iterable[str]) -> InputError:
        return self._document.error(f"the net has no {what} {name[:80]}", suggestion=nearest(name, known))

    def _end_of_property(self, element: _Element) -> None:
        ids = [part for part in element.parts if isinstance(part, str)]
        formulas = [part for part in element.parts if isinstance(part, _Formula)]
        if len(ids) != 1 or len(formulas) != 1:
            raise self._document.error("a property has one id and one formula", element.at)
        if ids[0] in self._found or not ids[0].isprintable() or not ids[0]:
            raise self._document.error(f"the id {ids[0][:80]!a} comes twice or is none", element.at)
        texts = {name: text for text, name in self._names.items()}
        self._found[ids[0]] = Property(ids[0], formulas[0].text, self._meanings, texts)
        self._names, self._meanings = {}, {}


def _joined(operator: str, parts: list[_Formula]) -> _Formula:
    return _Formula(f" {operator} ".join(f"({part.text})" for part in parts))
