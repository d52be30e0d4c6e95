"""PNML to a net: places, transitions and arcs on any number of pages, reference nodes, units of NUPN.

Nodes and arcs come in any order; arcs are resolved when all nodes are known. What would change the meaning of a net
and is not supported is refused where it stands: colours, inhibitor and reset arcs, capacities. What a tool says for
itself, and how a net is drawn, is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from buchi.common.errors import InputError, Place, nearest
from buchi.models.markup import Markup
from buchi.models.pnml.net import Net, Transition, Weights

LONGEST: Final = 80 << 20
"""Characters of a file; the largest net of the contest has 63 million of them."""
MOST: Final = 2**31 - 1
"""Tokens of a place and weights of an arc."""

_NUMBER = re.compile(r"0*[0-9]{1,10}", re.ASCII)
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_ON_PAGE: Final = frozenset({"net", "page"})
_PARENTS: Final = {
    "net": frozenset({"pnml"}),
    "page": _ON_PAGE,
    "place": _ON_PAGE,
    "transition": _ON_PAGE,
    "arc": _ON_PAGE,
    "referencePlace": _ON_PAGE,
    "referenceTransition": _ON_PAGE,
    "initialMarking": frozenset({"place"}),
    "inscription": frozenset({"arc"}),
    "text": frozenset({"initialMarking", "inscription"}),
    "type": frozenset({"arc", "place"}),
    "structure": frozenset({"toolspecific"}),
    "unit": frozenset({"structure"}),
    "places": frozenset({"unit"}),
}
"""Elements that are read, and where they may stand; other elements are passed over with all that is in them."""
_REFUSED: Final = {
    "hlinitialMarking": "coloured nets",
    "hlinscription": "coloured nets",
    "condition": "coloured nets",
    "declaration": "coloured nets",
    "capacity": "capacities of places",
}


class _Arc(NamedTuple):
    """An arc as it is written, and where."""

    source: str
    target: str
    weight: int
    at: int


class _Reference(NamedTuple):
    """A node that stands for another, and where it is written."""

    to: str
    is_place: bool
    at: int


@dataclass
class _Nodes:
    """The nodes of a net by their ids: the number of each among its like."""

    places: dict[str, int] = field(default_factory=dict)
    transitions: dict[str, int] = field(default_factory=dict)
    references: dict[str, _Reference] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        return name in self.places or name in self.transitions or name in self.references


def read_pnml(text: str, source: str, name: str) -> Net:
    """Return the net of a text. Raises InputError."""
    if len(text) > LONGEST:
        raise InputError(f"a net has at most {LONGEST >> 20} MiB", Place(source))
    reader = _Reader(Markup(text, source))
    return reader.net(name)


class _Reader:
    """Takes the elements one by one."""

    def __init__(self, document: Markup) -> None:
        self._document = document
        self._path: list[str] = []
        self._passed_over = 0
        self._nodes = _Nodes()
        self._marking: list[int] = []
        self._arcs: list[_Arc] = []
        self._number: int | None = None
        self._nets = 0
        self._safe = False
        self._units: list[tuple[list[str], int]] = []
        self._starts: dict[str, Callable[[dict[str, str]], None]] = {
            "net": self._net,
            "place": self._place,
            "transition": self._transition,
            "arc": self._arc,
            "referencePlace": self._reference_place,
            "referenceTransition": self._reference_transition,
            "initialMarking": self._no_number,
            "inscription": self._no_number,
            "text": self._text,
            "type": self._type,
            "structure": self._structure,
            "places": self._text,
        }
        self._ends: dict[str, Callable[[], None]] = {
            "text": self._end_of_text,
            "initialMarking": self._end_of_marking,
            "inscription": self._end_of_inscription,
            "places": self._end_of_places,
        }

    def net(self, name: str) -> Net:
        self._document.read(self._start, self._end)
        if not self._nets:
            raise self._document.error("there is no net in this file")
        if not self._nodes.places:
            raise self._document.error("the net has no places")
        transitions = _Arcs(self._document, self._nodes).transitions(self._arcs)
        units = self._own_units() if self._safe else ()
        return Net(name, tuple(self._nodes.places), tuple(self._marking), transitions, units)

    # Elements.

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._passed_over:
            self._passed_over += 1
            return
        if not self._path:
            self._check_root(name)
        elif not self._is_read(name, attributes):
            self._passed_over = 1
            return
        self._path.append(name)
        start = self._starts.get(name)
        if start is not None:
            start(attributes)

    def _end(self, _name: str) -> None:
        if self._passed_over:
            self._passed_over -= 1
            return
        end = self._ends.get(self._path.pop())
        if end is not None:
            end()

    def _check_root(self, name: str) -> None:
        if name != "pnml":
            raise self._document.error(f"this is not PNML: the root element is {_shown(name)}, not pnml")

    def _is_read(self, name: str, attributes: dict[str, str]) -> bool:
        """Is the element one that is read? Raises InputError where it stands in a wrong place."""
        if name == "toolspecific":
            return attributes.get("tool") == "nupn"
        if name in _REFUSED and self._path[-1] != "toolspecific":
            raise self._refused(_REFUSED[name])
        parents = _PARENTS.get(name)
        if parents is None:
            return False
        if self._path[-1] in parents:
            return True
        if name in ("text", "structure", "type", "unit", "places"):  # words that others use for themselves
            return False
        raise self._document.error(f"the element {name} cannot stand in {self._path[-1]}")

    def _net(self, attributes: dict[str, str]) -> None:
        self._nets += 1
        if self._nets > 1:
            raise self._document.error("there is more than one net in this file")
        kind = attributes.get("type", "").strip().rpartition("/")[2]
        if kind in ("symmetricnet", "highlevelnet", "pt-hlpng"):
            raise self._refused("coloured nets")
        if kind != "ptnet":
            raise self._document.error(f"nets of the type {_shown(kind)!r} are not supported, only ptnet")

    def _place(self, attributes: dict[str, str]) -> None:
        self._nodes.places[self._new_id(attributes)] = len(self._marking)
        self._marking.append(0)

    def _transition(self, attributes: dict[str, str]) -> None:
        self._nodes.transitions[self._new_id(attributes)] = len(self._nodes.transitions)

    def _reference_place(self, attributes: dict[str, str]) -> None:
        self._reference(attributes, is_place=True)

    def _reference_transition(self, attributes: dict[str, str]) -> None:
        self._reference(attributes, is_place=False)

    def _reference(self, attributes: dict[str, str], *, is_place: bool) -> None:
        name, to = self._new_id(attributes), self._attribute(attributes, "ref")
        self._nodes.references[name] = _Reference(to, is_place, self._document.here)

    def _arc(self, attributes: dict[str, str]) -> None:
        ends = self._attribute(attributes, "source"), self._attribute(attributes, "target")
        self._arcs.append(_Arc(*ends, 1, self._document.here))
        self._check_kind_of_arc(attributes.get("type", "normal"))

    def _type(self, attributes: dict[str, str]) -> None:
        """Take the kind of an arc; a place with a type is a coloured one."""
        if self._path[-2] == "place":
            raise self._refused("coloured nets")
        self._check_kind_of_arc(attributes.get("value", "normal"))

    def _check_kind_of_arc(self, kind: str) -> None:
        if kind.strip() != "normal":
            raise self._refused(f"{_shown(kind)} arcs")

    def _refused(self, what: str) -> InputError:
        error = self._document.error(f"{what} are not supported")
        assert error.place is not None
        error.message += f", found at line {error.place.line}"
        return error

    def _new_id(self, attributes: dict[str, str]) -> str:
        name = self._attribute(attributes, "id")
        if self._nodes.has(name):
            raise self._document.error(f"the id {_shown(name)} comes twice")
        if not name.isprintable() or " " in name:
            raise self._document.error(f"the id {name[:80]!a} has characters that no name has")
        return name

    def _attribute(self, attributes: dict[str, str], name: str) -> str:
        value = attributes.get(name, "")
        if not value:
            raise self._document.error(f"the element {self._path[-1]} needs {name}=")
        return value

    # Numbers.

    def _no_number(self, _attributes: dict[str, str]) -> None:
        self._number = None

    def _text(self, _attributes: dict[str, str]) -> None:
        self._document.collect()

    def _end_of_text(self) -> None:
        what = "marking" if self._path[-1] == "initialMarking" else "weight"
        self._number = self._read_number(self._document.collected().strip(), what)

    def _read_number(self, text: str, what: str) -> int:
        if _NUMBER.fullmatch(text) and int(text[-11:]) <= MOST:
            return int(text[-11:])
        if not _INTEGER.fullmatch(text):
            raise self._document.error(f"the {what} {_shown(text)!a} is no number")
        bound = "negative" if text[0] == "-" else f"more than {MOST}"
        raise self._document.error(f"the {what} {_shown(text)} is {bound}")

    def _end_of_marking(self) -> None:
        self._marking[-1] = self._given("an initialMarking")

    def _end_of_inscription(self) -> None:
        weight = self._given("an inscription")
        if not weight:
            raise self._document.error("the weight of an arc is at least 1")
        self._arcs[-1] = self._arcs[-1]._replace(weight=weight)

    def _given(self, what: str) -> int:
        if self._number is None:
            raise self._document.error(f"{what} needs <text> with a number")
        return self._number

    # Units.

    def _structure(self, attributes: dict[str, str]) -> None:
        self._safe = attributes.get("safe", "").strip() == "true"

    def _end_of_places(self) -> None:
        self._units.append((self._document.collected().split(), self._document.here))

    def _own_units(self) -> tuple[tuple[int, ...], ...]:
        """Return the places of each unit. Raises InputError where that cannot be."""
        seen: set[str] = set()
        for names, at in self._units:
            for name in names:
                if name not in self._nodes.places:
                    raise self._document.error(f"a unit has {_shown(name)}, which is no place", at)
                if name in seen:
                    raise self._document.error(f"the place {_shown(name)} is in two units", at)
                seen.add(name)
            if sum(self._marking[self._nodes.places[name]] for name in names) > 1:
                raise self._document.error(
                    "a unit of a net that is safe has more than one token at first", at
                )
        return tuple(tuple(self._nodes.places[name] for name in names) for names, _ in self._units if names)


@dataclass(frozen=True)
class _Arcs:
    """Joins arcs to the nodes that they name."""

    document: Markup
    nodes: _Nodes

    def transitions(self, arcs: list[_Arc]) -> tuple[Transition, ...]:
        """Return the transitions with their arcs; several between the same nodes add up."""
        made = [Transition(name, {}, {}) for name in self.nodes.transitions]
        for arc in arcs:
            source, target = self._resolved(arc.source, arc.at), self._resolved(arc.target, arc.at)
            place, transition = self.nodes.places.get(source), self.nodes.transitions.get(target)
            if place is not None and transition is not None:
                self._add(made[transition].inputs, place, arc)
                continue
            transition, place = self.nodes.transitions.get(source), self.nodes.places.get(target)
            if place is None or transition is None:
                raise self.document.error("an arc must join a place and a transition", arc.at)
            self._add(made[transition].outputs, place, arc)
        return tuple(made)

    def _add(self, weights: Weights, place: int, arc: _Arc) -> None:
        weights[place] = weights.get(place, 0) + arc.weight
        if weights[place] > MOST:
            raise self.document.error(f"the weights of arcs between two nodes are more than {MOST}", arc.at)

    def _resolved(self, name: str, at: int) -> str:
        """Return the node that a name stands for in the end; the references on the way then lead to it at once."""
        passed: set[str] = set()
        while name in self.nodes.references:
            if name in passed:
                raise self.document.error(f"the reference {_shown(name)} leads to itself", at)
            passed.add(name)
            reference = self.nodes.references[name]
            self._check(reference.to, reference.at)
            name = reference.to
            others = self.nodes.transitions if reference.is_place else self.nodes.places
            if name in others:
                raise self.document.error("a reference leads to a node of the other kind", reference.at)
        self._check(name, at)
        for one in passed:
            self.nodes.references[one] = self.nodes.references[one]._replace(to=name)
        return name

    def _check(self, name: str, at: int) -> None:
        if not self.nodes.has(name):
            hint = nearest(name, (*self.nodes.places, *self.nodes.transitions))
            raise self.document.error(f"there is no node {_shown(name)}", at, hint)


def _shown(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
