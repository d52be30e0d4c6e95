"""What decides whether a set of commands is stubborn: conditions 1 to 5 of docs/reduction.md."""

from __future__ import annotations

from dataclasses import dataclass

from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.models.command_facts import Facts
from buchi.models.cycles import breaking
from buchi.models.guarded import Expr, Model
from buchi.models.independence import Independence, independence
from buchi.models.visibility import visible


@dataclass(frozen=True)
class StubbornSets:
    """What the stubborn sets of a model depend on: how its commands meet, which are visible, which break cycles."""

    known: Independence
    visible: frozenset[int]
    breaking: frozenset[int]


def stubborn_sets(model: Model, observed: tuple[Expr, ...] | None) -> StubbornSets:
    """Find that out, for what is observed of states, or for deadlocks alone.

    Raises InputError for a model that cannot be analysed.
    """
    try:
        known = independence(model)
        seen, cut = frozenset[int](), frozenset[int]()
        if observed is not None:
            facts = [Facts(model, command, ()) for command in model.commands]
            seen = visible(model, facts, observed)
            cut = breaking(facts, seen, [len(others) for others in known.conflicts])
    except RecursionError:
        raise InputError(
            "a guard of the model is nested too deeply to be analysed",
            suggestion=f"leave out {option('reduce')}",
        ) from None
    return StubbornSets(known, seen, cut)
