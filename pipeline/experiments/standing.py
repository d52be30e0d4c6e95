"""How an experiment stands: what its runs have come to, whenever they were run.

Routes that answer one question must agree. Where they do not, at least one of them is wrong, and this must not stay
unseen: not where one of the runs is from before, and not where the selection leaves it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from buchi.common.ends import Verdict
from buchi.common.words import counted
from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.run import Run
from buchi.pipeline.experiments.store import Store

_DECIDED = (Verdict.HOLDS, Verdict.VIOLATED)
_SHOWN = 5
_MOST = 20
"""Verdicts that are told one by one."""


@dataclass(frozen=True)
class Case:
    """A question, and which routes give which answer."""

    model: str
    formula: str
    says: Mapping[Verdict, dict[str, None]] = field(default_factory=lambda: {v: {} for v in _DECIDED})

    @property
    def disputed(self) -> bool:
        """Whether both answers are given."""
        return all(self.says.values())

    def __str__(self) -> str:
        answers = (f"{verdict.value} by {', '.join(routes)}" for verdict, routes in self.says.items())
        return f"{self.model}, {self.formula}: {'; '.join(answers)}"


@dataclass(frozen=True)
class Unexpected:
    """A verdict of a route that is not the expected one."""

    model: str
    property: str
    route: str
    verdict: Verdict
    expected: Verdict

    def __str__(self) -> str:
        who = f"{self.model}, {self.property}, {self.route}"
        return f"{who}: {self.verdict.value}, {self.expected.value} was expected"


@dataclass
class Standing:
    """The cases on which routes disagree, what runs that failed had to say, and verdicts that were not expected."""

    disputes: list[Case]
    errors: Counter[str]
    _has_given: bool = False
    unexpected: list[Unexpected] = field(default_factory=list)

    def surprises(self) -> str | None:
        """Return a message about the verdicts that were not expected, if there are any."""
        number = len(self.unexpected)
        if not number:
            return None
        lines = [f"{counted(number, 'verdict')} not as expected:"]
        lines += [f"  {one}" for one in self.unexpected[:_MOST]]
        lines += [f"  … and {number - _MOST:,} more; `buchi report` has all"] * (number > _MOST)
        return "\n".join(lines)

    def disagreement(self) -> str | None:
        """Return a message about the cases that are disputed, if there are any."""
        if not self.disputes:
            return None
        number = len(self.disputes)
        lines = [f"routes disagree on {'one case' if number == 1 else f'{number:,} cases'}, so one is wrong:"]
        lines += [f"  {case}" for case in self.disputes[:_SHOWN]]
        lines += [f"  … and {number - _SHOWN:,} more"] * (number > _SHOWN)
        lines += ["a given automaton may be at fault: is it one of the formula's negation?"] * self._has_given
        return "\n".join(lines)

    def complaints(self) -> list[str]:
        """Return why runs failed: the most frequent reasons, with how many runs each has."""
        lines = [
            f"{'1 run' if number == 1 else f'{number:,} runs'} failed: {error}"
            for error, number in self.errors.most_common(_SHOWN)
        ]
        rest = len(self.errors) - _SHOWN
        return [*lines, *[f"… and {rest:,} more reasons; `buchi report` tells them"] * (rest > 0)]


def standing(plan: Plan, store: Store) -> Standing:
    """Look at the results of all runs of a plan."""
    cases: dict[Hashable, Case] = {}
    errors: Counter[str] = Counter()
    unexpected: dict[Unexpected, None] = {}
    for run in plan.runs():
        told = store.told(run.key)
        if told.verdict is not None and run.question.expected not in (None, told.verdict):
            unexpected[_surprise(run, told.verdict)] = None
        if told.error is not None:
            errors[told.error.partition("\n")[0]] += 1
        elif told.verdict in _DECIDED:
            case = cases.setdefault(_case(run), Case(run.model.name, run.question.formula))
            case.says[told.verdict][_voice(run)] = None
    given = any(route.automaton is not None for route in plan.routes)
    return Standing([case for case in cases.values() if case.disputed], errors, given, [*unexpected])


def _surprise(run: Run, verdict: Verdict) -> Unexpected:
    assert run.question.expected is not None
    return Unexpected(run.model.name, run.question.id, run.route.name, verdict, run.question.expected)


def _voice(run: Run) -> str:
    route = run.route
    return route.name if route.automaton is None else f"{route.name} (given automaton {route.automaton})"


def _case(run: Run) -> Hashable:
    """Return what decides the answer, whatever the route."""
    options = run.options
    fair = options.fair, options.fair_by
    return run.model.identity, run.question.formula, options.deadlock, options.overflow, fair
