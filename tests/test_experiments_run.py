"""The runner: records, limits, deaths. Whatever is killed, nothing finished is lost, repeated or there twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import time

import pytest
from experiment_files import (
    LONG,
    RUNS,
    TINY,
    assert_complete,
    has_results,
    is_alive,
    records,
    wait_for,
    workers,
    write,
)
from runner import BLOW_UP, PETERSON, buchi, finish, start

from buchi.common.ends import Verdict
from buchi.schemas.run import RunStatus

FAILING = TINY.replace("G (a -> F b)", "G X a").replace("kind: tlba, checker: se", "kind: ta")
"""There is no testing automaton for one of the formulas."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """Run the tiny experiment once for all tests of this file that begin where it has ended."""
    path = write(tmp_path_factory.mktemp("tiny"), TINY)
    assert buchi("run", path, "--processes", "1").code == 0
    return path


@pytest.fixture
def finished(tiny, tmp_path):
    """Return a copy of the tiny experiment, with its results."""
    shutil.copytree(tiny.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / tiny.name


def by_formula(path):
    return {record.formula_id: record for record in records(path)}


class TestRecords:
    def test_a_record_tells_everything(self, tmp_path):
        path = write(tmp_path, TINY)
        ended = buchi("run", path, "--processes", "2")
        assert (ended.code, ended.out) == (0, f"12 done; results in {path.with_suffix('.sqlite')}\n")
        assert "12 done, 0 left" in ended.err
        found = records(path)
        assert {(r.experiment, r.status, r.workers, r.repetition) for r in found} == {
            ("tiny", RunStatus.DONE, 1, 1)
        }
        assert {r.route: (r.kind, r.checker) for r in found} == {
            "tgba/ascc": ("tgba", "ascc"),
            "tlba/se": ("tlba", "se"),
        }
        for record in found:
            assert (record.verdict is Verdict.VIOLATED) == (record.counterexample is not None)
            assert set(record.versions) == {"buchi", "spot", "python"}
            assert {record.measured.states is None, record.measured.peak_bytes is None} == {False}

    def test_routes_agree(self, tmp_path):
        path = write(tmp_path, TINY[: TINY.index("routes:")].replace("to: 2", "to: 0"))
        assert buchi("run", path, "--processes", "1").code == 0
        verdicts = {}
        for record in records(path):
            verdicts.setdefault((record.model, record.formula), set()).add(record.verdict)
        assert len(verdicts) == 2
        assert all(len(found) == 1 for found in verdicts.values())
        assert len({record.route for record in records(path)}) > 10

    def test_a_given_automaton_and_translator_options(self, tmp_path):
        text = "models: [peterson.dve]\nformulas: ['G F A.critical']\n"
        text += "routes: [{kind: tfla, through: [tgra], options: {tgra-tfla: {method: literal}}, name: literal}]\n"
        path = write(tmp_path, text)
        assert buchi("run", path, "--data", PETERSON.parent).code == 0
        (record,) = records(path)
        assert (record.route, record.kind, record.verdict) == ("literal", "tfla", Verdict.VIOLATED)

    def test_a_failed_run_is_kept_unless_one_wants(self, tmp_path):
        path = write(tmp_path, FAILING)
        ended = buchi("run", path, "--processes", "1")
        assert (ended.code, "9 done, 3 failed" in ended.out) == (2, True)
        assert " · 3 failed\n" in ended.err
        failed = [record for record in records(path) if record.status is RunStatus.FAILED]
        assert {record.verdict for record in failed} == {None}
        assert "stutter" in (failed[0].message or "")
        again = buchi("run", path)
        for told in (ended.err, again.err):
            assert "stutter" in told.partition("3 runs failed: ")[2]
        assert (again.code, "12 kept from before (3 of them failed: --redo-failed" in again.out) == (2, True)
        assert "3 failed, 9 kept" in buchi("run", path, "--redo-failed", "--processes", "1").out

    def test_a_failure_that_was_mended_is_forgotten(self, tmp_path):
        path = write(tmp_path, FAILING)
        assert buchi("run", path, "--processes", "1").code == 2
        path.write_text(FAILING.replace("G X a", "G a"))
        assert buchi("run", path, "--processes", "1").code == 0
        assert {record.status for record in records(path)} == {RunStatus.DONE}
        assert "Failures" not in buchi("report", path.with_suffix(".sqlite")).out


class TestConstants:
    def test_the_record_tells_them(self, tmp_path):
        formulas = {
            "G 1": True,
            "F 0": False,
            "G a | F !a": True,
            "G a & F !a": False,
            "G F a": None,
            "F a": None,
        }
        text = TINY[: TINY.index("formulas:")] + f"formulas: {json.dumps(list(formulas))}\n"
        path = write(tmp_path, text.replace("to: 2", "to: 0") + "routes: [tgba, slba, tgra, tfla]\n")
        assert buchi("run", path, "--processes", "1").code == 0
        told = {(r.formula, r.route): r.configuration["property"]["constant"] for r in records(path)}
        assert {formula: told[formula, "tgba/auto"] for formula in formulas} == formulas
        assert all(value in (None, formulas[formula]) for (formula, _), value in told.items())


class TestDisagreement:
    """Routes that give different answers to one question: never silent."""

    def contradict(self, path, statement, route="tlba/se"):
        connection = sqlite3.connect(path.with_suffix(".sqlite"))
        (key,) = connection.execute(
            "SELECT key FROM runs WHERE model = 'random-1' AND formula_id = 'often' AND route = ?", (route,)
        ).fetchone()
        connection.execute(statement, (key,))
        connection.commit()
        connection.close()

    FLIP = "UPDATE runs SET verdict = iif(verdict = 'holds', 'violated', 'holds') WHERE key = ?"

    def test_it_ends_with_4_and_names_who_says_what(self, finished):
        self.contradict(finished, self.FLIP)
        ended = buchi("run", finished)
        assert (ended.code, "12 kept from before" in ended.out) == (4, True)
        assert "routes disagree on one case" in ended.err
        shown = ended.err[ended.err.index("random-1, G F a: ") :]
        assert {"tgba/ascc", "tlba/se"} <= set(shown.replace(";", " ").split())
        assert {"holds by", "violated by"} <= {shown[i : i + n] for i in range(100) for n in (8, 11)}

    def test_with_results_kept_from_before_and_everything_else_recorded(self, finished):
        self.contradict(finished, self.FLIP)
        finished.write_text(TINY + "  - tgba/gv\n")
        ended = buchi("run", finished, "--processes", "1")
        assert (ended.code, "6 done, 12 kept from before" in ended.out) == (4, True)
        assert len(records(finished)) == 18

    def test_what_the_selection_leaves_out_has_a_voice(self, tmp_path):
        path = write(tmp_path, TINY.replace("- G (a -> F b)\n  ", "") + "select: {verdict: violated}\n")
        assert buchi("run", path, "--processes", "1").code == 0
        connection = sqlite3.connect(path.with_suffix(".sqlite"))
        (key,) = connection.execute("SELECT key FROM runs WHERE route = 'tgba/ascc'").fetchone()
        connection.execute("DELETE FROM runs WHERE key = ?", (key,))
        connection.execute("INSERT INTO skipped VALUES (?, 'the verdict is holds')", (key,))
        connection.commit()
        connection.close()
        ended = buchi("run", path)
        assert (ended.code, "holds by tgba/ascc; violated by tlba/se" in ended.err) == (4, True)


class TestBeforeAnythingRuns:
    """A mistake that would make runs fail is found first, with its place."""

    @pytest.mark.parametrize("arguments", [(), ("--dry-run",)])
    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            (TINY.replace("G (a -> F b)", "G nowhere"), "6:5", "the model has no nowhere (model random-0"),
            (TINY.replace('"G F a"', '"G F aa"'), "7:6", "did you mean a?"),
            (LONG.replace("x <= 255", "xx <= 255"), "2:1", "the model has no xx (model counter"),
            (LONG.replace('"G x <= 255"', "{process: true}"), "2:1", "counter has no property process"),
        ],
    )
    def test_a_misspelt_proposition(self, tmp_path, text, place, message, arguments):
        path = write(tmp_path, text)
        ended = buchi("run", path, *arguments)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith(f"error: {path}:{place}"), ended.err
        assert message in ended.err
        assert not path.with_suffix(".sqlite").exists()

    def test_in_a_file_of_formulas(self, tmp_path):
        path = write(tmp_path, TINY.replace("G (a -> F b)", "{file: list.ltl}"))
        (tmp_path / "list.ltl").write_text("# two\nF a\nF nowhere\n")
        ended = buchi("run", path)
        assert (ended.code, "error: list.ltl:3: the model has no nowhere" in ended.err) == (2, True)

    def test_a_model_that_cannot_be_read(self, tmp_path):
        path = write(tmp_path, LONG)
        (tmp_path / "counter.dve").write_text("byte x\nprocess")
        ended = buchi("run", path)
        assert (ended.code, ended.err.startswith("error: counter.dve:2:1: ")) == (2, True)

    def test_what_has_a_result_is_not_looked_at_again(self, finished, monkeypatch):
        monkeypatch.setattr("buchi.pipeline.experiments.preflight.forbidden_by", None)
        assert buchi("run", finished).code == 0

    def test_a_random_family_is_not_made_for_it(self, tmp_path):
        text = TINY.replace("states: 8, density: 0.2", "states: 10000000, density: 0")
        assert "12 runs to do" in buchi("run", write(tmp_path, text), "--dry-run").out


class TestSelection:
    def test_products_that_hold(self, tmp_path):
        path = write(tmp_path, TINY + "select: {verdict: violated}\n")
        assert "left out" in buchi("run", path, "--processes", "1").out
        assert {record.verdict for record in records(path)} == {Verdict.VIOLATED}
        assert "12 kept from before" in buchi("run", path).out

    def test_automata_that_are_not_weak(self, tmp_path):
        text = TINY.replace("G F a", "G a")
        path = write(tmp_path, text + "select: {weak: false}\n")
        assert buchi("run", path, "--processes", "1").code == 0
        assert {record.formula for record in records(path)} == set()
        path.with_suffix(".sqlite").unlink()
        path = write(tmp_path, text.replace("G (a -> F b)", "F G a") + "select: {weak: false}\n")
        assert buchi("run", path, "--processes", "1").code == 0
        assert {record.formula for record in records(path)} == {"F G a"}


class TestLimits:
    def test_a_search_ends_by_itself(self, tmp_path):
        path = write(tmp_path, LONG.replace(f"repetitions: {RUNS}", ""))
        assert buchi("run", path, "--processes", "1").code == 0
        (record,) = records(path)
        assert (record.verdict, record.reason) == (Verdict.UNKNOWN, "states")

    def test_a_translation_that_blows_up_is_ended(self, tmp_path):
        text = "models: [peterson.dve]\nformulas:\n  - {ltl: 'G 1', name: easy}\n"
        text += f"  - {{ltl: '{BLOW_UP}', name: hard}}\n  - {{ltl: 'F 0', name: last}}\n"
        path = write(tmp_path, text + "routes: [tgba/ascc]\nlimits: {seconds: 0.5}\n")
        assert buchi("run", path, "--data", PETERSON.parent, "--processes", "1").code == 0
        found = by_formula(path)
        assert (found["hard"].verdict, found["hard"].reason) == (Verdict.UNKNOWN, "time")
        assert (found["easy"].verdict, found["last"].verdict) == (Verdict.HOLDS, Verdict.VIOLATED)

    def test_a_model_too_large_for_the_memory_is_ended(self, tmp_path):
        text = "models:\n  - random: {states: 3000000, density: 0}\n    name: huge\n"
        text += "  - random: {states: 3, density: 0}\n    name: small\n"
        path = write(tmp_path, text + "formulas: [G p]\nroutes: [tgba/ascc]\nlimits: {memory: 30MiB}\n")
        assert buchi("run", path, "--processes", "1").code == 0
        found = {record.model: record for record in records(path)}
        assert (found["huge-0"].verdict, found["huge-0"].reason) == (Verdict.UNKNOWN, "memory")
        assert found["small-0"].verdict in (Verdict.HOLDS, Verdict.VIOLATED)


class TestDeaths:
    @pytest.fixture
    def path(self, tmp_path):
        return write(tmp_path, LONG)

    def test_of_the_parent(self, path):
        process = start("run", path, "--processes", "2")
        wait_for(lambda: has_results(path, 5))
        ours = workers(process.pid)
        assert len(ours) == 2
        process.kill()
        process.communicate()
        wait_for(lambda: not any(map(is_alive, ours)))
        before = records(path)
        assert 5 <= len(before) < RUNS
        assert buchi("run", path, "--processes", "1").code == 0
        assert_complete(path, before)

    @pytest.mark.parametrize(
        ("number", "name", "processes"), [(signal.SIGKILL, "SIGKILL", 2), (40, "signal 40", 1)]
    )
    def test_of_a_worker(self, path, number, name, processes):
        process = start("run", path, "--processes", processes)
        wait_for(lambda: has_results(path, 5))
        os.kill(workers(process.pid)[0], number)
        ended = finish(process)
        assert ended.code == 3, ended
        before = records(path)
        killed = [record for record in before if record.status is RunStatus.KILLED]
        assert (len(before), len(killed)) == (RUNS, 1)
        assert killed[0].message == f"the worker died ({name})"
        assert f"{RUNS - 1} kept from before" in buchi("run", path, "--processes", "1").out
        assert_complete(path, before)

    @pytest.mark.parametrize(("number", "processes"), [(signal.SIGINT, 2), (signal.SIGTERM, 1)])
    def test_ctrl_c(self, path, number, processes):
        process = start("run", path, "--processes", processes)
        wait_for(lambda: has_results(path, 3))
        ours = workers(process.pid)
        process.send_signal(number)
        ended = finish(process)
        assert ended.code == 3
        assert ended.out.startswith("interrupted: ")
        assert not any(map(is_alive, ours))
        before = records(path)
        assert f"{len(before)} done; results" in ended.out
        assert buchi("run", path, "--processes", "1").code == 0
        assert_complete(path, before)

    @pytest.mark.parametrize(("pause", "processes"), [(0, 2), (0.05, 1)])
    def test_three_quick_ctrl_c(self, path, pause, processes):
        process = start("run", path, "--processes", processes)
        wait_for(lambda: has_results(path, 2))
        ours = workers(process.pid)
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
        ended = finish(process)
        assert (ended.code, ended.out.startswith("interrupted: ")) == (3, True)
        wait_for(lambda: not any(map(is_alive, ours)))
        before = records(path)
        assert f"{len(before)} done; results" in ended.out
        assert buchi("run", path, "--processes", "1").code == 0
        assert_complete(path, before)

    def test_no_two_at_once(self, path):
        process = start("run", path, "--processes", "1")
        wait_for(lambda: has_results(path, 1))
        ended = buchi("run", path)
        assert (ended.code, "another run writes to these results" in ended.err) == (2, True)
        process.terminate()
        finish(process)


def test_a_model_that_changed_meanwhile_is_no_result(tmp_path):
    from buchi.pipeline.experiments.plan import Plan
    from buchi.pipeline.experiments.reading import read_experiment
    from buchi.pipeline.experiments.workbench import Workbench

    path = write(tmp_path, LONG)
    run = next(Plan.of(read_experiment(path)).runs())
    (tmp_path / "counter.dve").write_text("// changed")
    record = Workbench(1 << 30).execute(run)
    assert "has changed" in (record.message or "")


def test_the_results_are_in_a_write_ahead_log(finished, tmp_path):
    connection = sqlite3.connect(finished.with_suffix(".sqlite"))
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "counter.dve",
        "experiment.sqlite",
        "experiment.yaml",
    ]
