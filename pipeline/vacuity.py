"""Reasons to doubt a formula: it says nothing at all, or nothing of this model.

A formula by itself: is it a tautology or a contradiction? On the reachable states of a model: is a proposition the
same in all of them, unless that is what the formula demands; does the `p` of a `p -> …` under G never hold?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import spot

from buchi.common.words import counted
from buchi.models.arithmetic import binary, truth, unary
from buchi.models.guarded import Const, Expr, Meaning, StepTest
from buchi.schemas.cautions import Caution, Doubt
from buchi.schemas.ltl import Ltl
from buchi.translators.ltl import formula_text
from buchi.translators.spot_helpers.satisfiability import is_satisfiable, is_short, subformulas, triggers


def property_of(forbidden: Ltl) -> spot.formula | None:
    """Return the formula of the property whose negation is forbidden, if it is short enough to be looked at."""
    formula = spot.formula.Not(spot.formula(forbidden.formula))
    return formula if is_short(formula) else None


def of_formula(formula: spot.formula) -> Iterator[Caution]:
    """Yield what is to be said of a formula whatever the model is."""
    if is_satisfiable(spot.formula.Not(formula)) is False:
        yield _caution(
            "tautology", formula, "the formula is a tautology: it holds for every run of every model"
        )
    elif is_satisfiable(formula) is False:
        yield _caution(
            "contradiction", formula, "the formula is a contradiction: no run of any model satisfies it"
        )


@dataclass(frozen=True)
class Question:
    """Something that the reachable states are asked: is there one in which it holds, and one in which it does not?"""

    formula: spot.formula
    """A proposition, or an implication under G, of which the left side is asked."""
    meaning: Expr


@dataclass(frozen=True)
class Questions:
    """What the reachable states are asked for a formula."""

    formula: spot.formula
    asked: Sequence[Question]

    @classmethod
    def of(cls, formula: spot.formula, meanings: Mapping[str, Meaning]) -> Questions:
        """Ask for each implication, then for each proposition; what is said of steps cannot be asked of states."""
        of_states = {name: one for name, one in meanings.items() if not isinstance(one, StepTest)}
        propositions = [part for part in subformulas(formula) if part.kind() == spot.op_ap]
        parts = [(implication, implication[0]) for implication in triggers(formula)]
        parts += [(proposition, proposition) for proposition in propositions]
        asked = [
            Question(part, _meaning(what, of_states))
            for part, what in parts
            if all(one.ap_name() in of_states for one in subformulas(what) if one.kind() == spot.op_ap)
        ]
        return cls(formula, asked)

    def measures(self) -> list[Expr]:
        """Return what is to be measured: of each question first whether it holds, then whether it does not."""
        return [side for q in self.asked for side in (truth(q.meaning), unary("not", q.meaning))]

    def cautions(self, largest: Sequence[int], states: int) -> Iterator[Caution]:
        """Yield what is to be said of the formula on a model with so many reachable states."""
        everywhere, told = f"in {'all ' if states > 1 else ''}{counted(states, 'reachable state')}", set()
        for question, holds, fails in zip(self.asked, largest[0::2], largest[1::2], strict=False):
            is_trigger = question.formula.kind() == spot.op_Implies
            asked = question.formula[0] if is_trigger else question.formula
            if (holds and (fails or is_trigger)) or asked in told:
                continue
            if self._leaves_open(asked, bool(holds)) not in ((True, None) if is_trigger else (True,)):
                continue
            told |= {asked, spot.formula.Not(asked)}
            message = f"{formula_text(asked)} is {'true' if holds else 'false'} {everywhere}"
            if is_trigger:
                message += f", so that {formula_text(question.formula)} says nothing"
            yield _caution("vacuous" if is_trigger else "constant", question.formula, message)

    def _leaves_open(self, part: spot.formula, value: bool) -> bool | None:
        """May a part have another value by the formula? Else it says so itself, and there is nothing to doubt."""
        other = spot.formula.Not(part) if value else part
        both = spot.formula.And([self.formula, spot.formula.F(other)])
        return is_satisfiable(both)


def _meaning(part: spot.formula, meanings: Mapping[str, Expr]) -> Expr:
    """Return what a Boolean formula is in the model."""
    kind = part.kind()
    if kind in (spot.op_tt, spot.op_ff):
        return Const(int(kind == spot.op_tt))
    if kind == spot.op_ap:
        return meanings[part.ap_name()]
    truths = [truth(_meaning(child, meanings)) for child in part]
    if kind == spot.op_Not:
        return unary("not", truths[0])
    if kind == spot.op_Implies:
        return binary("or", unary("not", truths[0]), truths[1])
    if kind in (spot.op_Xor, spot.op_Equiv):
        return binary("!=" if kind == spot.op_Xor else "==", *truths)
    return reduce(partial(binary, "and" if kind == spot.op_And else "or"), truths)


def _caution(kind: Doubt, about: spot.formula, message: str) -> Caution:
    return Caution(kind=kind, about=formula_text(about), message=message)
