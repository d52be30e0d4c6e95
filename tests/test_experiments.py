"""Experiment files: mistakes have places; what would run is listed; each source gives what it says."""

from __future__ import annotations

import json

import pytest
from data import FOLDER, needs_data
from experiment_files import TINY, write
from nets import CONTEST_NET, contest_properties
from runner import PETERSON, buchi

from buchi.common.ends import Verdict
from buchi.models.pnml import PNML
from buchi.models.pnml.contest import read_properties
from buchi.models.propositions import parse_proposition
from buchi.pipeline.experiments.artifact import Facts
from buchi.pipeline.experiments.contest_folders import EXAMINATIONS
from buchi.pipeline.experiments.formula_sources import substituted
from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.reading import read_experiment
from buchi.pipeline.experiments.store import Store
from buchi.schemas.experiment import Experiment


def runs(folder, text, data=None):
    return list(Plan.of(read_experiment(write(folder, text)), data).runs())


def with_formula(formula):
    return TINY.replace("  - G (a -> F b)\n", f"  - {formula}\n")


def with_route(route):
    return TINY.replace("  - tgba/ascc\n", f"  - {route}\n")


class TestMistakes:
    """Each names file, line, column and key, and what may have been meant."""

    @pytest.mark.parametrize(
        ("text", "place", "key", "hint"),
        [
            (TINY + "repetition: 3\n", "11:1", "repetition", "did you mean repetitions?"),
            (TINY + "repetitions: none\n", "11:1", "repetitions", ""),
            (TINY + "limits: {second: 3}\n", "11:10", "limits.second", "did you mean seconds?"),
            (TINY + "order: modl\n", "11:1", "order", "did you mean model?"),
            (TINY.replace("density", "densty"), "3:25", "models.0.random.densty", "did you mean density?"),
            (TINY.replace("random:", "randm:"), "3:5", "models.0.randm", "did you mean random?"),
            (TINY.replace("states: 8, ", ""), "3:5", "models.0.random.states", ""),
            (TINY.replace("to: 2", "too: 2"), "4:22", "models.0.seeds.too", "did you mean to?"),
            (TINY.replace("kind: tlba", "kind: tlbb"), "10:6", "routes.1.kind", "did you mean"),
            (TINY.replace("often}", "often, onyl: [x]}"), "7:33", "formulas.1.onyl", "did you mean only?"),
            (TINY.replace("to: 2", "to: -2"), "4:22", "models.0.seeds.to", "greater than or equal to 0"),
            (TINY.replace("from: 0", "from: 3"), "4:5", "models.0.seeds", "no number from 3 to 2"),
            (TINY.replace("states: 8", "states: 99999999999"), "3:14", "models.0.random.states", "10000000"),
            (TINY + "limits: {seconds: 1.0e+999}\n", "11:10", "limits.seconds", "a finite number"),
            (TINY + "limits: 5\n", "11:1", "limits", "this should be a mapping"),
            (TINY[: TINY.index("routes")] + "routes: tgba\n", "8:1", "routes", "'all-applicable' or a list"),
            (TINY + "select: {states: {min: 3, max: 2}}\n", "11:10", "select.states", "from 3 to 2"),
            (TINY + "repetitions: many\n", "11:1", "repetitions", "this should be a whole number"),
        ],
    )
    def test_of_the_schema(self, tmp_path, text, place, key, hint):
        path = write(tmp_path, text)
        ended = buchi("run", path)
        assert ended.code == 2
        assert ended.err.startswith(f"error: {path}:{place}: {key}: "), ended.err
        assert hint in ended.err

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            (with_formula("G (a ->"), "6:5: formulas.0", "syntax error"),
            (with_formula("{family: gh-rr, n: 1}"), "6:6: formulas.0.family", "did you mean gh-r"),
            (with_formula("{file: none.ltl}"), "6:6: formulas.0.file", "there is no none.ltl"),
            (with_formula("[1, 2]"), "6:5: formulas.0", "one of the keys ltl, file"),
            (with_formula("{ltl: F a, only: [rndom-1]}"), "6:16: formulas.0.only", "did you mean random-1"),
            (with_route("tgba/asccc"), "9:5: routes.0", "did you mean ascc"),
            (with_route("tgbaa/ascc"), "9:5: routes.0", "did you mean tgba"),
            (with_route("{kind: tfla, through: [tgraa]}"), "9:18: routes.0.through", "did you mean tgra"),
            (
                with_route("{kind: tfla, options: {tgra-tfla: {metod: x}}}"),
                "9:40: routes.0.options.tgra-tfla.metod",
                "its options: ",
            ),
            (
                with_route("{kind: tfla, options: {tgra: {}}}"),
                "9:28: routes.0.options.tgra",
                "no translator tgra",
            ),
            (with_route("{kind: tgba, workers: 29}"), "9:18: routes.0.workers", "1 to 28 workers"),
            (with_route("{checker: gv, workers: 2}"), "9:19: routes.0.workers", "gv searches with one"),
            (with_route("{kind: tgba, name: tlba/se}"), "10:5: routes.1", "another route is called tlba/se"),
            (TINY + "limits: {memory: much}\n", "11:10: limits.memory", "is not a size"),
            (TINY + "seeds: [1, 2]\n", "11:1: seeds", "add `order: random`"),
            (TINY + "select: {states: {max: 9}}\n", "11:10: select.states", "of an artifact only"),
            (TINY.replace("- random", "- none.dve\n  - random"), "3:5: models.0", "--data DIR"),
            (TINY.replace("- random", "- experiment.yaml\n  - random"), "3:5: models.0", "no model language"),
            (TINY.replace("[a, b]", "[a, a]"), "3:39: models.0.random.propositions", "declared twice"),
            (TINY + "name: again\n", "11:1", "comes twice"),
            (TINY + "models: [\n", "12:1", "expected"),
            (TINY + "order: !x y\n", "11:8", "!x"),
            (with_formula("!(a)"), "6:5", "put a formula in quotes"),
            (TINY + "limits: {<<: {seconds: 3}}\n", "11:10", "write them out"),
        ],
    )
    def test_of_what_it_names(self, tmp_path, text, place, message):
        path = write(tmp_path, text)
        ended = buchi("run", path)
        assert ended.code == 2
        assert ended.err.startswith(f"error: {path}:{place}: "), ended.err
        assert message in ended.err

    def test_a_formula_in_a_file_has_the_line_of_that_file(self, tmp_path):
        (tmp_path / "list.ltl").write_text("# two\nG a\nG (\n")
        ended = buchi("run", write(tmp_path, with_formula("{file: list.ltl}")))
        assert ended.err.startswith("error: list.ltl:3: ")

    @pytest.mark.parametrize("text", ["", "- 1\n", "x", "a: &a [*a]\n", "{", "a: " + "[" * 3000])
    def test_no_experiment_at_all(self, tmp_path, text):
        ended = buchi("run", write(tmp_path, text))
        assert ended.code == 2
        assert "Traceback" not in ended.err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ([], "which experiment?"),
            (["none.yaml"], "there is no such file"),
            (["E", "--data", "nowhere"], "no such folder"),
            (["E", "--executor", "slurm"], "there is no executor"),
            (["E", "--executor", "dask=tcp://x:1", "--processes", "2"], "--processes"),
        ],
    )
    def test_of_the_command_line(self, tmp_path, options, message):
        path = write(tmp_path, TINY)
        ended = buchi("run", *(str(path) if option == "E" else option for option in options))
        assert ended.code == 2
        assert message in ended.err


class TestSchema:
    def test_it_is_exported(self):
        schema = buchi("run", "--schema").json
        assert set(schema["properties"]) == set(Experiment.model_fields)
        assert schema["additionalProperties"] is False

    def test_it_is_frozen(self):
        experiment = Experiment.model_validate({"models": ["a"], "formulas": ["b"]})
        with pytest.raises(ValueError, match="frozen"):
            experiment.repetitions = 2


class TestDryRun:
    def test_it_lists_the_runs_and_runs_none(self, tmp_path):
        path = write(tmp_path, TINY)
        ended = buchi("run", path, "--dry-run")
        assert ended.code == 0
        assert ended.out.splitlines()[0] == "random-0  G (a -> F b)  tgba/ascc  #1"
        assert ended.out.splitlines()[-1] == "12 runs to do"
        assert not path.with_suffix(".sqlite").exists()

    def test_it_knows_what_is_done(self, tmp_path):
        path = write(tmp_path, TINY)
        assert buchi("run", path, "--processes", "1").code == 0
        more = TINY.replace("to: 2", "to: 3")
        assert buchi("run", write(tmp_path, more), "--dry-run").out.endswith(
            "4 runs to do, 12 have a result\n"
        )


class TestPlan:
    def test_keys_are_of_the_content(self, tmp_path):
        keys = [run.key for run in runs(tmp_path, TINY)]
        assert len(set(keys)) == 12
        assert keys == [run.key for run in runs(tmp_path, TINY.replace("name: tiny", "name: other"))]

    @pytest.mark.parametrize(
        "change",
        [
            "limits: {seconds: 1}",
            "order: random",
            "deadlock: drop",
            "backend: interpreted",
            "overflow: error",
            "fair: [weak]",
            "fair_by: command",
        ],
    )
    def test_what_decides_the_outcome_changes_every_key(self, tmp_path, change):
        before = {run.key for run in runs(tmp_path, TINY)}
        assert not before & {run.key for run in runs(tmp_path, f"{TINY}{change}\n")}

    def test_repetitions_and_seeds_multiply(self, tmp_path):
        found = runs(tmp_path, TINY + "repetitions: 2\norder: random\nseeds: [5, 7]\n")
        assert len(found) == 48
        assert {run.options.seed for run in found} == {5, 7}

    def test_the_same_run_comes_once(self, tmp_path):
        assert len(runs(tmp_path, with_formula('"G (a -> F b)"\n  - "G (a -> F b)"'))) == 12

    def test_two_names_for_the_same_automaton_are_two_runs(self, tmp_path):
        twice = with_route(
            "{kind: tgba, checker: ascc, name: one}\n  - {kind: tgba, checker: ascc, name: two}"
        )
        assert len(runs(tmp_path, twice)) == 18

    def test_formulas_for_some_models_only(self, tmp_path):
        found = runs(tmp_path, with_formula('{ltl: F a, only: ["*-1"]}'))
        assert [run.model.name for run in found if run.question.id == "F a"] == ["random-1"] * 2

    def test_a_family_and_random_formulas(self, tmp_path):
        family = with_formula("{family: gh-r, n: {from: 1, to: 2}, propositions: {p1: a, p2: b, p3: a}}")
        ids = {run.question.id for run in runs(tmp_path, family)}
        assert ids == {"gh-r=1", "gh-r=2", "often"}
        formulas = {run.question.ltl for run in runs(tmp_path, family)}
        assert 'GF "a" | FG "b"' in {text.replace("  ", " ") for text in formulas}
        some = with_formula("{random: {propositions: [a, b], count: 5}, seeds: 1}")
        assert len({run.question.id for run in runs(tmp_path, some)}) == 6
        assert [r.key for r in runs(tmp_path, some)] == [r.key for r in runs(tmp_path, some)]

    def test_files_patterns_and_explicit_structures(self, tmp_path):
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "peterson.dve").write_text(PETERSON.read_text())
        text = "models: ['*/*.dve', {file: counter.dve, name: c}, {kripke: {states: {s: {to: [s]}}}}]\n"
        found = runs(tmp_path, text + "formulas: ['G 1']\nroutes: [tgba]\n")
        assert [run.model.name for run in found] == ["peterson", "c", "kripke"]
        assert [run.model.file for run in found] == ["sub/peterson.dve", "counter.dve", "kripke.kripke.json"]

    def test_models_of_the_same_name_are_told_apart(self, tmp_path):
        for folder in ("x", "y"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "m.dve").write_text(PETERSON.read_text() + f"// {folder}\n")
        found = runs(tmp_path, "models: ['*/*.dve']\nformulas: ['G 1']\nroutes: [tgba]\n")
        assert [run.model.name for run in found] == ["x/m.dve", "y/m.dve"]

    def test_a_model_that_is_named_twice_is_one(self, tmp_path):
        found = runs(tmp_path, "models: [counter.dve, '*.dve']\nformulas: ['G 1']\nroutes: [tgba]\n")
        assert [run.model.name for run in found] == ["counter"]

    def test_an_experiment_without_runs_is_a_mistake(self, tmp_path):
        text = "models: [counter.dve]\nformulas: ['G 1']\nroutes: [{automaton: ltl3tela}]\n"
        ended = buchi("run", write(tmp_path, text))
        assert (ended.code, "there is nothing to run" in ended.err) == (2, True)

    def test_paths_may_be_relative_to_the_data(self, tmp_path):
        text = "models: [peterson.dve]\nformulas: ['G 1']\nroutes: [tgba]\n"
        assert len(runs(tmp_path, text, PETERSON.parent)) == 1

    def test_all_applicable_is_every_kind_and_checker(self, tmp_path):
        found = runs(tmp_path, TINY[: TINY.index("routes:")])
        names = {run.route.name for run in found}
        assert {"tgba/ascc", "slba/se", "ta/tarjan+", "tfla/tfla", "tgra/tgrp"} <= names
        assert "ta/ascc" not in names
        assert all(run.route.optional for run in found)


class TestPropositions:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("GFp1", 'GF "x.y"'),
            ("p1 U p10", ' "x.y" U p10'),
            ('"p1" & p1', '"p1" &  "x.y"'),
            ("Xp1 & q", 'X "x.y" & q'),
        ],
    )
    def test_they_are_replaced(self, text, expected):
        assert substituted(text, {"p1": "x.y"}) == expected


ARTIFACT = """
models: ["shelf/*/*.dve"]
formulas: [{artifact: shelf}]
routes: [{automaton: tgba, checker: ascc, name: given}, tgba/ascc]
"""


@pytest.fixture
def shelf(tmp_path):
    """A folder in the layout of the artifact: one formula that holds, and one that does not."""
    folder = tmp_path / "shelf" / "peterson"
    folder.mkdir(parents=True)
    (folder / "peterson.dve").write_text(PETERSON.read_text())
    for number, formula in (("000", "G !(A.critical && B.critical)"), ("001", "G F A.critical")):
        (folder / f"peterson_{number}.ltl").write_text(formula + "\n")
        hoa = buchi("translate", formula, "--negate", "--to", "tgba", "--format", "hoa").out
        (folder / f"peterson_{number}_tgba.hoa").write_text(hoa)
    (tmp_path / "shelf" / "results.csv").write_text(
        "model,formula,algorithm,automaton,verdict,states\n"
        "peterson,000,favoid,tgba,holds,43\npeterson,000,favoid,dra,holds,50\npeterson,001,ufscc,tgba,violated,9\n"
    )
    return tmp_path


class TestArtifact:
    def test_formulas_and_automata_lie_beside_the_model(self, shelf):
        found = runs(shelf, ARTIFACT)
        assert [(run.question.id, run.route.name) for run in found] == [
            (number, route) for number in ("000", "001") for route in ("given", "tgba/ascc")
        ]
        assert [run.question.automaton is None for run in found] == [False, True] * 2

    @pytest.mark.parametrize(
        ("select", "ids"),
        [
            ("{verdict: holds}", {"000"}),
            ("{verdict: violated}", {"001"}),
            ("{states: {max: 49}}", {"001"}),
            ("{states: {min: 50}}", {"000"}),
            ("{}", {"000", "001"}),
        ],
    )
    def test_what_is_known_is_selected_before_it_runs(self, shelf, select, ids):
        assert {run.question.id for run in runs(shelf, f"{ARTIFACT}select: {select}\n")} == ids

    def test_facts_are_of_all_rows(self):
        facts = Facts().with_row({"verdict": "holds", "states": "5"}).with_row({"verdict": "unknown"})
        assert facts == Facts(Verdict.HOLDS, 5)

    def test_an_automaton_that_is_not_of_the_formula(self, shelf):
        folder = shelf / "shelf" / "peterson"
        (folder / "peterson_000_tgba.hoa").write_text((folder / "peterson_001_tgba.hoa").read_text())
        ended = buchi("run", write(shelf, ARTIFACT), "--processes", "1")
        assert (ended.code, "4 done" in ended.out) == (4, True)
        assert "holds by tgba/ascc; violated by given (given automaton tgba)" in ended.err
        assert "a given automaton may be at fault" in ended.err

    @needs_data
    def test_the_artifact_itself(self, tmp_path):
        text = ARTIFACT.replace("shelf", "sttt-beem") + "select: {states: {max: 3000000}}\n"
        found = runs(tmp_path, text, FOLDER)
        assert len({run.model.name for run in found}) == 8
        assert len(found) > 500

    def test_nets(self, tmp_path):
        """Formulas and automata of nets are spelt otherwise, and where a translator failed there is an empty file."""
        folder = tmp_path / "shelf" / "net"
        folder.mkdir(parents=True)
        (folder / "net.pnml").write_text(CONTEST_NET)
        (folder / "net_LTLC_7_.ltl.rabin.selected").write_text("[](((a + b\\-1) <= 2))\n")
        (folder / "net_LTLC_7_.ltl3hoa.hoa").write_text(
            buchi("translate", 'G "(a + b-1) <= 2"', "--negate", "--to", "tgba", "--format", "hoa").out
        )
        (folder / "net_LTLC_7_.ltl3dra.hoa").write_text("")
        (tmp_path / "shelf" / "results.csv").write_text(
            "model,formula,algorithm,automaton,verdict,states\nnet,C_7_,ufscc,tgba,holds,6\n"
        )
        text = (
            "models: [shelf/net/net.pnml]\nformulas: [{artifact: shelf}]\nselect: {verdict: holds}\n"
            "routes: [tgba/ascc, {automaton: ltl3hoa, kind: tgba}, {automaton: ltl3dra, kind: tgra}]\n"
        )
        found = runs(tmp_path, text)
        assert [(run.question.id, run.route.automaton) for run in found] == [
            ("C_7_", None),
            ("C_7_", "ltl3hoa"),
        ]
        assert buchi("run", write(tmp_path, text), "--processes", "1").code == 0


class TestContest:
    TEXT = "models: [fair/*/model.pnml]\nformulas: [{contest: fair}]\nroutes: [tgba/ascc]\n"

    @pytest.fixture
    def fair(self, tmp_path):
        """A folder in the layout of the contest: one formula that holds, and one that does not."""
        folder = tmp_path / "fair" / "Net-PT-1"
        folder.mkdir(parents=True)
        (folder / "model.pnml").write_text(CONTEST_NET)
        count = "<tokens-count><place>a</place><place>b-1</place></tokens-count>"
        least = f"<integer-le><integer-constant>2</integer-constant>{count}</integer-le>"
        fire = "<is-fireable><transition>v</transition><transition>u</transition></is-fireable>"
        formulas = {"Net-00": f"<globally>{least}</globally>", "Net-01": f"<globally>{fire}</globally>"}
        (folder / "LTLCardinality.xml").write_text(contest_properties(formulas))
        (tmp_path / "fair" / "answers.csv").write_text("net,formula,holds\nx,Net-00,yes\nx,Net-01,no\n")
        return tmp_path

    def test_formulas_lie_beside_the_net_whose_folder_has_its_name(self, fair):
        found = runs(fair, self.TEXT)
        assert [(run.model.name, run.question.id) for run in found] == [
            ("Net-PT-1", "Net-00"),
            ("Net-PT-1", "Net-01"),
        ]
        assert [run.question.ltl.replace("( ", "(") for run in found] == [
            '(G("2 <= tokens(a, b-1)"))',
            '(G("fireable(v, u)"))',
        ]

    def test_answers_are_known_before_it_runs(self, fair):
        assert [run.question.id for run in runs(fair, self.TEXT + "select: {verdict: violated}\n")] == [
            "Net-01"
        ]

    def test_they_run(self, fair):
        ended = buchi("run", write(fair, self.TEXT), "--processes", "1", "--results", fair / "r.sqlite")
        assert ended.code == 0, ended.err
        with Store.open(fair / "r.sqlite") as store:
            assert {r.formula_id: r.verdict for r in store.records()} == {
                "Net-00": "holds",
                "Net-01": "violated",
            }

    def test_answers_that_are_none(self, fair):
        (fair / "fair" / "answers.csv").write_text("net,formula,holds\nx,Net-00,maybe\n")
        ended = buchi("run", write(fair, self.TEXT))
        assert ended.code == 2
        assert "answers.csv:2: not a row of answers" in ended.err

    @needs_data
    def test_the_texts_of_propositions_mean_what_their_elements_do(self):
        for net in ("BART-PT-002", "NeoElection-PT-2", "ShieldRVt-PT-001A"):
            folder = FOLDER / "mcc2023" / net
            model = PNML().load((folder / "model.pnml").read_text(), net).model
            for examination in EXAMINATIONS:
                for asked in read_properties((folder / examination).read_text(), examination, model):
                    for name, meaning in asked.meanings.items():
                        assert parse_proposition(asked.texts[name], model) == meaning


def test_the_configuration_of_a_run_names_no_folder_of_the_machine(tmp_path):
    for run in runs(tmp_path, TINY.replace("  - random", "  - counter.dve\n  - random")):
        assert str(tmp_path) not in json.dumps(run.configuration())
