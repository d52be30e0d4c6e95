"""An assertion of the model that fails is a violation, with a shortest run to it, wherever the model is searched."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiment_files import records
from random_models import random_model
from runner import buchi
from test_reach import distance

import buchi as library
from buchi import _engine
from buchi.common.ends import Verdict
from buchi.common.errors import InternalError, ModelRuntimeError
from buchi.models.bytecode import interpreted
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Assertion, Model
from buchi.pipeline.replay import Trace, failed_assertion

TEXT = """byte x, z;
process P {
    state a, b;
    init a;
    assert a: x < 3 /* not
        more */ || z > 0,
        b: x != 77;
    trans
        a -> a { guard x < 10; effect x = x + 1; },
        a -> a { effect z = z / 2; },
        a -> b { guard x == 9; };
}
system async;
"""
ASSERTION = {"name": "P.a", "expression": "x < 3 || z > 0", "line": 5}
WORDS = "the assertion x < 3 || z > 0 (P.a, line 5) does not hold"
HOLDS = "G (z == 0)"
"""A property that the model has, apart from its assertions."""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "m.dve").write_text(TEXT)
    return tmp_path / "m.dve"


class TestEveryCommand:
    @pytest.mark.parametrize("arguments", [(), ("--checker", "ascc"), ("--race",), ("--shortest",)])
    def test_check(self, model: Path, arguments: tuple[str, ...]) -> None:
        ended = buchi("check", model, "--ltl", HOLDS, *arguments)
        assert (ended.code, ended.out.splitlines()[0]) == (1, "violated")
        assert "counterexample: 3 steps to a state that violates the assertion" in ended.out
        assert ended.out.rstrip().endswith(WORDS)

    def test_its_json(self, model: Path) -> None:
        run = buchi("check", model, "--ltl", HOLDS, "--json").json["counterexample"]
        assert [step["state"]["x"] for step in run["prefix"]] == ["0", "1", "2", "3"]
        assert (run["cycle"], run["violation"]) == ([], {"propositions": {}, "assertion": ASSERTION})

    @pytest.mark.parametrize("workers", ["1", "2"])
    def test_explore(self, model: Path, workers: str) -> None:
        ended = buchi("explore", model, "--workers", workers)
        assert (ended.code, ended.out.splitlines()[0]) == (1, "violated: an assertion of the model fails")
        assert ended.out.rstrip().endswith(WORDS)
        found = buchi("explore", model, "--workers", workers, "--json")
        assert found.code == 1
        assert found.json["counterexample"]["violation"]["assertion"] == ASSERTION
        assert "reason" not in found.json

    def test_compare(self, model: Path) -> None:
        ended = buchi("compare", model, "--ltl", HOLDS)
        assert (ended.code, WORDS in ended.out) == (1, True)
        rows = [
            row for row in buchi("compare", model, "--ltl", HOLDS, "--json").json["rows"] if row["verdict"]
        ]
        assert {(row["verdict"], row["counterexample"]) for row in rows} == {("violated", 3)}
        assert all(row["assertion"] == ASSERTION for row in rows)
        assert WORDS in buchi("compare", model, "--ltl", HOLDS, "--csv").out

    def test_from_python(self, model: Path) -> None:
        assert not library.check(model, HOLDS)
        found = library.explore(model).counterexample
        assert found is not None
        assert found.violation is not None
        assert found.violation.assertion is not None
        assert found.violation.assertion.model_dump() == ASSERTION
        assert "x &lt; 3" in library.explore(model)._repr_html_()

    def test_in_experiments(self, model: Path) -> None:
        path = model.with_name("e.yaml")
        path.write_text(
            f'models: [m.dve]\nformulas: ["{HOLDS}"]\nroutes: [tgba/ascc, tlba/reach, tgba/ascc]\n'
        )
        assert buchi("run", path).code == 0
        told = records(path)
        assert {record.verdict for record in told} == {Verdict.VIOLATED}
        assert {record.measured.counterexample_length for record in told} == {3}
        assert all((record.counterexample or {})["violation"]["assertion"] == ASSERTION for record in told)


UNSEEN = "F (x == 1)"
"""Its violations stay where x is 0: no automaton of them follows the model to where the assertion fails."""


class TestWhatTheAutomatonDoesNotSee:
    def test_the_search_itself_does_not_meet_it(self, model: Path) -> None:
        model.write_text(
            TEXT.replace("assert a: x < 3 /* not\n        more */ || z > 0,\n        b:", "assert b:")
        )
        assert buchi("check", model, "--ltl", "F (x == 1 || z == 0)").code == 0

    @pytest.mark.parametrize("via", ["tgba", "tlba", "slba", "ta", "tela"])
    def test_it_is_found_all_the_same(self, model: Path, via: str) -> None:
        ended = buchi("check", model, "--ltl", "F (x == 1 || z == 0)", "--via", via)
        assert (ended.code, ended.out.rstrip().endswith(WORDS)) == (1, True)

    def test_a_limit_leaves_it_unknown(self, model: Path) -> None:
        ended = buchi("check", model, "--ltl", "F (x == 1 || z == 0)", "--max-states", "2", "--json")
        assert (ended.code, ended.json["verdict"], ended.json["reason"]) == (3, "unknown", "states")


def test_a_limit_before_the_way_is_found(model: Path) -> None:
    ended = buchi("check", model, "--ltl", HOLDS, "--max-states", "3", "--json")
    assert (ended.code, ended.json["verdict"]) == (3, "unknown")


def test_the_property_may_be_violated_before(model: Path) -> None:
    run = buchi("check", model, "--ltl", "G x < 2", "--json").json["counterexample"]
    assert (len(run["prefix"]), run["violation"]["assertion"]) == (3, None)


def test_the_initial_state_may_break_it(model: Path) -> None:
    model.write_text(TEXT.replace("x < 3", "x > 3"))
    found = library.explore(model).counterexample
    assert found is not None
    assert (found.length, len(found.prefix)) == (0, 1)
    assert found.summary() == "0 steps to a state that violates the assertion"


def test_other_faults_are_passed_over(model: Path) -> None:
    """They are nearer, and no assertion."""
    model.write_text(TEXT.replace("effect z = z / 2;", "guard x == 1; effect z = 1 / (z + x - 1);"))
    loaded = library.load_model(model).model
    found = _engine.find_failed_assertion(interpreted(loaded), _engine.Control())
    assert found.end is _engine.End.DONE
    assert (found.counters.states, found.path) == (2, [])
    ended = buchi("explore", model)
    assert (ended.code, "division by zero" in ended.err) == (2, True)


def nearest_failure(model: Model) -> int | None:
    """Return the steps to the nearest state in which an assertion fails, by the evaluator."""
    evaluator = Evaluator(model)

    def fails(state: tuple[int, ...]) -> bool:
        try:
            evaluator.successors(state)
        except ModelRuntimeError as error:
            return error.message.startswith("the assertion")
        return False

    def post(state: tuple[int, ...]) -> list[tuple[int, ...]]:
        try:
            return [after for _, after in evaluator.successors(state)]
        except ModelRuntimeError:
            return []

    return distance(evaluator.initial(), post, fails)


def test_the_way_is_a_shortest_one() -> None:
    """On random models, by a plain search over the evaluator."""
    depths = []
    for seed in range(3000):
        model = random_model(f"assertion {seed}")
        if not model.assertions:
            continue
        found = _engine.find_failed_assertion(interpreted(model), _engine.Control(states=300))
        if found.end is _engine.End.STATES:
            continue
        expected = nearest_failure(model)
        assert (found.path != []) == (expected is not None), seed
        if expected is not None:
            assert len(found.path) == expected + 1, seed
            run = Trace.of(range(len(found.path)), (), found.path.__getitem__)
            depths.append(failed_assertion(run, Evaluator(model)).length)
    assert len(depths) > 30
    assert len(set(depths)) > 1


def test_a_run_to_no_failure_is_a_bug() -> None:
    model = DVE().load(TEXT, "m.dve").model
    evaluator = Evaluator(model)
    run = Trace.of([0], (), lambda _: evaluator.pack(evaluator.initial()))
    with pytest.raises(InternalError, match="no assertion fails in its last state"):
        failed_assertion(run, evaluator)


def test_an_assertion_says_where_it_is() -> None:
    first, second = DVE().load(TEXT, "m.dve").model.assertions
    assert (first.expression, first.line, str(first)) == ("x < 3 || z > 0", 5, "P.a (line 5)")
    assert (second.expression, second.line) == ("x != 77", 7)
    assert str(Assertion("here", (), first.condition)) == "here"
