"""Reports of many routes: what they are compared with, how they are grouped, and what their verdicts lead to."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path

import pytest
from report_records import EVIL, lost, record, timed
from runner import PETERSON, buchi

from buchi.pipeline.cli.report_text import fitting, lines
from buchi.pipeline.experiments.store import Store
from buchi.pipeline.report import stories as module
from buchi.pipeline.report.cases import gather
from buchi.pipeline.report.counters import SECONDS
from buchi.pipeline.report.matrices import best_table, cells, ratios_table, verdicts_table
from buchi.pipeline.report.page import page
from buchi.pipeline.report.stories import stories
from buchi.pipeline.report.tables import MANY, Ratio, ends_table
from buchi.schemas.run import Measured

KINDS = ("tgba", "tlba", "slba", "tgra")
CHECKERS = ("ascc", "se", "gv", "sd", "and")


def of(kind, checker, model="m", seconds=1.0, **changes):
    measured = Measured(seconds=seconds, states=10)
    return record(model, route=f"{kind}/{checker}", kind=kind, checker=checker, measured=measured, **changes)


def twenty(models=("m", "n")):
    return [
        of(kind, checker, model, 1.0 + KINDS.index(kind) + CHECKERS.index(checker) / 10)
        for model in models
        for kind in KINDS
        for checker in CHECKERS
    ]


class TestBaseline:
    def test_it_is_a_general_check_of_a_tgba(self):
        assert gather(twenty()).baseline == "tgba/ascc"

    def test_it_decided_the_most_cases(self):
        runs = [run for run in twenty() if run.route != "tgba/ascc" or run.model == "m"]
        assert gather([*runs, lost("n", "tgba/ascc", kind="tgba", checker="ascc")]).baseline == "tgba/and"

    def test_a_route_called_tgba_wins(self):
        assert gather([*twenty(), timed("m", "tgba", 1)]).baseline == "tgba"

    def test_who_leaves_the_checker_open_is_as_good_as_the_general_one(self):
        auto = of("tgba", "reach", configuration={"route": {"checker": "auto"}}, workers=1)
        runs = [auto.model_copy(update={"route": "a"}), of("tgba", "se"), of("tlba", "ascc")]
        found = gather(runs)
        assert found.baseline == "a"
        assert found.families["a"].checker == "auto"


class TestGroups:
    def test_routes_come_by_kind_and_checker(self):
        order = gather(twenty()).routes
        kinds = [route.split("/")[0] for route in order[1:]]
        assert kinds == sorted(kinds, key=["tgba", "tlba", "slba", "tgra"].index)

    def test_a_kind_is_one_group(self):
        groups = ends_table(gather(twenty(), baseline="slba/gv")).groups
        assert [group for group, _ in groupby(groups)] == ["slba", "tlba", "tgba", "tgra"]

    def test_few_routes_are_no_groups(self):
        assert ends_table(gather(twenty()[:MANY])).groups == ()
        assert set(ends_table(gather(twenty())).groups) == set(KINDS)

    def test_ratios_by_checker_and_kind(self):
        table = ratios_table(gather(twenty()), SECONDS)
        assert table.columns == ("Checker", "tlba", "slba", "tgba", "tgra")
        rows = {row[0]: row[1:] for row in table.rows}
        assert rows["ascc"][2] == Ratio(1.0)
        for checker, cell in ((c, rows[c][0]) for c in CHECKERS):
            assert isinstance(cell, Ratio)
            assert cell.value == pytest.approx(2 + CHECKERS.index(checker) / 10)

    def test_the_best_are_not_those_with_few_cases(self):
        runs = twenty(("m", "n", "o"))
        quick = of("ta", "ta-scc", "m", 0.001)
        table = best_table(gather([*runs, quick]), SECONDS)
        names = [row[0] for row in table.rows]
        assert "ta/ta-scc" not in names
        assert names[0] == "tgba/se"
        assert len(names) == 10


class TestMatrix:
    def test_a_row_for_each_model(self):
        runs = [
            record("a", "G x", verdict="violated", formula_id="x"),
            record("a", "G y", formula_id="y"),
            record("b", "G x", verdict="unknown", reason="time", formula_id="x"),
        ]
        table = verdicts_table(gather(runs))
        assert table.columns == ("Model", "x", "y")
        assert table.rows == (("a", "violated", "holds"), ("b", "unknown", ""))

    def test_a_dispute_is_seen(self):
        runs = [timed("a", "tgba", 1), timed("a", "ta", 1, "violated")]
        assert verdicts_table(gather(runs)).rows == (("a", "disputed"),)

    def test_formulas_with_one_name_are_told_apart(self):
        runs = [record("a", formula, formula_id="x") for formula in ("G p", "G q")]
        assert set(cells(gather(runs))) == {("a", "x"), ("a", "x (2)")}


class TestTerminal:
    @pytest.mark.parametrize("width", [40, 60, 80, 120])
    @pytest.mark.parametrize("routes", [2, 20])
    def test_nothing_is_wider_than_the_terminal(self, width, routes):
        shown = lines(gather(twenty()[:routes]), [SECONDS], width)
        assert max(len(line.plain.rstrip()) for line in shown) <= width

    def test_what_has_no_room_is_named(self):
        text = "\n".join(line.plain for line in lines(gather(twenty()[:3]), [SECONDS], 40))
        assert "No room for:" in text
        assert "No room for:" not in "\n".join(
            line.plain for line in lines(gather(twenty()[:3]), [SECONDS], 160)
        )

    def test_many_routes_are_read_on_a_page_or_two(self):
        many = lines(gather(twenty()), [SECONDS], 100)
        assert len(many) < 80
        text = "\n".join(line.plain for line in many)
        assert "compared with tgba/ascc" in text
        assert "checkers by kind of automaton" in text

    def test_a_first_column_is_never_left_out(self):
        assert fitting(ends_table(gather(twenty())), 1) == [True]


class Kept:
    """Counterexamples as a store has them."""

    def __init__(self, found, text=None):
        self.found, self.text = found, text

    def counterexample(self, key):
        return self.found.get(key)

    def source(self, digest):
        return self.text


STORY = {
    "first": {"x": "0"},
    "prefix": [],
    "cycle": [{"command": "go", "changes": {"x": "1"}, "processes": ["P"], "lines": [1]}],
}


def violated(route="tgba", steps=1, **changes):
    measured = Measured(seconds=1.0, counterexample_length=steps)
    return record(route=route, verdict="violated", measured=measured, **changes)


class TestStories:
    def test_that_of_the_baseline_is_shown_else_a_shortest(self):
        runs = [violated("tgba", 9), violated("ta", 2), violated("slba", 1)]
        kept = Kept({run.key: STORY for run in runs})
        assert '"route":"tgba"' in stories(gather(runs), kept).of_case[0]
        runs = [lost("m", "tgba"), *runs[1:]]
        assert '"route":"slba"' in stories(gather(runs, baseline="tgba"), kept).of_case[0]

    @pytest.mark.parametrize(
        "found", [None, {}, {"first": {}}, [], {**STORY, "evil": 1}, {**STORY, "cycle": [{"command": 3}]}]
    )
    def test_what_makes_no_sense_is_left_out(self, found):
        run = violated()
        got = stories(gather([run]), Kept({run.key: found}))
        assert (got.of_case, got.left_out) == ({}, 1)

    def test_what_is_too_long_is_left_out(self, monkeypatch):
        runs = [violated(steps=module.MOST_STEPS + 1)]
        assert stories(gather(runs), Kept({runs[0].key: STORY})).left_out == 1
        lying = violated()
        long = {**STORY, "cycle": STORY["cycle"] * (module.MOST_STEPS + 1)}
        assert stories(gather([lying]), Kept({lying.key: long})).left_out == 1
        monkeypatch.setattr(module, "ROOM", 10)
        assert stories(gather([lying]), Kept({lying.key: STORY})).left_out == 1

    def test_the_page_links_to_it(self):
        run = violated()
        results = gather([run, record("n")])
        text = page(results, "1", stories=stories(results, Kept({run.key: STORY})))
        assert '<a href="#trace-0">✗ violated</a>' in text
        assert 'id="story-0"' in text
        assert "#trace-1" not in text

    def test_hostile_stories_stay_text(self):
        evil = {
            "first": {EVIL: EVIL},
            "prefix": [],
            "cycle": [{"command": EVIL, "changes": {EVIL: EVIL}, "lines": [1]}],
        }
        run = violated(model=EVIL, formula_id=EVIL, configuration={"model": {"sha256": "x"}})
        results = gather([run])
        text = page(results, "1", stories=stories(results, Kept({run.key: evil}, EVIL)))
        assert "<img" not in text
        assert text.count("<script") == 3


class TestCommand:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "e.yaml").write_text(
            f"name: e\nmodels: [{PETERSON}]\n"
            "formulas: [{ltl: 'G (A.hungry -> F A.critical)', name: served}, {ltl: 'G !(A.critical && B.critical)'}]\n"
            "routes: [tgba/ascc, tlba/se]\n"
        )
        assert buchi("run", tmp_path / "e.yaml", "--processes", "1").code == 0
        return tmp_path

    def test_from_an_experiment_to_a_trace(self, folder):
        file = folder / "e.html"
        assert buchi("report", folder / "e.sqlite", "--html", file).code == 0
        text = file.read_text()
        (number,) = re.findall(r'<a href="#trace-(\d+)">✗ violated</a>', text)
        data = re.search(rf'id="story-{number}">(.*?)</script>', text)
        story = json.loads(data[1])
        assert story["source"]["lines"][0].startswith("//")
        assert story["steps"][0]["lines"] == [19]
        assert story["propositions"] == ["A.critical", "A.hungry"]

    def test_only_models_with_counterexamples_are_kept(self, folder):
        with Store.open(folder / "e.sqlite", must_exist=True) as store:
            records = list(store.records())
            digest = records[0].configuration["model"]["sha256"]
            assert store.source(digest) == Path(PETERSON).read_text()
            assert store.source("other") is None
