"""The store of results, and its export."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import sqlite3
import sys
from pathlib import Path

import pytest
from runner import buchi

from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.pipeline.experiments.store import COLUMNS, JSON_COLUMNS, MEASURED, Store
from buchi.schemas.run import Measured, RunRecord, RunStatus


def record(key, **changes):
    made = RunRecord(
        key=key,
        experiment="e",
        model="m",
        formula_id="f",
        formula='G "a, b" -> F\n"ü"',
        route="tgba/ascc",
        kind="tgba",
        checker="ascc",
        workers=1,
        repetition=1,
        status=RunStatus.DONE,
        verdict=Verdict.HOLDS,
        reason=None,
        message=None,
        measured=Measured(states=3, transitions=2**40, seconds=0.1),
        started="2026-01-01T00:00:00.000+00:00",
        versions={"buchi": "1"},
        machine={},
        configuration={"limits": {"seconds": None}},
        counterexample=None,
    )
    return made.model_copy(update=changes)


KILLED = record("k", status=RunStatus.KILLED, verdict=None, message="died")
FAILED = record("f", status=RunStatus.FAILED, verdict=None, measured=Measured())
VIOLATED = record("v", verdict=Verdict.VIOLATED, counterexample={"prefix": [], "cycle": [1]})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store.open(path) as store:
        for each in (record("d"), KILLED, FAILED, VIOLATED):
            store.add(each)
        store.skip("s", "weak")
    return path


class TestStore:
    def test_records_come_back_as_they_were(self, file):
        with Store.open(file) as store:
            assert list(store.records()) == [record("d"), KILLED, FAILED, VIOLATED]

    def test_a_file_of_an_earlier_version_is_read_and_gone_on_with(self, file):
        with sqlite3.connect(file) as connection:
            for name in ("max_stack", "components", "passes"):
                connection.execute(f"ALTER TABLE runs DROP COLUMN {name}")
        with Store.open(file, must_exist=True) as store:
            before = list(store.records())
        assert before
        later = record("later", measured=Measured(states=1, max_stack=7, components=3, passes=2))
        with Store.open(file) as store:
            store.add(later)
            assert list(store.records()) == [*before, later]

    def test_what_is_done(self, file):
        with Store.open(file) as store:
            assert [store.state(key) for key in "kfsx"] == [RunStatus.KILLED, RunStatus.FAILED, "weak", None]
            assert store.counts() == {"done": 2, "failed": 1, "killed": 1, "skipped": 1}

    def test_a_run_done_again_is_there_once(self, file):
        with Store.open(file) as store:
            store.add(record("k"))
            assert [found.key for found in store.records()] == ["d", "f", "v", "k"]

    def test_a_killed_run_that_is_left_out_now_is_no_longer_killed(self, file):
        with Store.open(file) as store:
            store.skip("k", "the verdict is holds")
            assert store.state("k") == "the verdict is holds"
            assert store.counts() == {"done": 2, "failed": 1, "skipped": 2}

    def test_several_may_read_while_one_writes(self, file):
        with Store.open(file) as writer, Store.open(file) as reader:
            writer.add(record("new"))
            assert len(list(reader.records())) == 5

    def test_one_runner_at_a_time(self, file):
        with (
            Store.open(file) as one,
            Store.open(file) as two,
            one.locked(),
            pytest.raises(InputError) as error,
        ):
            two.locked().__enter__()
        assert "another run" in str(error.value)

    def test_a_lock_that_was_removed_meanwhile_locks_nothing(self, file, monkeypatch):
        lock = fcntl.flock

        def late(descriptor, how):
            Path(f"{file}-lock").unlink()
            lock(descriptor, how)

        monkeypatch.setattr(fcntl, "flock", late)
        with Store.open(file) as store, pytest.raises(InputError, match="another run"):
            store.locked().__enter__()

    def test_it_must_be_there_to_be_read(self, tmp_path):
        with pytest.raises(InputError, match="no such file"):
            Store.open(tmp_path / "none.sqlite", must_exist=True)

    def test_a_folder_is_named(self, tmp_path):
        for path in (tmp_path, tmp_path / "none" / "results.sqlite"):
            with pytest.raises(InputError, match="no file of results here"):
                Store.open(path)

    def test_it_is_read_where_nothing_may_be_written(self, file, monkeypatch):
        monkeypatch.setattr(os, "access", lambda *_: False)
        with Store.open(file, must_exist=True) as store:
            assert len(list(store.records())) == 4
            assert [path.name for path in file.parent.iterdir()] == [file.name]

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE runs SET verdict = 'maybe'",
            "UPDATE runs SET configuration = '{'",
            "UPDATE runs SET status = 'x'",
            "ALTER TABLE runs DROP COLUMN checker",
            "DROP TABLE runs",
        ],
    )
    def test_damage_is_the_file_and_no_bug(self, file, tmp_path, damage):
        with sqlite3.connect(file) as connection:
            connection.execute(damage)
        ended = buchi("report", file)
        assert ended.code == 2
        assert ended.err.startswith(f"error: {file}: this file of results")

    def test_something_else_is_refused(self, tmp_path):
        text, other, later = (tmp_path / name for name in ("text", "other", "later"))
        text.write_text("this is no database at all, but text\n" * 50)
        for path, statement in ((other, "CREATE TABLE t (x)"), (later, "PRAGMA user_version = 9")):
            connection = sqlite3.connect(path)
            connection.execute(statement)
            connection.close()
        for path, message in ((text, "not a database"), (other, "something else"), (later, "format 9")):
            with pytest.raises(InputError, match=message):
                Store.open(path)


class TestExport:
    def test_csv_round_trip(self, file, tmp_path):
        table = tmp_path / "runs.csv"
        assert buchi("export", file, "--csv", table).out == f"4 runs in {table}\n"
        with table.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        assert list(rows[0]) == list(COLUMNS)
        assert [from_csv(row) for row in rows] == [record("d"), KILLED, FAILED, VIOLATED]

    def test_parquet_round_trip(self, file, tmp_path):
        parquet = pytest.importorskip("pyarrow.parquet")
        table = tmp_path / "runs.parquet"
        assert buchi("export", file, "--parquet", table).code == 0
        read = parquet.read_table(table).to_pylist()
        assert [row["transitions"] for row in read] == [2**40, 2**40, None, 2**40]
        assert [row["seconds"] for row in read] == [0.1, 0.1, None, 0.1]

    def test_parquet_without_pyarrow(self, file, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        ended = buchi("export", file, "--parquet", tmp_path / "x")
        assert (ended.code, "pip install 'buchi[parquet]'" in ended.err) == (2, True)

    @pytest.mark.parametrize("command", ["export --csv", "export --parquet", "report --html", "report --pdf"])
    def test_the_results_are_not_written_over(self, file, command):
        before = file.read_bytes()
        name, option = command.split()
        ended = buchi(name, file, option, file)
        assert (ended.code, "would be lost" in ended.err, file.read_bytes() == before) == (2, True, True)

    def test_mistakes(self, file, tmp_path):
        assert "give --csv FILE" in buchi("export", file).err
        assert "no such file" in buchi("export", tmp_path / "none", "--csv", "x").err
        assert "cannot be written" in buchi("export", file, "--csv", tmp_path / "no" / "x").err


def from_csv(row):
    """Return the record that a row of the CSV file tells; an empty field is what is not known."""
    known = {name: value or None for name, value in row.items()}
    measured = {name: known.pop(name) for name in MEASURED}
    parsed = {name: known[name] and json.loads(known[name]) for name in JSON_COLUMNS}
    return RunRecord.model_validate({**known, **parsed, "measured": measured})
