"""Models that take only the commands of stubborn sets: fewer states, the same deadlocks, the same runs for a property.

The runs are the same but for how often a state is repeated, which a stutter-invariant property does not see.
docs/reduction.md has the theorem.
"""

from __future__ import annotations

from dataclasses import dataclass

from buchi import _engine
from buchi.models.bytecode import TYPES, compile_expression, flat_tables
from buchi.models.guarded import Expr, Model
from buchi.models.independence import Independence, Leaving
from buchi.models.stubborn import StubbornSets, stubborn_sets


@dataclass(frozen=True)
class Kept:
    """What a part of a model keeps: its deadlocks, and the runs as these propositions see them, if any are given."""

    observed: tuple[Expr, ...] | None = None


DEADLOCKS = Kept()


def reduced(model: Model, engine: _engine.Model, kept: Kept) -> _engine.Model:
    """Return the model as the engine runs it, reduced. Raises InputError for a model that cannot be analysed."""
    return reduced_by(stubborn_sets(model, kept.observed), model, engine)


def reduced_by(sets: StubbornSets, model: Model, engine: _engine.Model) -> _engine.Model:
    """Return the model as the engine runs it, reduced by what is known."""
    known = sets.known
    leaving, leavers = _leaving(model, known)
    return engine.reduced(
        [compile_expression(model, conjunct) for conjunct in known.conjuncts],
        flat_tables(model),
        known.tests,
        known.enablers,
        known.conflicts,
        leaving,
        leavers,
        sorted(sets.visible),
        sorted(sets.breaking),
    )


def _leaving(
    model: Model, known: Independence
) -> tuple[list[tuple[int, int, int, int]], list[tuple[int, ...]]]:
    """Return what may change the variable of each conjunct as the engine takes it: its place, rows of commands."""
    leaving: list[tuple[int, int, int, int]] = []
    rows: dict[Leaving, int] = {}
    leavers: list[tuple[int, ...]] = []
    for one in known.leaving:
        if one is None:
            leaving.append((0, 0, 0, 0))
            continue
        if one not in rows:
            rows[one] = len(leavers)
            leavers += one.commands
        kind = model.variables[one.variable].type
        at = model.offsets[one.variable] + (one.index * kind.size if one.index else 0)
        leaving.append((TYPES[kind], at, rows[one], len(one.commands)))
    return leaving, leavers
