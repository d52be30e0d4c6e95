"""Which command takes each step of an accepting run, where that matters: where steps carry marks or are spoken of.

Kernels tell the states of a run. Several commands may lead from one state to the next, and an accepting run may need
different ones when it comes by again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, pairwise, product
from operator import or_
from typing import NamedTuple

from buchi import _engine
from buchi.checkers.declaration import Lasso
from buchi.common.errors import InternalError
from buchi.schemas.automaton import Automaton, Clause


class Taken(NamedTuple):
    """A run, and the command of each of its steps, that of the last leads back into the cycle; -1 is none."""

    lasso: Lasso
    commands: array[int]


class _Option(NamedTuple):
    command: int
    marks: int


def steps_taken(
    search: _engine.Product, lasso: Lasso, automaton: Automaton, look: Callable[[], object] = int
) -> Taken:
    """Return an accepting run through the states of a lasso; its cycle may go round several times.

    `look` is called at each step: it may raise where there is no more time.
    """

    def options(states: Iterable[int]) -> list[list[_Option]]:
        return [_between(search, a, b, look) for a, b in pairwise(states)]

    if not lasso.cycle:
        return Taken(lasso, array("i", [step[0].command for step in options(lasso.prefix)]))
    prefix = options([*lasso.prefix, lasso.cycle[0]])
    cycle = _accepted(options([*lasso.cycle, lasso.cycle[0]]), automaton)
    rounds = len(cycle) // len(lasso.cycle)
    taken = [step[0].command for step in prefix] + [step.command for step in cycle]
    return Taken(Lasso(lasso.prefix, lasso.cycle * rounds), array("i", taken))


def _between(search: _engine.Product, source: int, target: int, look: Callable[[], object]) -> list[_Option]:
    look()
    edges = zip(search.post(source), search.commands(source), strict=True)
    return [_Option(command, marks) for (destination, marks), command in edges if destination == target]


def _accepted(cycle: Sequence[Sequence[_Option]], automaton: Automaton) -> list[_Option]:
    """Choose an option for each step of a cycle, or of several rounds of it, so that the run is accepted."""
    if not all(cycle):
        raise InternalError("the counterexample found has a step that the product does not have")
    first = [step[0] for step in cycle]
    if automaton.accepts_marks(_marks(first)):
        return first
    for clauses in product(*_of_edges(automaton)):
        avoided = reduce(or_, (clause.fin for clause in clauses), 0)
        steps = [[option for option in step if not option.marks & avoided] for step in cycle]
        if all(steps) and automaton.accepts_marks(_marks(chain(*steps))):
            rounds = range(max(map(len, steps)))
            return [step[number % len(step)] for number in rounds for step in steps]
    raise InternalError("the cycle of the counterexample found is not accepted")


def _of_edges(automaton: Automaton) -> Iterator[Sequence[Clause]]:
    """Yield the conditions that edges decide: what is enabled is marked on all steps of a state, whoever takes them."""
    for condition in automaton.conditions:
        if any((fin | inf) & ~automaton.step_sets for fin, inf in condition):
            yield condition


def _marks(options: Iterable[_Option]) -> int:
    return reduce(or_, (option.marks for option in options), 0)
