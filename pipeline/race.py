"""Who takes part in a contest: several orders and checkers of one property, or the clauses of its acceptance.

An order that is bad for one search is often good for another, and where a property is violated it decides how many
states are met before the cycle. So a race has, for a number of places:

- half of them, rounded up, for the check that suits the automaton best: where that is more than one place, by a team;
- one for short searches in random orders, one after the other: where most orders meet a cycle soon and some never do,
  it is better to begin again than to be patient;
- one for the same property as a Büchi automaton with one set, where the automaton has several: another product;
- one, where a team runs, for a single search in the order that is asked for;
- the rest for single searches in random orders, each with the next seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, islice

from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.pipeline.arguments import MOST_SEED
from buchi.pipeline.dispatch import NoTeamError, choose_checker
from buchi.pipeline.options import AUTO, CheckOptions
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import kind_to_check
from buchi.pipeline.task import Task
from buchi.schemas.automaton import Automaton
from buchi.schemas.claims import Claims
from buchi.schemas.contest import Entrant
from buchi.schemas.kinds import Kind

BURST, TRIES = 20_000, 4
"""States of a try, which are twice as many after so many tries."""
RESTARTS = 100
"""How far the seeds of those tries are from those of the patient."""


@dataclass(frozen=True)
class Entry:
    """One way to answer the question; with a `clause`, to a part of it: are there runs that this clause accepts?"""

    options: CheckOptions
    clause: int | None = None
    expected: str = AUTO
    """The checker that will be chosen, as far as it is known before."""
    restarts: bool = False
    """Does it begin again with the next seed, after a number of states that grows?"""

    def tries(self) -> Iterator[CheckOptions]:
        """Yield how it searches, one after the other: the next where the limit of states was that of a try only."""
        most = self.options.limits.states
        for number in count() if self.restarts else ():
            states = BURST << number // TRIES
            if most is not None and states >= most:
                break
            seed = (self.options.seed or 0) + number
            limits = self.options.limits._replace(states=states)
            yield replace(self.options, seed=seed & MOST_SEED, limits=limits)
        yield self.options

    def part(self, value: Automaton) -> Automaton:
        """Return the automaton of which only the clause is left: it accepts nothing that the whole one does not."""
        assert self.clause is not None, "all of it is asked for"
        return value.model_copy(update={"acceptance": (value.acceptance[self.clause],), "claims": Claims()})

    def entrant(self, kind: str, checker: str | None = None, seed: int | None = None) -> Entrant:
        """Return how a result tells of it, with the checker and the seed that it had, or else would have had."""
        options = self.options
        last = options.seed if seed is None else seed
        order = "model" if last is None else f"random:{last}"
        return Entrant(
            kind=kind,
            checker=checker or self.expected,
            workers=options.workers,
            order=order,
            restarts=self.restarts,
            clause=self.clause,
        )


def racers(task: Task, automaton: Prepared, places: int, team: int | None = None) -> list[Entry]:
    """Return who races in so many places; `team` is the size of the first, else half of the places.

    Raises InputError where there is nobody to race with.
    """
    if places < 2:
        raise InputError(
            "a race needs two places at least",
            suggestion=f"give {option('workers', 2)}: they may share a core, too",
        )
    first = _first(task, automaton, places - places // 2 if team is None else team)
    rest = places - first.options.workers
    return [first, *islice(_others(task, automaton, first), max(1, rest))]


def _first(task: Task, automaton: Prepared, team: int) -> Entry:
    """Return the check that suits best: by a team, if any check of the automaton is for one."""
    options, total = task.options, task.stutter
    try:
        choice = choose_checker(options.checker, automaton.table, total=total, workers=team)
    except NoTeamError:
        team, choice = 1, choose_checker(options.checker, automaton.table, total=total)
    return Entry(replace(options, workers=team), expected=choice.checker.name)


def _others(task: Task, automaton: Prepared, first: Entry) -> Iterator[Entry]:
    """Yield single searches; each names its checker, so that only the first of all takes a first look."""
    options = task.options
    checker = choose_checker(options.checker, automaton.table, total=task.stutter).checker.name
    alone = replace(options, workers=1, checker=checker)
    seed = options.seed or 0
    yield Entry(replace(alone, seed=(seed + RESTARTS) & MOST_SEED), expected=checker, restarts=True)
    is_free = options.via is None and task.forbidden.value.kind is Kind.LTL and checker != options.checker
    if is_free and automaton.table.sets > 1:
        yield Entry(replace(options, workers=1, via=Kind.TLBA))
    if first.options.workers > 1:
        yield Entry(alone, expected=checker)
    yield from (Entry(replace(alone, seed=i & MOST_SEED), expected=checker) for i in count(seed + 1))


def parts(task: Task, source: Automaton | None, *, shared: bool) -> list[Entry]:
    """Return an entry for each clause of the acceptance, or one for all where there are no several.

    Workers are `shared` among them, or each has as many as are asked for.
    """
    if source is None or len(source.acceptance) < 2:
        return [Entry(task.options)]
    clauses = range(len(source.acceptance))
    each = max(1, task.options.workers // len(clauses)) if shared else task.options.workers
    return [_part(task, source, clause, each) for clause in clauses]


def _part(task: Task, source: Automaton, clause: int, workers: int) -> Entry:
    """Return the entry for a clause: by a team, if a check of what is left is for one."""
    options = replace(task.options, workers=workers)
    part = Entry(options, clause).part(source)
    if kind_to_check(part, options.via, options.checker) is Kind.TFLA:  # for which there is one
        return Entry(options, clause)
    try:
        choose_checker(options.checker, part, total=task.stutter, workers=workers)
    except NoTeamError:
        options = replace(options, workers=1)
    return Entry(options, clause)
