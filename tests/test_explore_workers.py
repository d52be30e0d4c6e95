"""Several workers explore one model: the counts are those of one."""

from __future__ import annotations

import random
import threading
import time

import pytest
from products import random_kripke
from runner import PETERSON, buchi
from test_workers import WORKERS, grid

from buchi import _engine
from buchi.models.bytecode import interpreted
from buchi.models.guarded import Assign, Binary, Command, Const, Model, Read, Type, Variable
from buchi.pipeline.search import REASONS

COUNTED = ("states", "transitions", "deadlocks", "post_calls")


def counts(model: _engine.Model, workers: int) -> tuple[int, ...]:
    outcome = _engine.explore(model, _engine.Control(), workers)
    assert outcome.end is _engine.End.DONE
    return tuple(getattr(outcome.counters, name) for name in COUNTED)


@pytest.mark.parametrize("workers", WORKERS)
def test_random_structures(workers: int) -> None:
    rng = random.Random(f"explore {workers}")
    for _ in range(100):
        model = interpreted(random_kripke(rng, rng.randint(1, 60), rng.choice([0.02, 0.1, 0.4])).model())
        assert counts(model, workers) == counts(model, 1)


@pytest.mark.parametrize("workers", WORKERS)
def test_a_table_that_grows(workers: int) -> None:
    width = 600
    assert counts(interpreted(grid(width)), workers) == (width**2, 2 * width**2, 0, width**2)


def test_a_chain_that_leaves_nothing_to_share() -> None:
    up = Command(
        "up", (), Binary("<", Read(0), Const(20_000)), (), (Assign(0, None, Binary("+", Read(0), Const(1))),)
    )
    chain = interpreted(Model("chain", (Variable("x", Type.INT32),), (up,)))
    assert counts(chain, 4) == (20_001, 20_000, 1, 20_001)


@pytest.mark.parametrize("limit", [{"states": 5000}, {"bytes": 4 << 20}, {"seconds": 0.05}])
def test_a_limit_ends_all_workers(limit: dict[str, float]) -> None:
    outcome = _engine.explore(interpreted(grid(30_000)), _engine.Control(**limit), 4)
    expected = {"states": "states", "bytes": "memory", "seconds": "time"}[next(iter(limit))]
    assert REASONS[outcome.end].value == expected
    assert "states" not in limit or 5000 < outcome.counters.states <= 5000 + 4 * 66


def test_the_user_ends_all_workers() -> None:
    control, outcomes = _engine.Control(), []
    model = interpreted(grid(30_000))
    search = threading.Thread(target=lambda: outcomes.append(_engine.explore(model, control, 4)))
    search.start()
    while control.states < 1000:
        time.sleep(0.001)
    control.stop()
    search.join(timeout=30)
    assert outcomes[0].end is _engine.End.INTERRUPTED


def test_an_error_of_the_model() -> None:
    at = Binary("and", Binary("==", Read(0), Const(40)), Binary("==", Read(1), Const(40)))
    divide = Command("divide", (), at, (), (Assign(0, None, Binary("/", Const(1), Const(0))),))
    with pytest.raises(_engine.ModelError) as caught:
        _engine.explore(interpreted(grid(100, divide)), _engine.Control(), 4)
    assert caught.value.args[:3] == ("division by zero", "command", 2)


def test_on_the_command_line() -> None:
    alone, together = (buchi("explore", PETERSON, "--json", "--workers", n).json for n in ("1", "3"))
    for name in ("states", "transitions", "deadlocks"):
        assert alone[name] == together[name]
    assert buchi("explore", PETERSON, "--workers", "0").code == 2
