"""Deadlocks: `explore` shows one, `check --deadlock-free` the way to the nearest, `--end` says which are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential import structure
from experiment_files import records
from runner import PETERSON, buchi
from test_reach import nearest

import buchi as library
from buchi.common.ends import Verdict
from buchi.common.errors import InputError

TEXT = """byte x;
process P {
    state a, b, done;
    init a;
    trans
        a -> b { guard x < 4; effect x = x + 1; },
        b -> a {},
        a -> done { guard x == 3; };
}
process Q { state a; init a; trans a -> a { guard x == 1; effect x = 2; }; }
system async;
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "m.dve").write_text(TEXT)
    return tmp_path / "m.dve"


class TestCheck:
    def test_the_way_to_the_nearest(self, model: Path) -> None:
        ended = buchi("check", model, "--deadlock-free")
        assert (ended.code, ended.out.splitlines()[0]) == (1, "violated")
        assert "counterexample: 6 steps to a state that violates the property" in ended.out
        assert ended.out.rstrip().endswith("the property is violated here: deadlock")
        assert "P: a -> done" in ended.out

    def test_states_in_which_it_may_end(self, model: Path) -> None:
        run = buchi("check", model, "--end", "P.done", "--json").json["counterexample"]
        assert (len(run["prefix"]), run["cycle"]) == (8, [])
        assert run["violation"]["propositions"] == {"P.done": False, "deadlock": True}
        assert buchi("check", model, "--end", "P.done || x == 4").code == 0
        assert buchi("check", model, "--deadlock-free", "--end", "P.done || x == 4").code == 0

    def test_without_deadlocks(self) -> None:
        assert buchi("check", PETERSON, "--deadlock-free").code == 0

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (("--end", "F P.done"), "without temporal operators"),
            (("--end", "P.done) || (P.a"), "--end:7: syntax error"),
            (("--end", "P.dne"), "the model has no P.dne"),
            (("--end", ""), "--end"),
            (("--deadlock-free", "--ltl", "G P.a"), "--deadlock-free and --end exclude --ltl"),
            (("--deadlock-free", "--automaton", "x.hoa"), "--deadlock-free and --end exclude --ltl"),
            (("--deadlock-free", "--deadlock", "drop"), "--deadlock drop leaves them out"),
            (("--end", "P.a", "--deadlock", "drop"), "--end P.a asks for runs that end"),
            (("--deadlock-free", "--mcc", "x.xml"), "--mcc has formulas of its own"),
            (("--deadlock-free", "--via", "slba"), "try --via tgba"),
        ],
    )
    def test_bad_input(self, model: Path, arguments: tuple[str, ...], complaint: str) -> None:
        ended = buchi("check", model, *arguments, "--json")
        assert (ended.code, complaint in ended.json["error"]) == (2, True), ended

    @pytest.mark.parametrize(
        "arguments", [("--race",), ("--workers", "2"), ("--checker", "ascc"), ("--shortest",)]
    )
    def test_by_other_ways(self, model: Path, arguments: tuple[str, ...]) -> None:
        assert buchi("check", model, "--deadlock-free", *arguments).code == 1
        assert buchi("check", model, "--end", "deadlock", *arguments).code == 0

    def test_from_python(self, model: Path) -> None:
        found = library.check(model, deadlock_free=True).counterexample
        assert found is not None
        assert found.length == 6
        assert library.check(model, end="P.done || x == 4")
        with pytest.raises(InputError, match="deadlock_free and end exclude ltl"):
            library.check(model, "G P.a", deadlock_free=True)

    def test_in_experiments(self, model: Path) -> None:
        path = model.with_name("e.yaml")
        path.write_text(
            'models: [m.dve]\nformulas: ["G !deadlock", "G (deadlock -> P.done)"]\nroutes: [tgba/reach]\n'
        )
        assert buchi("run", path).code == 0
        told = records(path)
        assert {record.verdict for record in told} == {Verdict.VIOLATED}
        assert sorted(record.measured.counterexample_length or 0 for record in told) == [6, 7]


class TestExplore:
    @pytest.mark.parametrize("workers", ["1", "2"])
    def test_it_shows_one(self, model: Path, workers: str) -> None:
        model.write_text(TEXT.replace("x < 4", "x < 3"))  # which leaves one
        state = {"x": "3", "P": "done", "Q": "a"}
        found = buchi("explore", model, "--workers", workers, "--json").json
        assert (found["deadlocks"], found["deadlock"]) == (1, state)
        shown = buchi("explore", model, "--workers", workers).out
        assert "a deadlock; check --deadlock-free shows the way to the nearest one" in shown
        assert shown.rstrip().endswith("x = 3  P = done  Q = a")
        assert library.explore(model).deadlock == state
        assert "a deadlock: x = 3" in library.explore(model)._repr_html_()

    def test_where_there_is_none_it_shows_none(self) -> None:
        assert "deadlock" not in buchi("explore", PETERSON, "--json").json
        assert "a deadlock" not in buchi("explore", PETERSON).out


def test_the_way_is_a_shortest_one() -> None:
    """On random structures, by a plain search."""
    depths = set()
    for seed in range(60):
        kripke = structure(seed)
        expected = nearest(kripke, {state for state, targets in enumerate(kripke.edges) if not targets})
        found = library.check(kripke, deadlock_free=True, backend="interpreted").counterexample
        assert (seed, found and found.length) == (seed, expected)
        depths.add(expected)
    assert {None, 2, 3} < depths
