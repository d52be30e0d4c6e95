"""Experiments that say which verdicts they expect, and what `run` and `report` make of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiment_files import records
from report_records import EVIL, record
from runner import PETERSON, Ended, buchi

from buchi.pipeline.report.cases import gather
from buchi.pipeline.report.page import page
from buchi.pipeline.report.tables import unexpected_table

EXCLUSION = "G !(A.critical && B.critical)"
OFTEN = "G F A.critical"


def write(folder: Path, *formulas: str, more: str = "") -> Path:
    (folder / "peterson.dve").write_text(PETERSON.read_text())
    lines = ["models: [peterson.dve]", "routes: [tgba/ascc, tlba/se]", "formulas:"]
    path = folder / "experiment.yaml"
    path.write_text("\n".join([*lines, *(f"  - {formula}" for formula in formulas), more]))
    return path


def formula(ltl: str, expect: str, name: str = "p") -> str:
    return f'{{ltl: "{ltl}", name: {name}, expect: {expect}}}'


def run(path: Path) -> Ended:
    return buchi("run", path)


class TestRun:
    def test_what_is_expected(self, tmp_path):
        path = write(tmp_path, formula(EXCLUSION, "holds"), formula(OFTEN, "violated", "q"))
        ended = run(path)
        assert (ended.code, ended.out.splitlines()) == (
            0,
            [f"4 done; results in {path.with_suffix('.sqlite')}"],
        )
        expected = {r.configuration["property"]["expected"] for r in records(path)}
        assert expected == {"holds", "violated"}

    def test_what_is_not(self, tmp_path):
        ended = run(write(tmp_path, formula(EXCLUSION, "violated"), formula(OFTEN, "violated", "q")))
        assert ended.code == 1
        assert ended.out.splitlines()[1:] == [
            "2 verdicts not as expected:",
            "  peterson, p, tgba/ascc: holds, violated was expected",
            "  peterson, p, tlba/se: holds, violated was expected",
        ]

    def test_unknown_where_a_verdict_is_expected(self, tmp_path):
        ended = run(write(tmp_path, formula(EXCLUSION, "holds"), more="limits: {states: 5}"))
        assert (ended.code, "unknown, holds was expected" in ended.out) == (3, True)

    def test_unknown_that_is_expected(self, tmp_path):
        assert run(write(tmp_path, formula(EXCLUSION, "unknown"), more="limits: {states: 5}")).code == 0

    def test_what_the_selection_left_out(self, tmp_path):
        ended = run(write(tmp_path, formula(OFTEN, "holds"), more="select: {verdict: holds}"))
        assert (ended.code, "violated, holds was expected" in ended.out) == (1, True)

    def test_what_is_expected_later_is_not_run_again(self, tmp_path):
        path = write(tmp_path, f'{{ltl: "{OFTEN}", name: p}}')
        assert run(path).code == 0
        ended = run(write(tmp_path, formula(OFTEN, "holds")))
        assert (ended.code, "2 kept from before" in ended.out) == (1, True)
        assert [r.configuration["property"]["expected"] for r in records(path)] == ["holds", "holds"]
        assert run(write(tmp_path, formula(OFTEN, "violated"))).code == 0
        assert [r.configuration["property"]["expected"] for r in records(path)] == ["violated", "violated"]

    @pytest.mark.parametrize(
        "source",
        [
            "{file: list.ltl, expect: holds}",
            "{family: gh-r, n: 1, propositions: {p1: A.hungry, p2: B.hungry}, expect: holds}",
        ],
    )
    def test_other_sources(self, tmp_path, source):
        (tmp_path / "list.ltl").write_text(f"{OFTEN}\n")
        assert run(write(tmp_path, source)).code in (0, 1)
        assert {r.configuration["property"]["expected"] for r in records(tmp_path / "experiment.yaml")} == {
            "holds"
        }

    def test_the_property_process(self, tmp_path):
        path = write(tmp_path, "{process: true, expect: violated}")
        never = "process N { state a; init a; accept a; trans a -> a {}; } system async property N;"
        text = PETERSON.read_text()
        (tmp_path / "peterson.dve").write_text(text.replace("system async;", never))
        assert run(path).code == 0

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ('{ltl: "G true", expect: hold}', "this should be 'holds', 'violated' or 'unknown'"),
            ('{ltl: "G true", expect: true}', "this should be 'holds', 'violated' or 'unknown'"),
            ("{random: {propositions: 1, count: 1}, expect: holds}", "there is no key expect here"),
        ],
    )
    def test_mistakes(self, tmp_path, source, message):
        ended = run(write(tmp_path, source))
        assert (ended.code, message in ended.err) == (2, True)


class TestPropertyFiles:
    def test_names_and_verdicts_are_theirs(self, tmp_path):
        first, second = f"{{ltl: '{EXCLUSION}', expect: holds}}", f"{{ltl: '{OFTEN}', expect: holds}}"
        (tmp_path / "p.yaml").write_text(f"properties: {{a: {first}, b: {second}, c: '{OFTEN}'}}")
        path = write(tmp_path, "{properties: p.yaml}")
        ended = run(path)
        assert ended.code == 1
        assert ended.out.splitlines()[2] == "  peterson, b, tgba/ascc: violated, holds was expected"
        assert {r.formula_id for r in records(path)} == {"a", "b", "c"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("properties: {a: 'G ('}", "p.yaml:1:14: a: syntax error"),
            ("properties: {}", "there is no property"),
            ("properties: {a: {ltl: G true, deadlock: drop}}", "a: deadlock is another here"),
            ("properties: {a: {ltl: G true, fair: [weak]}}", "a: fair is another here"),
        ],
    )
    def test_mistakes(self, tmp_path, text, message):
        (tmp_path / "p.yaml").write_text(text)
        ended = run(write(tmp_path, "{properties: p.yaml}"))
        assert (ended.code, message in ended.err) == (2, True), ended.err

    def test_no_such_file(self, tmp_path):
        ended = run(write(tmp_path, "{properties: p.yaml}"))
        assert (ended.code, "there is no p.yaml" in ended.err) == (2, True)


def surprising(**changes):
    return record(configuration={"property": {"expected": "violated"}}, **changes)


class TestReport:
    def test_it_marks_them(self, tmp_path):
        path = write(tmp_path, formula(OFTEN, "holds"))
        run(path)
        html = tmp_path / "r.html"
        ended = buchi("report", path.with_suffix(".sqlite"), "--html", html)
        assert "Verdicts that were not expected" in ended.out
        assert 'href="#surprises">2 not expected<' in html.read_text()
        found = buchi("report", path.with_suffix(".sqlite"), "--json").json
        assert (found["unexpected"], len(found["tables"]["unexpected"]["rows"])) == (2, 2)

    def test_repetitions_are_counted(self):
        runs = [surprising(repetition=i) for i in range(3)]
        assert unexpected_table(gather(runs)).rows == (("m", "G a", "tgba", "holds", "violated", 3),)

    def test_nothing_where_all_is_as_expected(self):
        runs = [record(configuration={"property": {"expected": "holds"}}), record(model="n")]
        assert unexpected_table(gather(runs)).rows == ()
        assert "surprises" not in page(gather(runs), "1").split("<main>")[1].split("<script")[0]

    @pytest.mark.parametrize("value", [3, [], {}, "maybe", EVIL, None])
    def test_what_makes_no_sense_is_nothing_expected(self, value):
        for configuration in ({"property": value}, {"property": {"expected": value}}):
            assert unexpected_table(gather([record(configuration=configuration)])).rows == ()

    def test_hostile_names(self):
        shown = page(gather([surprising(model=EVIL, formula=EVIL, route=EVIL)]), "1")
        assert "<script>alert(1)" not in shown
