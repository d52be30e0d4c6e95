"""Several workers on one product: the verdict is that of one, and where nothing is found so are the counters."""

from __future__ import annotations

import threading
import time

import pytest
from products import MAKERS, Found, assert_accepting, cases
from runner import PETERSON, buchi

from buchi import _engine
from buchi.models.bytecode import interpreted
from buchi.models.guarded import Assign, Binary, Command, Const, Expr, Model, Read, Type, Variable
from buchi.pipeline import registry
from buchi.pipeline.search import REASONS
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Edge

TEAMS = [checker for checker in registry.checkers().values() if checker.accepts.workers]
WORKERS = (1, 2, 4, 8)
ROUNDS = 12
NEVER = Automaton(
    propositions=(), states=1, initial=((EVERY_LETTER, 0),), edges=(Edge(0, EVERY_LETTER, 0, 0),), sets=1,
    acceptance=(Clause(0, 1),),
)  # fmt: skip
"""Accepts nothing, so that all of a product is searched."""


def grid(width: int, *more: Command) -> Model:
    """Count two numbers up to `width` in any order, and begin again."""

    def up(variable: int) -> Command:
        following = Binary("%", Binary("+", Read(variable), Const(1)), Const(width))
        return Command(f"up {variable}", (), None, (), (Assign(variable, None, following),))

    variables = (Variable("x", Type.INT32), Variable("y", Type.INT32))
    return Model("grid", variables, (up(0), up(1), *more))


def product_with(model: Model, automaton: Automaton = NEVER) -> _engine.Product:
    edges = [(e.source, e.label, e.marks, e.destination) for e in automaton.edges]
    engine = _engine.Automaton(0, [], [], automaton.states, automaton.initial, edges)
    return _engine.Product(interpreted(model), engine, True)


def test_there_are_such_checkers() -> None:
    assert "ufscc" in [checker.name for checker in TEAMS]


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("name", MAKERS)
def test_the_verdict_is_spots(name: str, workers: int) -> None:
    for case in cases(name, ROUNDS, f"workers {workers}", most=30):
        for checker in filter(case.is_for, TEAMS):
            product = case.product()
            control = _engine.Control()
            outcome = _engine.check(checker.kernel, product, case.automaton.acceptance, control, workers)
            assert outcome.accepting == case.accepting
            if outcome.accepting:
                found = Found(True, outcome.prefix, outcome.cycle, outcome.counters, None)
                assert_accepting(product, found, case.automaton.acceptance)
            else:
                edges = sum(map(len, case.edges.values()))
                assert (outcome.counters.states, outcome.counters.transitions) == (len(case.edges), edges)


@pytest.mark.parametrize("checker", TEAMS, ids=lambda checker: checker.name)
@pytest.mark.parametrize("workers", WORKERS)
def test_a_table_that_grows_loses_and_doubles_nothing(checker: registry.AnyChecker, workers: int) -> None:
    """One large component, three times as many states as the table has room for at first."""
    width = 600
    product = product_with(grid(width))
    outcome = _engine.check(checker.kernel, product, NEVER.acceptance, _engine.Control(), workers)
    assert outcome.end is _engine.End.DONE
    assert (outcome.counters.states, outcome.counters.transitions) == (width**2, 2 * width**2)


@pytest.mark.parametrize("checker", TEAMS, ids=lambda checker: checker.name)
@pytest.mark.parametrize("limit", [{"states": 5000}, {"bytes": 4 << 20}, {"seconds": 0.05}])
def test_a_limit_ends_all_workers(checker: registry.AnyChecker, limit: dict[str, float]) -> None:
    product = product_with(grid(30_000))
    outcome = _engine.check(checker.kernel, product, NEVER.acceptance, _engine.Control(**limit), 4)
    expected = {"states": "states", "bytes": "memory", "seconds": "time"}[next(iter(limit))]
    assert REASONS[outcome.end].value == expected
    assert outcome.counters.states > 0
    assert "states" not in limit or 5000 < outcome.counters.states <= 5000 + 4 * 2


@pytest.mark.parametrize("checker", TEAMS, ids=lambda checker: checker.name)
def test_the_user_ends_all_workers(checker: registry.AnyChecker) -> None:
    control, outcomes = _engine.Control(), []
    product = product_with(grid(30_000))
    acceptance = NEVER.acceptance
    search = threading.Thread(
        target=lambda: outcomes.append(_engine.check(checker.kernel, product, acceptance, control, 4))
    )
    search.start()
    while control.states < 1000:
        time.sleep(0.001)
    control.stop()
    search.join(timeout=30)
    assert outcomes[0].end is _engine.End.INTERRUPTED


@pytest.mark.parametrize("checker", TEAMS, ids=lambda checker: checker.name)
def test_an_error_of_the_model_in_one_worker_is_that_of_the_search(checker: registry.AnyChecker) -> None:
    at: Expr = Binary("and", Binary("==", Read(0), Const(40)), Binary("==", Read(1), Const(40)))
    divide = Command("divide", (), at, (), (Assign(0, None, Binary("/", Const(1), Const(0))),))
    product = product_with(grid(100, divide))
    with pytest.raises(_engine.ModelError) as caught:
        _engine.check(checker.kernel, product, NEVER.acceptance, _engine.Control(), 4)
    assert caught.value.args[:3] == ("division by zero", "command", 2)


def test_a_kernel_for_one_worker_takes_no_more() -> None:
    with pytest.raises(ValueError, match="gv is for one worker"):
        _engine.check("gv", product_with(grid(2)), NEVER.acceptance, _engine.Control(), 2)


class TestCommandLine:
    def test_auto_takes_a_check_for_workers_and_says_why(self) -> None:
        ended = buchi("check", PETERSON, "--ltl", "G !(A.critical & B.critical)", "--workers", "2")
        assert ended.code == 0
        assert "ufscc was chosen since several workers search" in ended.out

    def test_the_result_tells_how_many(self) -> None:
        given = ("check", PETERSON, "--ltl", "GF A.critical", "--workers", "3", "--json")
        ended = buchi(*given)
        assert (ended.code, ended.json["workers"], ended.json["checker"]) == (1, 3, "ufscc")

    @pytest.mark.parametrize("workers", ["0", "29"])
    def test_a_number_out_of_range_is_refused(self, workers: str) -> None:
        ended = buchi("check", PETERSON, "--ltl", "GF A.critical", "--workers", workers)
        assert (ended.code, "is not a number from 1 to 28" in ended.err) == (2, True)

    def test_a_checker_for_one_worker_is_refused(self) -> None:
        ended = buchi("check", PETERSON, "--ltl", "GF A.critical", "--workers", "2", "--checker", "gv")
        assert ended.code == 2
        assert "it searches with one worker, not 2" in ended.err
        assert "try --checker ufscc" in ended.err
