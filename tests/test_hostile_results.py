"""Files of results that are damaged, or made by strangers: one message and exit code 2, and nothing is run."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import sqlite3
import xml.etree.ElementTree as ElementTree

import pytest
from experiment_files import TINY, write
from report_records import EVIL, record
from runner import buchi

from buchi.common.errors import InputError
from buchi.pipeline.experiments.store import COLUMNS, Store
from buchi.schemas.run import Measured

ESCAPE = "\x1b]0;owned\x07\x1b[31m"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store.open(path) as store:
        for route in ("tgba", "ta"):
            for model in ("m", "n"):
                store.add(record(model, route=route, counterexample={"prefix": [], "cycle": [1]}))
    return path


def change(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def every_command(file, folder):
    yield buchi("report", file)
    yield buchi("report", file, "--json")
    yield buchi("report", file, "--html", folder / "page.html", "--latex", folder / "tables.tex")
    yield buchi("export", file, "--csv", folder / "runs.csv")


DEEP = "[" * 100_000 + "]" * 100_000
COPY = "CREATE TABLE copy AS SELECT * FROM runs"
ENDLESS = "WITH RECURSIVE more AS (SELECT * FROM copy UNION ALL SELECT * FROM more) SELECT * FROM more"
COMPUTED = ", ".join(f"{name} {'AS (length(zeroblob(9)))' if name == 'seconds' else ''}" for name in COLUMNS)

DAMAGES = {
    "time of 1e308": ["UPDATE runs SET seconds = 1e308"],
    "endless time": ["UPDATE runs SET seconds = 9e999"],
    "negative time": ["UPDATE runs SET seconds = -1"],
    "time in words": ["UPDATE runs SET seconds = 'soon'"],
    "processor time": ["UPDATE runs SET cpu_seconds = 1e300"],
    "states in words": ["UPDATE runs SET states = '=cmd|'' /C calc''!A0'"],
    "negative states": ["UPDATE runs SET states = -5"],
    "half a state": ["UPDATE runs SET states = 0.5"],
    "repetition": ["UPDATE runs SET repetition = -1"],
    "no model": ["UPDATE runs SET model = NULL"],
    "bytes for text": ["UPDATE runs SET model = x'ff00ff'"],
    "text that is none": ["UPDATE runs SET model = CAST(x'ff00ff' AS TEXT)"],
    "malformed JSON": ["UPDATE runs SET versions = '{\"buchi\": '"],
    "other JSON": ["UPDATE runs SET versions = '[1]'"],
    "a number for JSON": ["UPDATE runs SET versions = 5"],
    "deep JSON": [f"UPDATE runs SET configuration = '{DEEP}'"],
    "large numbers in JSON": [f"UPDATE runs SET versions = '{'9' * 5000}'"],
    "half of a character": ['UPDATE runs SET versions = \'{"buchi": "\\ud800"}\''],
    "no JSON": ["UPDATE runs SET versions = NULL"],
    "a view": [COPY, "DROP TABLE runs", "CREATE VIEW runs AS SELECT * FROM copy"],
    "an endless view": [COPY, "DROP TABLE runs", f"CREATE VIEW runs AS {ENDLESS}"],
    "a computed column": ["DROP TABLE runs", f"CREATE TABLE runs ({COMPUTED})"],
    "no table of what is left out": ["DROP TABLE skipped"],
    "another format": ["PRAGMA user_version = 7"],
    "a view of sources": ["DROP TABLE IF EXISTS sources", f"CREATE VIEW sources AS {ENDLESS}"],
    "computed sources": [
        "DROP TABLE IF EXISTS sources",
        "CREATE TABLE sources (sha256 TEXT, text TEXT AS (zeroblob(1000000000)))",
    ],
    "of another program": ["DROP TABLE runs", "DROP TABLE skipped", "CREATE TABLE moz_places (url TEXT)"],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_named(file, tmp_path, damage):
    change(file, *damage)
    for ended in every_command(file, tmp_path):
        assert ended.code == 2, ended
        assert ended.err.startswith(f"error: {file}: ")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("kept", [0, 50, 100, 1000, 4096, 5000])
def test_a_file_cut_short(file, tmp_path, kept):
    file.write_bytes(file.read_bytes()[:kept])
    for ended in every_command(file, tmp_path):
        assert ended.code == 2, ended


def test_a_file_with_noise_in_it(file, tmp_path):
    whole, noise = file.read_bytes(), random.Random(5)
    for _ in range(30):
        content = bytearray(whole)
        for _ in range(noise.choice((1, 10, 200))):
            content[noise.randrange(len(content))] = noise.randrange(256)
        file.write_bytes(content)
        ended = buchi("report", file, "--json")
        assert ended.code in (0, 2), ended
        assert "bug" not in ended.err


@pytest.mark.parametrize("name", ["/dev/zero", "."])
def test_what_is_no_file(name):
    assert buchi("report", name).code == 2


def test_a_trigger_does_not_run(tmp_path):
    path = write(tmp_path, TINY)
    results = path.with_suffix(".sqlite")
    assert buchi("run", path, "--processes", "1").code == 0
    trigger = "CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET verdict = 'holds'; END"
    change(results, trigger, "DELETE FROM runs WHERE route = 'tlba/se'")
    ended = buchi("run", path)
    assert (ended.code, "not made by buchi" in ended.err) == (2, True)
    assert buchi("report", results).code == 0


def test_a_report_changes_nothing(file, tmp_path):
    before = file.read_bytes()
    for ended in every_command(file, tmp_path):
        assert ended.code == 0, ended
    assert file.read_bytes() == before
    with (
        Store.open(file, must_exist=True) as store,
        pytest.raises(InputError, match="readonly"),
    ):
        store.add(record())


class TestHostileText:
    @pytest.fixture
    def results(self, tmp_path):
        path = tmp_path / "evil.sqlite"
        with Store.open(path) as store:
            for name in (EVIL, ESCAPE, "=cmd|' /C calc'!A0", "a\r\nb\0\u202e"):
                for route in (f"tgba{name}", f"ta{name}"):
                    texts = dict.fromkeys(("experiment", "formula_id", "kind", "checker", "started"), name)
                    store.add(record(name, name, route, versions={name: name}, **texts))
                    failed = {"status": "failed", "verdict": None, "measured": Measured(), "message": name}
                    store.add(record(name, name, f"f{route}", machine={name: name}, **failed))
        return path

    def test_on_a_terminal(self, results):
        for arguments in ((), ("--json",)):
            ended = buchi("report", results, *arguments, FORCE_COLOR="1")
            assert ended.code == 0, ended
            assert "\x1b]" not in ended.out + ended.err
            assert "\x07" not in ended.out + ended.err

    def test_in_files(self, results, tmp_path):
        page, tex = tmp_path / "page.html", tmp_path / "tables.tex"
        ended = buchi("report", results, "--html", page, "--latex", tex)
        assert ended.code == 0, ended
        html = page.read_text()
        assert len(re.findall(r"<script\b", html)) == len(re.findall("</script>", html)) == 2
        assert "<img" not in html
        data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.DOTALL)
        assert data is not None
        assert EVIL in json.loads(data[1])["models"]
        assert "\x1b" not in tex.read_text()

    @pytest.mark.filterwarnings("ignore:Glyph")
    def test_in_figures(self, results, tmp_path):
        routes = ("--route", f"tgba{ESCAPE}", "--route", "taa\r\nb\0\u202e")
        assert buchi("report", results, "--svg", tmp_path / "figures", *routes).code == 0
        for path in (tmp_path / "figures").iterdir():
            ElementTree.parse(path)

    def test_in_a_spreadsheet(self, results, tmp_path):
        table = tmp_path / "runs.csv"
        assert buchi("export", results, "--csv", table).code == 0
        with table.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        assert {row["model"] for row in rows} == {EVIL, ESCAPE, "'=cmd|' /C calc'!A0", "a\r\nb\0\u202e"}
        assert {row["seconds"] for row in rows} == {"1.0", ""}
        assert not [
            cell for row in rows for cell in row.values() if cell[:1] in ("=", "+", "-", "@", "\t", "\r")
        ]


def test_csv_to_standard_output(file):
    ended = buchi("export", file, "--csv", "-")
    assert (ended.code, ended.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(ended.out, newline="")))
    assert [row["model"] for row in rows] == ["m", "n", "m", "n"]
