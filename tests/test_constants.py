"""Values for the constants of a model: `-D N=4`, `constants={"N": 4}`, and sweeps of experiments.

The reference is the same text with another number in it.
"""

from __future__ import annotations

import pytest
from experiment_files import planned, records, write
from runner import PETERSON, ROOT, buchi

import buchi as api
from buchi.common.errors import InputError
from buchi.pipeline.loading import Given, load_model

TEXT = """
const byte N = 3;
const int LIMITS[2] = {1, 2};
byte x, room[N];
process P {
    const byte STEP = 1;
    state a;
    init a;
    trans a -> a { guard x < N; effect room[x] = STEP, x = x + STEP; };
}
system async;
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "count.dve"
    path.write_text(TEXT)
    return path


def rewritten(path, old, new):
    other = path.with_name("other") / path.name
    other.parent.mkdir()
    other.write_text(TEXT.replace(old, new))
    return other


@pytest.mark.parametrize(
    ("given", "old", "new"),
    [
        ((("N", 5),), "N = 3", "N = 5"),
        ((("P.STEP", 3),), "STEP = 1", "STEP = 3"),
        ((("N", 1), ("P.STEP", 0)), "N = 3", "N = 1"),
    ],
)
def test_the_model_is_that_of_the_text_with_these_values(model, given, old, new):
    other = rewritten(model, old, new)
    if len(given) > 1:
        other.write_text(other.read_text().replace("STEP = 1", "STEP = 0"))
    made, expected = load_model(Given(model, given)).model, load_model(other).model
    assert made == expected != load_model(model).model


def test_what_is_kept_is_kept_for_each_choice(model):
    """The order of the questions is that of one who would be told the model of another choice."""
    sizes = [api.explore(model, constants={"N": n}).states for n in (4, 5, 4)]
    assert [*sizes, api.explore(model).states] == [5, 6, 5, 4]


@pytest.mark.parametrize(
    "command", [["explore"], ["check", "--ltl", "G x < 5"], ["compare", "--ltl", "G x < 5"]]
)
def test_every_command_takes_them(model, command):
    name, *rest = command
    done = {n: buchi(name, model, *rest, "-D", f"N={n}", "--json") for n in (4, 5)}
    assert done[4].code == 0
    assert done[5].code == (0 if name == "explore" else 1)
    if name == "explore":
        assert [one.json["states"] for one in done.values()] == [5, 6]


def test_several_formulas_and_a_file_of_them(model):
    done = buchi("check", model, "-D", "N=4", "--ltl", "G x < 5", "--ltl", "F x == 4", "--json")
    assert [one["result"]["verdict"] for one in done.json["properties"]] == ["holds", "holds"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["N=300"], "300 does not fit in N\ngive a number from 0 to 255"),
        (["M=3"], "the model has no constant M\nit has N, P.STEP"),
        (["P.STE=3"], "the model has no constant P.STE\ndid you mean P.STEP?"),
        (["LIMITS=3"], "LIMITS is a constant array"),
        (["x=3"], "x is no constant\ndeclare it as const"),
        (["N"], "--define N gives no constant a value\nwrite NAME=NUMBER"),
        (["N=0x10"], "gives no constant a value"),
        (["N=99999999999"], "gives no constant a value"),
        (["=3"], "gives no constant a value"),
        (["N=1", "N=2"], "gives N a second value"),
    ],
)
def test_what_is_wrong_is_told(model, words, message):
    done = buchi("explore", model, *(word for value in words for word in ("-D", value)))
    assert done.code == 2
    assert message in done.err


@pytest.mark.parametrize("name", ["buffer.pnml"])
def test_other_languages_have_none(name):
    done = buchi("explore", ROOT / "examples" / name, "-D", "N=1")
    assert done.code == 2
    assert "models in pnml have no constants" in done.err


class TestFromPython:
    def test_a_model_that_is_loaded_has_its_values(self, model):
        loaded = api.load_model(model, constants={"N": 4})
        assert api.explore(loaded).states == 5
        with pytest.raises(InputError, match="only a file is given constants"):
            api.explore(loaded, constants={"N": 4})

    @pytest.mark.parametrize("value", ["4", 4.0, True])
    def test_a_value_is_a_number(self, model, value):
        with pytest.raises(InputError, match="the value of the constant N is no number"):
            api.check(model, "G x < 5", constants={"N": value})


SWEEP = """\
models: [{models}]
parameters: {{N: {values}}}
formulas: ["G x < 5"]
routes: [tgba/ascc]
"""


class TestSweeps:
    def run(self, folder, models="count.dve", values="[2, 5]", more=""):
        path = write(folder, SWEEP.format(models=models, values=values) + more)
        return path, buchi("run", path)

    def test_a_run_for_each_value(self, model):
        path, done = self.run(model.parent)
        assert done.code == 0, done.err
        found = {record.model: record for record in records(path)}
        assert {name: record.verdict.value for name, record in found.items()} == {
            "count N=2": "holds",
            "count N=5": "violated",
        }
        assert found["count N=5"].configuration["model"]["constants"] == {"N": 5}
        assert len(planned(path)) == 2

    def test_all_combinations_and_those_of_one_model_before_those_of_all(self, model):
        both = "{file: count.dve, name: own, parameters: {N: {from: 1, to: 2}, P.STEP: [0, 1]}}, count.dve"
        path, done = self.run(model.parent, both, "3")
        assert done.code == 0, done.err
        names = [record.model for record in records(path)]
        own = [f"own N={n} P.STEP={step}" for n in (1, 2) for step in (0, 1)]
        assert sorted(names) == sorted([*own, "count N=3"])

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ("[]", "a list that is not empty"),
            ("[x]", "parameters"),
            ("{from: 3, to: 1}", "there is no number from 3 to 1"),
            ("9999999999", "parameters"),
            ("{from: 0, to: 99999}, K: [1, 2]", "more than 100,000 choices"),
            ("300", "300 does not fit in N"),
            ("1, M: 2", "the model has no constant M"),
        ],
    )
    def test_what_is_wrong_is_told_before_anything_runs(self, model, values, message):
        path, done = self.run(model.parent, values=values)
        assert done.code == 2
        assert message in done.err
        assert not path.with_suffix(".sqlite").exists()

    def test_a_model_without_constants_is_refused(self, model):
        _, done = self.run(model.parent, f"count.dve, {PETERSON}")
        assert done.code == 2
        assert "the model has no constant N" in done.err
