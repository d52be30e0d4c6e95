"""Several workers on one product: the verdict is that of one, and where nothing is found so are the counters."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path

import pytest
from products import MAKERS, Case, Found, assert_accepting, cases
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
SLOW_PARTS, SLOW_PAIRS = 100, 1040
"""Together more than 100 000 pairs."""
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


def assert_right(case: Case, checker: registry.AnyChecker, workers: int, together: bool = False) -> None:
    """The verdict is Spot's, the run replays, and without one each pass counted each state and edge once."""
    product, acceptance = case.product(), case.automaton.acceptance
    outcome = _engine.check(checker.kernel, product, acceptance, _engine.Control(), workers, together)
    assert (checker.name, outcome.accepting) == (checker.name, case.accepting), case
    if outcome.accepting:
        found = Found(True, outcome.prefix, outcome.cycle, outcome.counters, None)
        assert_accepting(product, found, [acceptance])
    else:
        assert outcome.counters.passes == (len(acceptance) if checker.accepts.pairs else 1)
        edges = sum(map(len, case.edges.values())) * outcome.counters.passes
        assert (outcome.counters.states, outcome.counters.transitions) == (len(case.edges), edges)


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("name", MAKERS)
def test_the_verdict_is_spots(name: str, workers: int) -> None:
    for case in cases(name, ROUNDS, f"workers {workers}", most=30):
        for checker in filter(case.is_for, TEAMS):
            assert_right(case, checker, workers)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLOW_PARTS))
def test_the_verdict_is_spots_on_many_products(part: int) -> None:
    """Pairs of a product and a number of workers, each for all checkers that take it."""
    shapes = list(itertools.product(MAKERS, (9, 60)))
    made = (cases(name, SLOW_PAIRS, f"many {part} {most}", most) for name, most in shapes)
    taken = (case for row in zip(*made, strict=True) for case in row if any(map(case.is_for, TEAMS)))
    for case in itertools.islice(taken, SLOW_PAIRS // len(WORKERS)):
        for workers in WORKERS:
            for checker in filter(case.is_for, TEAMS):
                assert_right(case, checker, workers)


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


class TestPairs:
    FIN = (
        'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "A.critical" "B.critical"\n'
        "Acceptance: 4 (Fin(0) & Inf(1)) | (Fin(2) & Inf(3))\n"
        "--BODY--\nState: 0\n[!0&!1] 0\n[0] 0 {0 3}\n[1] 0 {1 2}\n--END--\n"
    )

    @pytest.mark.parametrize("workers", WORKERS)
    def test_together_the_verdict_is_the_same(self, workers: int) -> None:
        checkers = [checker for checker in TEAMS if checker.accepts.pairs]
        assert [checker.name for checker in checkers] == ["tgrp"]
        for name in MAKERS:
            for case in cases(name, ROUNDS, f"pairs {workers}", most=30):
                for checker in filter(case.is_for, checkers):
                    assert_right(case, checker, workers, together=True)

    def test_on_the_command_line(self, tmp_path: Path) -> None:
        path = tmp_path / "fin.hoa"
        path.write_text(self.FIN)
        given = ("check", PETERSON, "--automaton", path, "--via", "tgra", "--workers", "2")
        for how in "one-by-one", "together":
            found = buchi(*given, "--pairs", how, "--json")
            assert (found.code, found.json["checker"]) == (1, "tgrp")

    def test_what_cannot_be_done_together_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "fin.hoa"
        path.write_text(self.FIN)
        given = ("check", PETERSON, "--automaton", path, "--pairs", "together")
        alone = buchi(*given, "--via", "tgra")
        assert (alone.code, "--pairs together needs several workers" in alone.err) == (2, True)
        none = buchi(*given, "--workers", "2")
        assert (none.code, "does not search pair by pair" in none.err) == (2, True)
        assert buchi("check", PETERSON, "--pairs", "never").code == 2
