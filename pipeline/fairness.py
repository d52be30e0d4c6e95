"""Fairness: only runs count on which no process, or command, is passed over for ever.

A run is weakly fair to a process that is infinitely often disabled or infinitely often moves; strongly fair to one that
moves infinitely often if it is infinitely often enabled. A process moves in each step of a command in which it takes
part. Both are said by marks on the steps of the product, so that every check of enough acceptance sets decides them: a
weakly fair run sees the mark "disabled or moved" again and again, a strongly fair one "enabled" only finitely often or
"moved" infinitely often.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from buchi.common.errors import InputError, nearest
from buchi.common.option_names import option
from buchi.models.guarded import Model
from buchi.pipeline.options import Fair, FairBy, FairTo
from buchi.schemas.automaton import MAX_SETS, Automaton, Clause
from buchi.schemas.claims import Claims


@dataclass(frozen=True)
class Condition:
    """That runs are fair to something: a process or a command, by the commands in which it moves."""

    name: str
    strength: Fair
    commands: frozenset[int]

    def holds(self, cycle: Iterable[tuple[Collection[int], int]]) -> bool:
        """Is a run fair that goes round a cycle of steps for ever? A step is the commands enabled and the one taken."""
        steps = list(cycle)
        if any(taken in self.commands for _, taken in steps):
            return True
        enabled = [not self.commands.isdisjoint(commands) for commands, _ in steps]
        return not all(enabled) if self.strength is Fair.WEAK else not any(enabled)


def conditions(model: Model, wanted: Sequence[FairTo], by: FairBy) -> tuple[Condition, ...]:
    """Return what is asked for, in terms of a model. Raises InputError."""
    if not wanted:
        return ()
    known = model.processes if by is FairBy.PROCESS else _commands(model)
    if not known:
        raise InputError(
            f"{option('fair')}: the model has no processes",
            suggestion=f"try {option('fair_by', FairBy.COMMAND.value)}",
        )
    found = [
        Condition(name, one.strength, frozenset(_numbers(name, known, by)))
        for one in wanted
        for name in one.names or known
    ]
    return tuple(dict.fromkeys(found))


def _commands(model: Model) -> dict[str, tuple[int, ...]]:
    numbers: dict[str, tuple[int, ...]] = {}
    for number, command in enumerate(model.commands):
        numbers[command.name] = (*numbers.get(command.name, ()), number)
    return numbers


def _numbers(name: str, known: dict[str, tuple[int, ...]], by: FairBy) -> tuple[int, ...]:
    if name not in known:
        message = f"{option('fair')}: the model has no {by.value} {name}"
        raise InputError(message, suggestion=nearest(name, known))
    return known[name]


@dataclass(frozen=True)
class Marks:
    """The marks of the conditions, above those of an automaton."""

    conditions: tuple[Condition, ...]
    first: int
    """The number of the first mark."""

    def _numbered(self) -> Iterable[tuple[Condition, int, int]]:
        """Yield each condition with two marks; that of a weak one is the same twice."""
        number = self.first
        for condition in self.conditions:
            strong = condition.strength is Fair.STRONG
            yield condition, 1 << number, 1 << (number + strong)
            number += 1 + strong

    def table(self, automaton: Automaton) -> Automaton:
        """Return an automaton that accepts only fair runs of the model. Raises InputError."""
        marks = reduce(or_, (one | other for _, one, other in self._numbered()), 0)
        if marks >> MAX_SETS:
            raise InputError(
                f"fairness needs {marks.bit_length() - self.first} acceptance sets beside the {automaton.sets} "
                f"of the automaton; the limit is {MAX_SETS}",
                suggestion=f"name those that matter: {option('fair', 'weak:P,Q')}",
            )
        weak = reduce(or_, (mark for c, mark, _ in self._numbered() if c.strength is Fair.WEAK), 0)
        strong = [
            (Clause(enabled, 0), Clause(0, moved))
            for condition, enabled, moved in self._numbered()
            if condition.strength is Fair.STRONG
        ]
        return automaton.model_copy(
            update={
                "sets": marks.bit_length(),
                "acceptance": tuple(Clause(fin, inf | weak) for fin, inf in automaton.acceptance),
                "further": (*automaton.further, *strong),
                "step_sets": marks,
                "claims": Claims(),
            }
        )

    def of_commands(self, count: int) -> list[tuple[int, int, int]]:
        """Return for each command the marks of steps where it is taken, where enabled, where disabled."""
        taken, enabled, disabled = ([0] * count for _ in range(3))
        for condition, one, other in self._numbered():
            strong = condition.strength is Fair.STRONG
            for command in condition.commands:
                taken[command] |= other
                enabled[command] |= one if strong else 0
                disabled[command] |= 0 if strong else one
        return list(zip(taken, enabled, disabled, strict=True))
