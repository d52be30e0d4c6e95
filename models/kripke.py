"""Explicit Kripke structures: numbered states, their successors, and the propositions true in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from buchi.models.guarded import Assign, Command, Const, Expr, Lookup, Model, Read, Type, Variable


@dataclass(frozen=True)
class Kripke:
    """A structure whose state `i` has the successors `edges[i]` and satisfies the propositions `labels[i]`.

    State 0 is the initial one.
    """

    propositions: tuple[str, ...]
    edges: Sequence[Sequence[int]]
    labels: Sequence[frozenset[str]]

    def model(self, name: str = "kripke") -> Model:
        """Return the structure as guarded commands: a command for each edge, a table for each proposition."""
        state = Variable("state", Type.INT32)
        commands = tuple(
            Command(f"{source} -> {target}", ((0, source),), None, (), (Assign(0, None, Const(target)),))
            for source, targets in enumerate(self.edges)
            for target in targets
        )
        tables = tuple(tuple(int(p in label) for label in self.labels) for p in self.propositions)
        meanings: dict[str, Expr] = {p: Lookup(i, Read(0)) for i, p in enumerate(self.propositions)}
        return Model(name, (state,), commands, tables, constants=meanings)
