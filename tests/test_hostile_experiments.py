"""Experiment files of strangers: one message and exit code 2, in little time and memory, whatever they hold."""

from __future__ import annotations

import os

import pytest
from experiment_files import LONG, RUNS, TINY, wait_for, write
from runner import buchi, finish, peak, start, worker

from buchi.pipeline.experiments.reading import read_experiment

LAUGHS = "\n".join(
    ["x0: &x0 [ha, ha]", *(f"x{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 9)}]" for i in range(1, 12))]
)
CYCLE = "models: &a [*a]\nformulas: [G a]\n"
DATED = "models: [{kripke: {states: {s: {to: [s], holds: [2026-01-01]}}}}]\nformulas: [G 1]\n"


def with_formula(formula):
    return TINY.replace("  - G (a -> F b)\n", f"  - {formula}\n")


def named(value):
    return TINY.replace("name: tiny", f"name: {value}")


def refused(path, message):
    ended = buchi("run", path, "--dry-run")
    assert ended.code == 2, ended
    assert ended.err.startswith(f"error: {path}")
    assert message in ended.err


class TestText:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (LAUGHS, "with what its aliases stand for"),
            (CYCLE, "1:13: the alias *a contains itself"),
            (CYCLE.replace("&a ", ""), "1:10: there is no anchor &a before this alias"),
            (named("[" * 5000 + "]" * 5000), "1:106: nested too deeply"),
            (named("[" * 1_000_000), "1:106: nested too deeply"),
            (named(f"[{'a, ' * 100_000}]"), "more than 100,000 parts"),
            (TINY + "? " + "{a: " * 60 + "b" + "}" * 60 + "\n: x\n", "a key has to be a word"),
            (TINY + "? &x [a]\n: *x\n? *x\n: 1\n", "a key has to be a word"),
            (TINY + "? [a, b]\n: x\n", "a key has to be a word"),
            (TINY + f"repetitions: {'9' * 5000}\n", "11:14: a number of 5000 digits is too large"),
            (TINY + f"repetitions: 0x{'f' * 5000}\n", "repetitions: this should be a whole number"),
            (TINY + f"repetitions: 1{':1' * 100000}\n", "repetitions: this should be a whole number"),
            (named('"half \\ud800 of a character"'), "Unicode character"),
            (TINY + '"\\udc00": 1\n', "Unicode character"),
            (named("!!python/object/apply:os.system [id]"), "name: "),
            (named("&x !!timestamp 2026-99-99"), "1:7: tags such as"),
            *(
                (named(tagged), "1:7: tags such as")
                for tagged in ("!!int", "!!float", "!!bool x", "!!timestamp x")
            ),
            (TINY + "# " + "x" * (5 << 20), "larger than 4 MiB"),
            (DATED, "models.0.kripke: "),
            (DATED.replace("2026-01-01", ".nan"), "models.0.kripke: "),
        ],
    )
    def test_it_is_refused(self, tmp_path, text, message):
        refused(write(tmp_path, text), message)

    def test_billion_laughs_take_little_memory(self, tmp_path):
        code, most = peak("run", write(tmp_path, LAUGHS), "--dry-run")
        assert code == 2
        assert most < 400 << 20

    def test_words_are_words(self, tmp_path):
        """As in structures: no date, no number of base 60 and no truth value is made of a name."""
        for name in ("2026-99-99", "1:30", "on", "0x10"):
            assert read_experiment(write(tmp_path, named(name))).name == name

    def test_a_part_of_an_alias_has_a_place(self, tmp_path):
        """That of the text that the alias stands for."""
        text = TINY.replace("often}", "often, only: &names [x, y]}").replace(
            "tgba/ascc", "{kind: tgba, through: *names}"
        )
        document = read_experiment(write(tmp_path, text))
        assert str(document.place("routes", 0, "through", 1)).endswith(":7:50")
        assert str(document.place("routes", 0, "through")).endswith(":9:18")

    def test_an_alias_may_be_used(self, tmp_path):
        text = TINY.replace("[a, b]", "&names [a, b]").replace(
            "routes:", "  - {random: {propositions: *names, count: 1}}\nroutes:"
        )
        assert "18 runs to do" in buchi("run", write(tmp_path, text), "--dry-run").out


class TestSizes:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                with_formula("{random: {propositions: 2, count: 1, size: 2147483647}}"),
                "formulas.0.random.size: ",
            ),
            (with_formula("{random: {propositions: 2, count: 1, size: 500}}"), "formulas.0.random: "),
            (with_formula("{random: {propositions: 2, count: 2147483647}}"), "formulas.0.random.count: "),
            (
                with_formula("{random: {propositions: 2, count: 100000}, seeds: {from: 1, to: 100000}}"),
                "formulas.0",
            ),
            (with_formula("{family: gh-r, n: 2147483647}"), "formulas.0.n: "),
            (with_formula("{family: rv-counter, n: 0}"), "formulas.0.n: "),
            (with_formula("{family: ccj-beta-prime, n: {from: 1, to: 1000}}"), "formulas.0.n: "),
            (TINY.replace("states: 8, density: 0.2", "states: 100000, density: 1.0"), "models.0.random: "),
            (TINY.replace("from: 0, to: 2", "from: 0, to: 2147483647"), "models.0.seeds: "),
            (TINY + "repetitions: 1000000000000\n", "repetitions: "),
            (TINY + "repetitions: 500000\n", "more than 1,000,000 runs"),
            (TINY + "order: random\nseeds: {from: 0, to: 2147483647}\n", "seeds: "),
            (
                TINY.replace("to: 2", "to: 9999") + "order: random\nseeds: {from: 0, to: 9999}\n",
                "1,000,000 runs",
            ),
            (TINY + f"limits: {{memory: {'9' * 90}GB}}\n", "limits.memory: "),
            (TINY + "limits: {seconds: 1.0e+300}\n", "limits.seconds: "),
            (TINY + f"limits: {{states: 1{'0' * 40}}}\n", "limits.states: "),
        ],
    )
    def test_what_would_never_end_is_refused(self, tmp_path, text, message):
        refused(write(tmp_path, text), message)

    def test_what_is_large_but_sensible_is_not(self, tmp_path):
        text = TINY.replace("states: 8, density: 0.2", "states: 1000000, density: 0.000001")
        assert "12 runs to do" in buchi("run", write(tmp_path, text), "--dry-run").out


class TestFiles:
    @pytest.fixture
    def folder(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.dve")
        (tmp_path / "zero.dve").symlink_to("/dev/zero")
        (tmp_path / "dir.dve").mkdir()
        return tmp_path

    @pytest.mark.parametrize("name", ["pipe.dve", "zero.dve", "/dev/zero", "dir.dve", '"a\\0b"', "x" * 300])
    def test_a_model_that_is_no_file(self, folder, name):
        refused(write(folder, LONG.replace("counter.dve", name)), "models.0: ")

    @pytest.mark.parametrize("name", ["pipe.dve", "/dev/zero", ".", '"a\\0b"'])
    def test_formulas_that_are_no_file(self, folder, name):
        refused(write(folder, with_formula(f"{{file: {name}}}")), "formulas.0.file: ")

    def test_an_artifact_that_is_no_folder(self, folder):
        refused(write(folder, with_formula("{artifact: pipe.dve}")), "formulas.0")

    def test_a_pattern_takes_files_only(self, folder):
        assert (
            f"{RUNS} runs to do"
            in buchi("run", write(folder, LONG.replace("counter.dve", "'*.dve'")), "--dry-run").out
        )

    @pytest.mark.parametrize("pattern", ["/**/*", "../**/*.dve", "a**b", '"*\\0"'])
    def test_a_pattern_that_leads_outside(self, folder, pattern):
        quoted = pattern if pattern.startswith('"') else f"'{pattern}'"
        refused(write(folder, LONG.replace("counter.dve", quoted)), "models.0: ")

    def test_a_pattern_does_not_follow_links_in_circles(self, tmp_path):
        (tmp_path / "sub").mkdir()
        for name in ("one", "two", "three"):
            (tmp_path / "sub" / name).symlink_to("..")
        text = LONG.replace("counter.dve", "'**/*.dve'")
        assert f"{RUNS} runs to do" in buchi("run", write(tmp_path, text), "--dry-run").out


ARTIFACT = "models: [shelf/m/m.dve]\nformulas: [{artifact: shelf}]\nroutes: [tgba/ascc]\n"


class TestArtifacts:
    @pytest.fixture
    def shelf(self, tmp_path):
        folder = tmp_path / "shelf" / "m"
        folder.mkdir(parents=True)
        write(folder, "")
        (folder / "counter.dve").rename(folder / "m.dve")
        (folder / "m_000.ltl").write_text("G x <= 255\n")
        return tmp_path

    @pytest.mark.parametrize(
        "content",
        [
            b"model,formula\nm,000\n",
            b"model,formula,verdict,states\nm,000,holds\n",
            b"model,formula,verdict,states\nm,000,holds,many\n",
            b"model,formula,verdict,states\nm,000,holds,-3\n",
            b"model,formula,verdict,states\nm,000,maybe,3\n",
            b"model,formula,verdict,states\nm,000,holds," + b"9" * 5000 + b"\n",
            b"model,formula,verdict,states\nm,000,holds," + b"9" * 500000 + b"\n",
            b"model,formula,verdict,states\n\xff\xfe,000,holds,3\n",
            b'model,formula,verdict,states\nm,000,"holds,3\n',
            b"",
            b"\0" * 100,
        ],
    )
    def test_damaged_results(self, shelf, content):
        (shelf / "shelf" / "results.csv").write_bytes(content)
        ended = buchi("run", write(shelf, ARTIFACT), "--dry-run")
        assert ended.code == 2
        assert "results.csv:" in ended.err

    def test_names_that_are_no_numbers(self, shelf):
        for name in ("m_².ltl", "m_x.ltl"):
            (shelf / "shelf" / "m" / name).write_text("G x <= 255\n")
        os.mkfifo(shelf / "shelf" / "m" / "m_001.ltl")
        os.mkfifo(shelf / "shelf" / "m" / "m_000_tgba.hoa")
        text = ARTIFACT.replace("shelf}", "shelf, numbers: [0, 1, 2]}")
        assert "1 run to do" in buchi("run", write(shelf, text), "--dry-run").out


def test_it_ends_at_a_request_to_terminate(tmp_path):
    text = with_formula("{random: {propositions: 3, count: 5000, size: 60}}")
    process = start("run", write(tmp_path, text), "--dry-run")
    wait_for(lambda: worker(process))
    process.terminate()
    assert finish(process).code == 3


NO_CONFIGURATION = [f"translators: {'9' * 5000}", "[" * 5000, "translators: [a]", "\0", "- a", "a: !!int"]


@pytest.mark.parametrize("text", NO_CONFIGURATION)
def test_a_configuration_that_makes_no_sense(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text)
    ended = buchi("run", write(tmp_path, TINY), "--dry-run", BUCHI_CONFIG=str(tmp_path / "config.yaml"))
    assert (ended.code, "config.yaml:" in ended.err) == (2, True), ended
