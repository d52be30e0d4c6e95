"""Models that take only the commands of stubborn sets: fewer states, the same deadlocks, the same runs for a property.

The runs are the same but for how often a state is repeated, which a stutter-invariant property does not see.
docs/reduction.md has the theorem.
"""

from __future__ import annotations

from dataclasses import dataclass

from buchi import _engine
from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.models.bytecode import TYPES, compile_expression, flat_tables
from buchi.models.command_facts import Facts
from buchi.models.cycles import breaking
from buchi.models.guarded import Expr, Model
from buchi.models.independence import Independence, Leaving, independence
from buchi.models.visibility import visible


@dataclass(frozen=True)
class Kept:
    """What a part of a model keeps: its deadlocks, and the runs as these propositions see them, if any are given."""

    observed: tuple[Expr, ...] | None = None


DEADLOCKS = Kept()


def reduced(model: Model, engine: _engine.Model, kept: Kept) -> _engine.Model:
    """Return the model as the engine runs it, reduced. Raises InputError for a model that cannot be analysed."""
    try:
        known = independence(model)
        conjuncts = [compile_expression(model, conjunct) for conjunct in known.conjuncts]
        seen, cut = frozenset[int](), frozenset[int]()
        if kept.observed is not None:
            facts = [Facts(model, command, ()) for command in model.commands]
            seen = visible(model, facts, kept.observed)
            cut = breaking(facts, seen, [len(others) for others in known.conflicts])
    except RecursionError:
        raise InputError(
            "a guard of the model is nested too deeply to be analysed",
            suggestion=f"leave out {option('reduce')}",
        ) from None
    leaving, leavers = _leaving(model, known)
    return engine.reduced(
        conjuncts,
        flat_tables(model),
        known.tests,
        known.enablers,
        known.conflicts,
        leaving,
        leavers,
        sorted(seen),
        sorted(cut),
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
