"""Reports for servers: JUnit, SARIF, annotations of GitHub. Whatever a name is, it stays a name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from runner import PETERSON, Ended, buchi

from buchi.common.ends import Reason, Verdict
from buchi.pipeline.cli.ci import github
from buchi.pipeline.cli.ci.junit import junit
from buchi.pipeline.cli.ci.sarif import sarif
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.questions import without_answer
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts

EXCLUSION = "G !(A.critical && B.critical)"
OFTEN = "G F A.critical"
PROPERTIES = f"""\
properties:
  exclusion: {{ltl: "{EXCLUSION}", expect: holds, description: never both}}
  progress: {{ltl: "{OFTEN}", expect: violated}}
  often: {{ltl: "{OFTEN}"}}
  odd: {{ltl: "{EXCLUSION}", expect: violated}}
  short: {{ltl: "{EXCLUSION}", limits: {{states: 5}}}}
  wrong: {{ltl: "{OFTEN}", checker: reach}}
"""
HOSTILE = [
    "</testcase><script>&amp;\"'",
    "::error file=x,line=1::no%0Aend\r\n::set-output name=a::b",
    "\x00\x1b[31m\ud800\ufffe\u2028",
    "../../etc/passwd",
    "]]> <![CDATA[ <!-- -->",
    "%0A::error::x",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some properties.yaml"
    path.write_text(PROPERTIES)
    return path


class TestJunit:
    def test_a_file_of_properties(self, file, tmp_path):
        report = tmp_path / "j.xml"
        ended = buchi("check", PETERSON, "--properties", file, "--junit", report)
        assert ended.code == 2
        root = ElementTree.parse(report).getroot()
        (suite,) = root
        assert (root.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", str(PETERSON))
        expected = {"tests": "6", "failures": "2", "errors": "2", "skipped": "0"}
        for element in (root, suite):
            assert {name: element.get(name) for name in expected} == expected
            assert float(element.get("time", "")) > 0
        assert {case.get("name"): [part.tag for part in case] for case in suite} == {
            "exclusion": [],
            "progress": [],
            "often": ["failure"],
            "odd": ["failure"],
            "short": ["error"],
            "wrong": ["error"],
        }

    def test_what_servers_need_of_a_case(self, file, tmp_path):
        report = tmp_path / "j.xml"
        buchi("check", PETERSON, "--properties", file, "--only", "often", "--junit", report)
        (case,) = ElementTree.parse(report).getroot().iter("testcase")
        assert (case.get("classname"), case.get("file"), case.get("line")) == (str(PETERSON), str(file), "4")
        assert float(case.get("time", "")) >= 0
        (failure,) = case
        assert (failure.get("type"), (failure.get("message") or "")[:9]) == ("failed", "violated ")
        assert OFTEN in (failure.text or "")
        assert "the cycle begins in state" in (failure.text or "")

    @pytest.mark.parametrize(
        ("formulas", "code", "failures"), [([OFTEN], 1, 1), ([EXCLUSION], 0, 0), ([OFTEN, EXCLUSION], 1, 1)]
    )
    def test_formulas(self, tmp_path, formulas, code, failures):
        given = [word for formula in formulas for word in ("--ltl", formula)]
        ended = buchi("check", PETERSON, *given, "--junit", tmp_path / "j.xml", "--json")
        root = ElementTree.parse(tmp_path / "j.xml").getroot()
        assert ended.code == code
        assert ended.json
        assert [case.get("name") for case in root.iter("testcase")] == formulas
        assert len(list(root.iter("failure"))) == failures

    def test_without_a_formula(self, tmp_path):
        model = tmp_path / "own.dve"
        model.write_text(
            "process P { state s; init s; trans s -> s {}; } process N { state a; init a; accept a; "
            "trans a -> a {}; } system async property N;"
        )
        ended = buchi("check", model, "--junit", tmp_path / "j.xml")
        (case,) = ElementTree.parse(tmp_path / "j.xml").getroot().iter("testcase")
        assert (ended.code, case.get("name")) == (1, "property process")


def checked(text: str) -> dict[str, Any]:
    """Return the run of a SARIF file that has what the standard requires, and what servers read."""
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "buchi"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            _check_location(location)
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
        for note in invocation["toolExecutionNotifications"]:
            assert note["message"]["text"]
            assert rules[note["associatedRule"]["index"]] == note["associatedRule"]["id"]
    return run


def _check_location(location: dict[str, Any]) -> None:
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9\-._~:/%]+", uri), uri
    assert physical["region"]["startLine"] >= 1


class TestSarif:
    def test_a_file_of_properties(self, file, tmp_path):
        report = tmp_path / "s.sarif"
        buchi("check", PETERSON, "--properties", file, "--sarif", report)
        run = checked(report.read_text())
        found = {result["ruleId"]: "suppressions" in result for result in run["results"]}
        assert found == {"progress": True, "often": False, "odd": False}
        (invocation,) = run["invocations"]
        notes = {n["associatedRule"]["id"]: n["level"] for n in invocation["toolExecutionNotifications"]}
        assert notes == {"short": "warning", "wrong": "error"}
        assert invocation["executionSuccessful"] is False
        assert run["tool"]["driver"]["rules"][0]["fullDescription"] == {"text": "never both"}

    def test_places(self, file, tmp_path):
        report = tmp_path / "s.sarif"
        buchi("check", PETERSON, "--properties", file, "--only", "often", "--sarif", report)
        (result,) = checked(report.read_text())["results"]
        place, model = result["locations"][0], result["relatedLocations"][0]
        assert place["physicalLocation"]["region"]["startLine"] == 4
        paths = [urlsplit(p["physicalLocation"]["artifactLocation"]["uri"]).path for p in (place, model)]
        assert list(map(unquote, paths)) == [str(file), str(PETERSON)]

    def test_formulas(self, tmp_path, monkeypatch):
        monkeypatch.chdir(PETERSON.parent)
        report = tmp_path / "s.sarif"
        ended = buchi("check", "peterson.dve", "--ltl", OFTEN, "--sarif", report)
        (result,) = checked(report.read_text())["results"]
        (place,) = result["locations"]
        assert ended.code == 1
        assert place["physicalLocation"]["artifactLocation"] == {"uri": "peterson.dve"}
        assert "relatedLocations" not in result


def annotations(ended: Ended) -> list[str]:
    return [line for line in ended.err.splitlines() if line.startswith("::")]


class TestAnnotations:
    def test_a_file_of_properties(self, file):
        ended = buchi("check", PETERSON, "--properties", file, GITHUB_ACTIONS="true")
        levels = [(line.split()[0], re.findall(r"title=(\w+)::", line)) for line in annotations(ended)]
        assert levels == [
            ("::error", ["often"]),
            ("::error", ["odd"]),
            ("::warning", ["short"]),
            ("::error", ["wrong"]),
        ]
        first = annotations(ended)[0]
        assert first.startswith(f"::error file={file},line=4,title=often::violated (")
        assert first.endswith(f"%0A{OFTEN}")

    def test_json_stays_one_object(self):
        ended = buchi("check", PETERSON, "--ltl", OFTEN, "--json", GITHUB_ACTIONS="true")
        assert ended.json["verdict"] == "violated"
        assert annotations(ended)[0].startswith(f"::error file={PETERSON},title=G F A.critical::violated")

    @pytest.mark.parametrize("value", ["", "false"])
    def test_only_where_github_reads_them(self, value):
        assert annotations(buchi("check", PETERSON, "--ltl", OFTEN, GITHUB_ACTIONS=value)) == []

    def test_nothing_where_all_is_well(self):
        assert annotations(buchi("check", PETERSON, "--ltl", EXCLUSION, GITHUB_ACTIONS="true")) == []


def hostile(name: str) -> Verdicts:
    """Return verdicts in which everything is called by a name."""
    unknown = without_answer(CheckOptions(), Reason.TIME)
    interrupted = without_answer(CheckOptions(), Reason.INTERRUPTED)
    common = {"name": name, "ltl": name, "description": name, "line": 3}
    found = (
        PropertyVerdict(**common, outcome=Outcome.ERROR, error=name),
        PropertyVerdict(**{**common, "name": name + "2"}, outcome=Outcome.UNKNOWN, result=unknown),
        PropertyVerdict(**{**common, "name": name + "3"}, outcome=Outcome.UNKNOWN, result=interrupted),
    )
    return Verdicts.of(name, name, found, 1.5)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
class TestHostileNames:
    def test_xml(self, name):
        text = junit(hostile(name))
        root = ElementTree.fromstring(text.encode())
        assert [element.tag for element in root.iter()] == [
            "testsuites",
            "testsuite",
            *("testcase", "error", "testcase", "error", "testcase", "skipped"),
        ]
        printable = re.sub("[\x00-\x08\x0b-\x1f\ud800\ufffe]", "\ufffd", name)
        found = [case.get("name") for case in root.iter("testcase")]
        assert found[0] in (printable, printable.replace("\r\n", "\n"), name)

    def test_sarif(self, name):
        run = checked(sarif(hostile(name)))
        assert run["tool"]["driver"]["rules"][0]["id"] == name
        assert (
            "://"
            not in run["invocations"][0]["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"][
                "artifactLocation"
            ]["uri"]
        )

    def test_annotations(self, name):
        lines = list(github.commands(hostile(name)))
        assert len(lines) == 3
        for line in lines:
            assert "\n" not in line
            assert "\r" not in line
            level, _, rest = line.partition(" ")
            assert level in ("::error", "::warning")
            where, _, message = rest.partition("::")
            assert [part.partition("=")[0] for part in where.split(",")] == ["file", "line", "title"]
            assert unquote(where.split("title=")[1], errors="surrogatepass").startswith(name[:1])
            assert "\n" not in message


class TestFiles:
    @pytest.mark.parametrize("option", ["--junit", "--sarif", "--trace"])
    def test_what_cannot_be_written_is_told_before(self, option, tmp_path):
        for path, message in (
            (tmp_path, "this is a directory"),
            (tmp_path / "no" / "f", "no such directory"),
        ):
            ended = buchi("check", PETERSON, "--ltl", OFTEN, option, path)
            assert (ended.code, ended.out, message in ended.err) == (2, "", True)

    @pytest.mark.parametrize("option", ["--junit", "--sarif", "--trace"])
    def test_nothing_that_is_read_is_lost(self, option, file, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(PETERSON.read_text())
        for path in (model, file, tmp_path / "." / "m.dve"):
            ended = buchi("check", model, "--properties", file, "--only", "often", option, path)
            assert (ended.code, "would be written over another file" in ended.err) == (2, True)
        assert (model.read_text(), file.read_text()) == (PETERSON.read_text(), PROPERTIES)

    def test_two_in_one(self, tmp_path):
        path = tmp_path / "x"
        ended = buchi("check", PETERSON, "--ltl", OFTEN, "--junit", path, "--sarif", path)
        assert (ended.code, "would be written over" in ended.err) == (2, True)

    def test_a_verdict_stands_where_the_report_cannot_be_written(self, tmp_path):
        ended = buchi("check", PETERSON, "--ltl", OFTEN, "--junit", "/dev/full")
        assert (ended.code, "the report could not be written" in ended.err) == (1, True)

    def test_the_contest_has_none(self, tmp_path):
        ended = buchi("check", PETERSON, "--mcc", "f.xml", "--junit", tmp_path / "x")
        assert (ended.code, "no reports" in ended.err) == (2, True)


def test_an_expected_verdict_is_told_in_words():
    result = without_answer(CheckOptions(), Reason.TIME)
    one = PropertyVerdict(name="a", ltl=None, expected=Verdict.HOLDS, outcome=Outcome.UNKNOWN, result=result)
    assert one.told() == "unknown (time), holds was expected"
