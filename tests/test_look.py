"""The first look near the start: what it finds is there, and where it finds nothing the check goes on."""

from __future__ import annotations

import pytest
from products import MAKERS, Found, assert_accepting, cases
from runner import PETERSON, buchi
from test_workers import NEVER, grid, product_with

from buchi import _engine
from buchi.checkers.declaration import AnyChecker
from buchi.checkers.look import Look
from buchi.common.ends import Reason, Verdict
from buchi.models.guarded import Assign, Binary, Command, Const, Expr, Read
from buchi.pipeline.check import check
from buchi.pipeline.ended import Ended
from buchi.pipeline.task import Task
from buchi.schemas.automaton import Automaton


def look(product: _engine.Product, automaton: Automaton) -> _engine.Outcome:
    return _engine.check(Look.kernel, product, automaton.acceptance, _engine.Control(), 1)


@pytest.mark.parametrize("name", MAKERS)
def test_of_few_states_it_tells_all(name: str) -> None:
    taken = 0
    for case in cases(name, 40, "look", most=30):
        if Look.accepts.refusal(case.automaton) is not None:
            continue
        taken += 1
        product = case.product()
        outcome = look(product, case.automaton)
        assert outcome.accepting == case.accepting
        assert outcome.end is (_engine.End.FOUND if case.accepting else _engine.End.DONE)
        if outcome.accepting:
            found = Found(True, outcome.prefix, outcome.cycle, outcome.counters, None)
            assert_accepting(product, found, case.automaton.conditions)
    assert taken or "testing" in name


def test_of_many_states_it_has_no_opinion() -> None:
    outcome = look(product_with(grid(200)), NEVER)
    assert (outcome.end, outcome.accepting) == (_engine.End.STATES, False)


def test_an_error_of_the_model_ends_the_look_only() -> None:
    at: Expr = Binary("==", Read(0), Const(2))
    divide = Command("divide", (), at, (), (Assign(0, None, Binary("/", Const(1), Const(0))),))
    assert look(product_with(grid(5, divide)), NEVER).end is _engine.End.STATES


@pytest.mark.parametrize("reason", [Reason.INTERRUPTED, Reason.TIME, Reason.MEMORY])
def test_what_ends_the_look_from_outside_ends_the_check(
    reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must not be asked for twice."""
    searched = []

    def search(self: Task, product: object, automaton: object, checker: AnyChecker, *_: object) -> Ended:
        searched.append(checker.name)
        return Ended(reason)

    monkeypatch.setattr(Task, "search", search)
    result = check(PETERSON, ltl=TestCommandLine.LIVENESS)
    assert (searched, result.verdict, result.reason) == (["look"], Verdict.UNKNOWN, reason)


class TestCommandLine:
    LIVENESS = "G (A.hungry -> F A.critical)"
    LOOKED = "a first look was enough"

    def test_auto_looks_first_and_says_so(self) -> None:
        found = buchi("check", PETERSON, "--ltl", self.LIVENESS)
        assert (found.code, self.LOOKED in found.out) == (1, True)

    def test_a_checker_that_is_named_is_all_that_searches(self) -> None:
        found = buchi("check", PETERSON, "--ltl", self.LIVENESS, "--checker", "ascc")
        assert (found.code, self.LOOKED in found.out) == (1, False)

    def test_what_holds_is_decided_by_the_check(self) -> None:
        holds = "G !(A.critical && B.critical)"
        found = buchi("check", PETERSON, "--ltl", holds, "--json").json
        named = buchi("check", PETERSON, "--ltl", holds, "--checker", found["checker"], "--json").json
        for name in ("verdict", "states", "transitions", "post_calls", "max_depth"):
            assert found[name] == named[name]
