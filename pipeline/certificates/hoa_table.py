"""Reads the automaton of a certificate: HOA as certificates have it, and nothing more of that language.

Labels and acceptance are disjunctions of conjunctions. Read by hand, since states have to keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from buchi.common.errors import InputError, Place
from buchi.schemas.automaton import MAX_PROPOSITIONS, MAX_SETS, Letter

_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
_LINES = {
    "HOA": re.compile(r"v1"),
    "States": re.compile(r"\d{1,7}", re.ASCII),
    "Start": re.compile(r"\d{1,7}", re.ASCII),
    "AP": re.compile(rf"\d{{1,3}}(?: {_NAME.pattern})*", re.ASCII),
    "acc-name": re.compile(r"[\w -]+", re.ASCII),
    "Acceptance": re.compile(r"\d{1,2} [FinItf()&|\d ]+", re.ASCII),
    "properties": re.compile(r"[\w -]+", re.ASCII),
}
"""What stands on the lines of the head, each in a line of its own: where Spot could read more, nothing is read."""
_STATE = re.compile(r"State: (\d{1,7})", re.ASCII)
_EDGE = re.compile(
    r"\[(t|f|!?\d{1,2}(?:(?:&| \| )!?\d{1,2})*)\] (\d{1,7})(?: \{(\d{1,2}(?: \d{1,2})*)\})?", re.ASCII
)
_ATOM = re.compile(r"(Fin|Inf)\((\d{1,2})\)", re.ASCII)


class Cube(NamedTuple):
    """The propositions that must be true, and those that must not, as bits."""

    yes: int
    no: int

    def holds(self, letter: int) -> bool:
        """Does a letter satisfy it?"""
        return letter & self.yes == self.yes and not letter & self.no


class Edge(NamedTuple):
    """An edge for the letters of one cube; one with several is several edges."""

    source: int
    cube: Cube
    marks: int
    target: int


class Clause(NamedTuple):
    """Marks to be seen finitely often, and infinitely often."""

    fin: int
    inf: int


class Table(NamedTuple):
    """An automaton. `initial` are states with what the first state of the model must satisfy."""

    letter: Letter
    propositions: tuple[str, ...]
    states: int
    initial: tuple[tuple[Cube, int], ...]
    edges: tuple[Edge, ...]
    sets: int
    clauses: tuple[Clause, ...]
    """No clause: nothing is accepted."""


def read_table(text: str, letter: Letter, states: int, source: str) -> Table:
    """Read it. Unless it reads sources, the initial state comes after all others and only says where runs begin."""
    try:
        return _table(text, letter, states)
    except (ValueError, IndexError, KeyError) as error:
        why = error.args[0] if isinstance(error, ValueError) else "a line of it is wrong"
        raise InputError(f"the automaton of the certificate cannot be read: {why}", Place(source)) from None


def _table(text: str, letter: Letter, states: int) -> Table:
    head, body = text.split("--BODY--\n")
    fields = [_field(line) for line in head.removesuffix("\n").split("\n")]
    known = dict(fields)
    if len(known) + sum(key == "Start" for key, _ in fields) - ("Start" in known) != len(fields):
        raise ValueError("a line of its head is there twice")
    names = tuple(re.sub(r"\\(.)", r"\1", name) for name in _NAME.findall(known["AP"]))
    sets, acceptance = known["Acceptance"].split(" ", 1)
    edges = tuple(_edges(body))
    starts = [int(value) for key, value in fields if key == "Start"]
    if letter is Letter.SOURCE:
        initial = tuple((Cube(0, 0), start) for start in starts)
    else:
        initial = tuple((edge.cube, edge.target) for edge in edges if edge.source == states)
        edges = tuple(edge for edge in edges if edge.source != states)
    table = Table(letter, names, states, initial, edges, int(sets), tuple(_clauses(acceptance)))
    _check(table, int(known["States"]), starts)
    return table


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    if name not in _LINES or not _LINES[name].fullmatch(value):
        raise ValueError(f"{line!r} is no line of its head")
    return name, value


def _check(table: Table, states: int, starts: list[int]) -> None:
    """Refuse what leads out of the table."""
    first = table.letter is not Letter.SOURCE
    if states != table.states + first or (first and starts != [table.states]):
        raise ValueError("it has not as many states as the head says")
    if len(table.propositions) > MAX_PROPOSITIONS or table.sets > MAX_SETS:
        raise ValueError("it has too many propositions or acceptance sets")
    for state in [edge.source for edge in table.edges] + [edge.target for edge in table.edges]:
        if state >= table.states:
            raise ValueError(f"there is no state {state}")
    if any(state >= table.states for _, state in table.initial):
        raise ValueError("its initial state is none of its states")
    if any(edge.marks >> table.sets for edge in table.edges):
        raise ValueError("an edge has a mark of no acceptance set")
    cubes = [edge.cube for edge in table.edges] + [cube for cube, _ in table.initial]
    if any((cube.yes | cube.no) >> len(table.propositions) for cube in cubes):
        raise ValueError("a label has a proposition too many")
    if any((clause.fin | clause.inf) >> table.sets for clause in table.clauses):
        raise ValueError("the acceptance has a mark of no acceptance set")


def _edges(body: str) -> Iterator[Edge]:
    source = -1
    lines = body.split("\n")
    if lines[-2:] != ["--END--", ""]:
        raise ValueError("it has no end")
    for line in lines[:-2]:
        if state := _STATE.fullmatch(line):
            source = int(state[1])
            continue
        edge = _EDGE.fullmatch(line)
        if edge is None or source < 0:
            raise ValueError(f"{line!r} is no edge")
        marks = sum(1 << int(mark) for mark in set((edge[3] or "").split()))
        for cube in _cubes(edge[1]):
            yield Edge(source, cube, marks, int(edge[2]))


def _cubes(label: str) -> Iterator[Cube]:
    for part in label.split(" | ") if label != "f" else []:
        literals = [] if part == "t" else part.split("&")
        yes = sum(1 << int(one) for one in literals if not one.startswith("!"))
        yield Cube(yes, sum(1 << int(one[1:]) for one in literals if one.startswith("!")))


def _clauses(acceptance: str) -> Iterator[Clause]:
    for part in acceptance.split(" | ") if acceptance != "f" else []:
        masks = {"Fin": 0, "Inf": 0}
        atoms = part.removeprefix("(").removesuffix(")") if part.startswith("(") else part
        for atom in [] if atoms == "t" else atoms.split("&"):
            found = _ATOM.fullmatch(atom)
            if found is None:
                raise ValueError(f"{atom!r} is no part of an acceptance")
            masks[found[1]] |= 1 << int(found[2])
        yield Clause(masks["Fin"], masks["Inf"])
