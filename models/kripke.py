"""Explicit Kripke structures: numbered states, their successors, and the propositions true in each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from buchi.common.errors import InputError
from buchi.models.frontend import Loaded
from buchi.models.guarded import Assign, Binary, Command, Const, Expr, Lookup, Model, Read, Type, Variable
from buchi.models.sizes import check_size

STATE = "state"
"""The variable that holds the number of the state, or its name."""

_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)?")


@dataclass(frozen=True)
class Kripke:
    """A structure whose state `i` has the successors `edges[i]` and satisfies the propositions `labels[i]`.

    `names` are those of the states, for formulas and counterexamples; without them a state is its number.
    """

    propositions: tuple[str, ...]
    edges: Sequence[Sequence[int]]
    labels: Sequence[frozenset[str]]
    initial: int = 0
    names: tuple[str, ...] = ()

    def loaded(self, source: str) -> Loaded:
        """Return the structure of a file as a model. Raises InputError where it cannot be one."""
        check_propositions(self.propositions, source)
        check_size(source, len(self.labels), len(self.propositions), 0)
        return Loaded(self.model(source))

    def model(self, name: str = "kripke") -> Model:
        """Return the structure as guarded commands.

        A table for each proposition, and a command for the first, second, … successor: as many as a state
        has at most, so that a step does not depend on the number of edges. Raises InputError where two
        states have one name: no formula could tell them apart.
        """
        if len(set(self.names)) != len(self.names):
            raise InputError(f"{name}: two states have the same name")
        state = Variable(STATE, Type.INT32, initial=(self.initial,), values=self.names)
        degrees = tuple(map(len, self.edges))
        first = (0, *accumulate(degrees))[:-1]
        targets = tuple(chain.from_iterable(self.edges))
        labels = tuple(tuple(int(p in label) for label in self.labels) for p in self.propositions)
        count = len(labels)
        commands = tuple(_successor(k, count) for k in range(max(degrees, default=0)))
        tables = (*labels, degrees, first, targets or (0,))
        return Model(name, (state,), commands, tables, constants=self._meanings())

    def _meanings(self) -> dict[str, Expr]:
        return {p: Binary("!=", Lookup(i, Read(0)), Const(0)) for i, p in enumerate(self.propositions)}


def _successor(number: int, degrees: int) -> Command:
    """Return the command that takes one edge; the table of degrees is followed by those of the edges."""
    guard = Binary(">", Lookup(degrees, Read(0)), Const(number))
    index = Binary("+", Lookup(degrees + 1, Read(0)), Const(number))
    return Command(f"edge {number}", (), guard, (), (Assign(0, None, Lookup(degrees + 2, index)),))


def check_propositions(names: Sequence[str], source: str) -> None:
    """Refuse propositions that no formula could mention. Raises InputError."""
    for name in names:
        if name == STATE or not _NAME.fullmatch(name):
            raise InputError(
                f"{source}: {name!r} cannot be the name of a proposition",
                suggestion=f"use letters, digits and one dot; {STATE!r} is the state itself",
            )
    if len(set(names)) != len(names):
        raise InputError(f"{source}: a proposition is declared twice")
