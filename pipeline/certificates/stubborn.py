"""May commands be left out of a state? By the definition of stubborn sets (docs/reduction.md, conditions 1 to 5).

The search has chosen a set of commands by `engine/reduction.hpp`. Here it is not asked which one: it is looked whether
there is any stubborn set without the commands that a certificate leaves out.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from buchi.common.errors import ModelRuntimeError
from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import Expr
from buchi.models.stubborn import StubbornSets


def may_leave_out(sets: StubbornSets, evaluator: Evaluator, state: State, left_out: AbstractSet[int]) -> bool:
    """Is there a stubborn set without these commands?

    Each of them is a part of the largest closed set: what is left when commands are taken away, again and again, that
    need one that is not there.
    """
    enabled = {command for command, _ in evaluator.successors(state)}
    closure = _Closure(sets, evaluator, state, enabled)
    inside = set(range(len(evaluator.model.commands))) - left_out
    while away := [command for command in inside if not closure.may_stay(command, inside)]:
        inside.difference_update(away)
    taken, unseen = inside & enabled, enabled - sets.visible
    return bool(taken) and (not unseen or bool(taken & unseen))


class _Closure:
    def __init__(self, sets: StubbornSets, evaluator: Evaluator, state: State, enabled: set[int]) -> None:
        self._sets, self._known = sets, sets.known
        self._careful = sets.visible | sets.breaking
        self._evaluator, self._state, self._enabled = evaluator, state, enabled

    def may_stay(self, command: int, inside: set[int]) -> bool:
        """Is all inside that the command needs?"""
        if command in self._enabled:
            accords = inside.issuperset(self._known.conflicts[command])
            return accords and (command not in self._careful or self._sets.visible <= inside)
        return any(self._waits(conjunct, inside) for conjunct in self._known.tests[command])

    def _waits(self, conjunct: int, inside: set[int]) -> bool:
        """Is a conjunct false, and all inside that may make it true or change its variable?"""
        if self._value(self._known.conjuncts[conjunct]) != 0:
            return False
        if inside.issuperset(self._known.enablers[conjunct]):
            return True
        leaving = self._known.leaving[conjunct]
        if leaving is None:
            return False
        value = self._value(leaving.place(self._evaluator.model))
        known = value is not None and 0 <= value < len(leaving.commands)
        return known and inside.issuperset(leaving.commands[value or 0])

    def _value(self, expr: Expr) -> int | None:
        """Return the value of an expression; None where it fails."""
        try:
            return self._evaluator.evaluate(expr, self._state)
        except ModelRuntimeError:
            return None
