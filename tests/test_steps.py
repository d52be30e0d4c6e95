"""Long runs are kept in few bytes, and look as if they were tuples of steps."""

from __future__ import annotations

import json
import pickle
import struct
import tracemalloc
from array import array

import pytest
from runner import PETERSON
from test_replay import Case

import buchi as api
from buchi.pipeline import replay
from buchi.pipeline.cli.trace_text import render_counterexample
from buchi.schemas.result import Counterexample
from buchi.schemas.steps import BATCH, Layout, PackedSteps, Step

LAYOUT = Layout("<hB", (("x", ()), ("P", ("go", "stop"))))
UNFAIR = "G (A.hungry -> F A.critical)"


def packed(count: int) -> PackedSteps:
    vectors = b"".join(struct.pack("<hB", i % 1000, i % 2) for i in range(count))
    return PackedSteps(LAYOUT, ("P: a", "P: b"), array("i", [i % 3 - 1 for i in range(count)]), vectors)


@pytest.fixture
def lasso() -> Counterexample:
    return Counterexample(prefix=packed(2500), cycle=packed(3))


class TestPackedSteps:
    def test_they_are_a_sequence(self):
        steps = packed(4)
        assert steps[1] == Step("P: a", {"x": "1", "P": "stop"})
        assert steps[0].command is None
        assert steps[-1] == steps[3]
        assert steps[1:3] == (steps[1], steps[2])
        assert steps == tuple(steps)
        assert tuple(steps) == steps
        assert steps != tuple(steps)[:3]
        with pytest.raises(IndexError):
            _ = steps[4]

    def test_a_value_beyond_its_names_is_a_number(self):
        assert LAYOUT.show((7, 2)) == {"x": "7", "P": "2"}

    def test_values_of_a_few_bits(self):
        layout = Layout("<h", (("x", ()), ("P", ("go", "stop")), ("q", ())), ((4, 1),))
        steps = PackedSteps(
            layout, ("t",), array("i", [0, -1]), struct.pack("<hBhB", 7, 0b1_0001, -1, 0b0_1111)
        )
        assert steps[0] == Step("t", {"x": "7", "P": "stop", "q": "1"})
        assert steps[1] == Step(None, {"x": "-1", "P": "15", "q": "0"})

    def test_they_survive_a_process(self, lasso):
        assert pickle.loads(pickle.dumps(lasso)) == lasso

    def test_printing_a_long_run_does_not_flood(self, lasso):
        assert "<2,500 steps>" in repr(lasso)
        assert "Step(command='P: a'" in repr(lasso)


class TestJson:
    @pytest.mark.parametrize("steps", [0, 1, BATCH - 1, BATCH, BATCH + 1, 2500])
    def test_the_chunks_are_what_is_dumped_at_once(self, steps):
        found = Counterexample(prefix=packed(steps), cycle=packed(1))
        assert "".join(found.json_chunks()) == found.model_dump_json()

    def test_no_chunk_is_long(self, lasso):
        assert max(map(len, lasso.json_chunks())) < 100 * BATCH

    def test_a_step_to_a_line(self, lasso):
        text = "".join(lasso.json_chunks(between="\n"))
        assert json.loads(text) == json.loads(lasso.model_dump_json())
        assert len(text.splitlines()) == lasso.length + 1

    def test_what_is_read_again_is_equal(self, lasso):
        assert Counterexample.model_validate_json(lasso.model_dump_json()) == lasso

    @pytest.mark.parametrize("formula", [UNFAIR, "G !(A.critical && B.critical)"])
    def test_a_whole_result(self, formula):
        found = api.check(PETERSON, formula)
        assert "".join(found.json_chunks()) == found.model_dump_json()


def test_a_counterexample_has_a_cycle():
    with pytest.raises(ValueError, match="has a cycle"):
        Counterexample(prefix=packed(1), cycle=())


def test_the_states_go_round():
    found = Counterexample(prefix=packed(2), cycle=packed(3))
    assert [found.at(i).state["x"] for i in range(7)] == ["0", "1", "0", "1", "2", "0", "1"]


def test_to_show_a_long_run_looks_at_few_of_its_steps(monkeypatch, lasso):
    looked = []
    step = PackedSteps._step
    monkeypatch.setattr(PackedSteps, "_step", lambda self, i: looked.append(i) or step(self, i))
    assert len(list(render_counterexample(lasso))) < 100
    lasso._repr_html_()
    assert len(looked) < 1000


def test_a_replay_takes_few_bytes_a_step(monkeypatch):
    """Beside the numbers of the states, which the engine gives."""
    case, count = Case("F x == 29999"), 20_000
    monkeypatch.setattr(replay, "MEMORY", 100)
    case.judge = lambda _word: True
    tracemalloc.start()
    run = replay.Trace.of(range(count), [count, count + 1, count + 2, count - 1], case.state)
    found = case.replay(run)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.prefix[count - 1].state["x"] == str(count - 1)
    assert kept / count < 40
    assert peak / count < 80
