"""Many properties at once: repeated formulas, files of properties, what is expected, limits, interrupts."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
from pathlib import Path

import jsonschema
import pytest
from experiment_files import is_alive, wait_for
from rich.cells import cell_len
from runner import BLOW_UP, PETERSON, Ended, buchi, finish, start

import buchi as library
from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.pipeline.cli.verdict_table import Table
from buchi.pipeline.isolation import descendants
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.property_files import Wanted
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts, outcome_of

EXCLUSION = "G !(A.critical && B.critical)"
PROGRESS = "G (A.hungry -> F A.critical)"
OFTEN = "G F A.critical"
PROPERTIES = f"""\
properties:
  exclusion:
    ltl: "{EXCLUSION}"
    expect: holds
    description: Never are both in their critical sections.
  progress:
    ltl: "{PROGRESS}"
    expect: violated
  often: "{OFTEN}"
"""
FAILS = (
    "byte x; process P { state s; init s; trans s -> s { effect x = x + 1 + 0 / (3 - x); }; } system async;"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(PROPERTIES)
    return path


def written(folder: Path, text: str) -> Path:
    path = folder / "written.yaml"
    path.write_text(text)
    return path


def check(file: Path, *more: object, **environment: str) -> Ended:
    return buchi("check", PETERSON, "--properties", file, *more, **environment)


def verdicts(ended: Ended) -> dict[str, str]:
    return {one["name"]: one["result"]["verdict"] for one in ended.json["properties"]}


def outcomes(ended: Ended) -> dict[str, str]:
    return {one["name"]: one["outcome"] for one in ended.json["properties"]}


class TestFormulas:
    def test_all_are_checked(self):
        ended = buchi("check", PETERSON, "--ltl", OFTEN, "--ltl", EXCLUSION)
        rows = [re.split(r"  +", row)[:2] for row in ended.out.splitlines()[:3]]
        assert rows == [["property", "verdict"], [OFTEN, "violated"], [EXCLUSION, "holds"]]
        assert ended.code == 1

    def test_json_is_one_object_with_a_list(self):
        ended = buchi("check", PETERSON, "--ltl", EXCLUSION, "--ltl", OFTEN, "--json")
        assert verdicts(ended) == {EXCLUSION: "holds", OFTEN: "violated"}
        assert list(ended.json) == ["outcome", "model", "file", "seconds", "properties"]
        assert (ended.code, ended.json["outcome"], ended.json["file"]) == (1, "failed", None)

    def test_each_result_is_what_one_check_prints(self):
        many = buchi("check", PETERSON, "--ltl", EXCLUSION, "--ltl", OFTEN, "--json")
        for one in many.json["properties"]:
            alone = buchi("check", PETERSON, "--ltl", one["ltl"], "--json").json
            for volatile in ("seconds", "bytes"):
                alone.pop(volatile), one["result"].pop(volatile)
            assert one["result"] == alone

    def test_one_is_as_ever(self):
        ended = buchi("check", PETERSON, "--ltl", EXCLUSION, "--json")
        assert (ended.code, next(iter(ended.json)), ended.json["verdict"]) == (0, "verdict", "holds")

    @pytest.mark.parametrize(
        ("limit", "formulas", "code"),
        [
            ([], [EXCLUSION, "G true"], 0),
            (["--max-states", "10"], [EXCLUSION, "G true"], 3),
        ],
    )
    def test_the_exit_code_is_that_of_the_worst(self, limit, formulas, code):
        given = [word for formula in formulas for word in ("--ltl", formula)]
        assert buchi("check", PETERSON, *given, *limit).code == code

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["--ltl", EXCLUSION], f"--ltl {EXCLUSION} is given twice"),
            (["--ltl", "G A.critcal"], "the model has no A.critcal"),
            (["--ltl", "G ("], "syntax error"),
            (["--ltl", OFTEN, "--automaton", "x.hoa"], "several formulas exclude --automaton"),
            (["--ltl", OFTEN, "--race"], "several formulas exclude"),
            (["--ltl", OFTEN, "--isolate"], "several formulas exclude"),
            (["--ltl", OFTEN, "--deadlock-free"], "several formulas exclude"),
            (["--ltl", OFTEN, "--coverage"], "--coverage tells of the model"),
            (["--ltl", OFTEN, "--only", "x"], "--only belongs to --properties and --mcc"),
            (["--ltl", OFTEN, "--checker", "asc"], "there is no checker 'asc'"),
            (["--ltl", OFTEN, "--trace", "t.json"], "--trace is for one counterexample"),
            (["--ltl", OFTEN, "--jobs", "many"], "--jobs many is not a number"),
            (["--properties", "p.yaml"], "--properties has formulas of its own"),
            (["--properties", "p.yaml", "--deadlock-free"], "--properties has formulas of its own"),
            (["--mcc", "f.xml"], "--mcc has formulas of its own"),
        ],
    )
    def test_mistakes(self, more, message):
        ended = buchi("check", PETERSON, "--ltl", EXCLUSION, *more)
        assert (ended.code, ended.out) == (2, "")
        assert message in ended.err

    def test_a_mistake_is_an_object_too(self):
        ended = buchi("check", PETERSON, "--ltl", EXCLUSION, "--ltl", "G (", "--json")
        assert (ended.code, list(ended.json)) == (2, ["error"])


class TestFiles:
    def test_what_is_expected_is_fine(self, file):
        ended = check(file, "--only", "exclusion", "--only", "progress")
        table = ended.out.splitlines()[1:3]
        assert [row.split()[:3] for row in table] == [
            ["exclusion", "holds", "yes"],
            ["progress", "violated", "yes"],
        ]
        assert ended.out.splitlines()[3:] == ["2 properties: 2 passed"]
        assert ended.code == 0

    def test_counterexamples_are_those_of_what_was_not_expected(self, file):
        ended = check(file)
        assert ended.code == 1
        assert ended.out.count("counterexample:") == 1
        assert f"often  violated\n  {OFTEN}\ncounterexample:" in ended.out

    def test_json(self, file):
        ended = check(file, "--json")
        assert outcomes(ended) == {"exclusion": "passed", "progress": "passed", "often": "failed"}
        found = ended.json["properties"]
        assert [one["line"] for one in found] == [3, 7, 9]
        assert [one["expected"] for one in found] == ["holds", "violated", None]
        assert found[0]["description"].startswith("Never")
        assert Verdicts.model_validate_json(ended.out).outcome is Outcome.FAILED

    @pytest.mark.parametrize(
        ("expect", "more", "code", "outcome"),
        [
            ("violated", "", 1, "failed"),
            ("unknown", "", 1, "failed"),
            ("holds", "limits: {states: 5}", 3, "unknown"),
            ("violated", "limits: {states: 5}", 3, "unknown"),
            ("unknown", "limits: {states: 5}", 0, "passed"),
        ],
    )
    def test_what_is_not_expected(self, tmp_path, expect, more, code, outcome):
        one = f"{{ltl: '{EXCLUSION}', expect: {expect}, {more}}}"
        ended = check(written(tmp_path, f"properties: {{p: {one}}}"), "--json")
        assert (ended.code, outcomes(ended)) == (code, {"p": outcome})
        assert ended.json["outcome"] == outcome

    def test_violated_is_worse_than_unknown(self, tmp_path):
        text = f"properties: {{a: {{ltl: '{EXCLUSION}', limits: {{states: 5}}}}, b: '{OFTEN}'}}"
        ended = check(written(tmp_path, text), "--json")
        assert (ended.code, outcomes(ended)) == (1, {"a": "unknown", "b": "failed"})

    def test_what_a_property_says_itself_goes_before(self, tmp_path):
        how = "via: tlba, checker: se, deadlock: drop, limits: {states: 9, seconds: 50, memory: 1GiB}"
        text = f"properties: {{a: {{ltl: '{EXCLUSION}', {how}}}, b: '{EXCLUSION}'}}"
        ended = check(written(tmp_path, text), "--json", "--via", "slba", "--checker", "sd")
        found = {one["name"]: one["result"] for one in ended.json["properties"]}
        assert [(r["kind"], r["checker"], r["reason"]) for r in found.values()] == [
            ("tlba", "se", "states"),
            ("slba", "sd", None),
        ]

    def test_fairness_of_one_property(self, tmp_path):
        text = f"properties: {{a: {{ltl: '{PROGRESS}', fair: [weak]}}, b: '{PROGRESS}'}}"
        path = written(tmp_path, text)
        assert verdicts(check(path, "--json")) == {"a": "holds", "b": "violated"}
        assert verdicts(check(path, "--json", "--fair", "strong:A,B")) == {"a": "holds", "b": "holds"}
        found = library.check_all(PETERSON, properties=path, fair="weak")
        assert bool(found)

    def test_warnings_name_their_property(self, tmp_path):
        path = written(tmp_path, f"properties: {{a: '{EXCLUSION}', b: G true}}")
        assert re.findall(r"^warning: (\w+): ", check(path).err, re.MULTILINE) == ["b"]
        found = check(path, "--json").json["properties"]
        assert [len(one["result"]["warnings"]) for one in found] == [0, 1]

    def test_deadlocks_of_one_property(self, tmp_path):
        model = tmp_path / "ends.dve"
        model.write_text(
            "byte x; process P { state s, t; init s; trans s -> t { effect x = 1; }; } system async;"
        )
        text = "properties: {a: {ltl: 'G F x == 0', deadlock: drop}, b: 'G F x == 0'}"
        ended = buchi("check", model, "--properties", written(tmp_path, text), "--json")
        assert verdicts(ended) == {"a": "holds", "b": "violated"}

    def test_limits_of_the_command_are_the_smaller_ones(self, tmp_path):
        text = f"properties: {{a: {{ltl: '{EXCLUSION}', limits: {{states: 30}}}}}}"
        path = written(tmp_path, text)
        states = [self._states(path), self._states(path, 8), self._states(path, 40)]
        alone = [self._states_alone(30), self._states_alone(8), self._states_alone(30)]
        assert states == alone

    def _states(self, path: Path, most: int = 1000) -> int:
        ended = check(path, "--json", "--max-states", most)
        return int(ended.json["properties"][0]["result"]["states"])

    def _states_alone(self, most: int) -> int:
        return int(
            buchi("check", PETERSON, "--ltl", EXCLUSION, "--max-states", most, "--json").json["states"]
        )

    def test_side_by_side(self, file):
        alone, beside = (
            check(file, "--json"),
            finish(start("check", PETERSON, "--properties", file, "--json", "--jobs", "3")),
        )
        assert (verdicts(alone), alone.code) == (verdicts(beside), beside.code)
        assert list(verdicts(beside)) == ["exclusion", "progress", "often"]

    def test_the_trace_of_one(self, file, tmp_path):
        trace = tmp_path / "trace.json"
        ended = check(file, "--only", "often", "--trace", trace)
        assert (ended.code, set(json.loads(trace.read_text()))) == (1, {"prefix", "cycle", "violation"})

    def test_an_error_of_the_model_is_that_of_one_property(self, tmp_path):
        model = tmp_path / "fails.dve"
        model.write_text(FAILS)
        text = "properties: {never: 'G true', always: 'G x <= 255'}"
        ended = buchi("check", model, "--properties", written(tmp_path, text), "--json")
        assert (ended.code, outcomes(ended)) == (2, {"never": "passed", "always": "error"})
        assert "division by zero" in ended.json["properties"][1]["error"]

    def test_a_checker_that_does_not_take_the_automaton(self, tmp_path):
        text = f"properties: {{a: {{ltl: '{OFTEN}', checker: reach}}, b: '{EXCLUSION}'}}"
        ended = check(written(tmp_path, text))
        assert (ended.code, "2 properties: 1 passed, 1 error" in ended.out) == (2, True)
        assert "the checker reach cannot check this automaton" in ended.out


REFUSED = {
    "nothing": ("", "the file is empty"),
    "only a comment": ("# later\n", "is a mapping with the key properties"),
    "a list": ("- a\n", "is a mapping with the key properties"),
    "no property": ("properties: {}", "properties: there is no property"),
    "null": ("properties:\n", "properties: this should be a mapping"),
    "a list of properties": ("properties: [a, b]", "properties: this should be a mapping"),
    "an unknown key": ("properties: {a: G true}\nmodel: x", "model: there is no key model here"),
    "an unknown field": ("properties: {a: {ltl: G true, expects: holds}}", "did you mean expect?"),
    "no formula": ("properties: {a: {expect: holds}}", "properties.a.ltl: field required"),
    "an empty formula": ("properties: {a: ''}", "properties.a: "),
    "no text": ("properties: {a: {ltl: 3}}", "properties.a.ltl: this should be a text"),
    "a number alone": ("properties: {a: 3}", "properties.a: this should be a mapping"),
    "two of a name": ("properties:\n  a: G true\n  a: G false\n", "a comes twice"),
    "two formulas": ("properties: {a: {ltl: G true, ltl: G false}}", "ltl comes twice"),
    "two documents": ("properties: {a: G true}\n---\nproperties: {b: G true}", "a second document"),
    "a name that is no text": ("properties: {1: G true}", "the name 1 is no text: put it in quotes"),
    "a long name": (f"properties: {{{'x' * 201}: G true}}", "at most 200 characters"),
    "an empty name": ("properties: {'': G true}", "at least 1 character"),
    "no verdict": ("properties: {a: {ltl: G true, expect: hold}}", "did you mean holds"),
    "no kind": ("properties: {a: {ltl: G true, via: tgb}}", "did you mean tgba"),
    "no checker": ("properties: {a: {ltl: G true, checker: asc}}", "a: there is no checker 'asc'"),
    "no deadlock": ("properties: {a: {ltl: G true, deadlock: no}}", "this should be 'stutter' or 'drop'"),
    "no fairness": ("properties: {a: {ltl: G true, fair: [week]}}", "properties.a.fair: --fair week"),
    "fairness to nobody": ("properties: {a: {ltl: G true, fair: ['weak:C']}}", "a: --fair: the model has no"),
    "fairness that is no list": ("properties: {a: {ltl: G true, fair: weak}}", "this should be a list"),
    "fairness by something": ("properties: {a: {ltl: G true, fair_by: step}}", "'process' or 'command'"),
    "no time": ("properties: {a: {ltl: G true, limits: {seconds: -1}}}", "limits.seconds"),
    "no size": ("properties: {a: {ltl: G true, limits: {memory: many}}}", "limits.memory"),
    "a tag": ("properties: {a: !!python/name:os.system x}", "tags such as"),
    "a syntax error": ("properties: {a: 'G ('}", "a: syntax error"),
    "a proposition": ("properties: {a: G A.critcal}", "a: the model has no A.critcal"),
    "depth": ("properties: " + "[" * 5000, "nested too deeply"),
    "an alias of itself": ("properties: &a {b: *a}", "contains itself"),
    "a bomb": (
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(
            f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)
        ),
        "parts, with what its aliases stand for",
    ),
    "no UTF-8": ("properties: {a: \x00}", "zero byte"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refused(tmp_path, text, message):
    ended = check(written(tmp_path, text))
    assert (ended.code, ended.out) == (2, ""), ended
    assert message in ended.err
    assert ended.err.startswith(f"error: {tmp_path / 'written.yaml'}")


class TestRefusedOptions:
    def test_no_such_file(self, tmp_path):
        ended = check(tmp_path / "none.yaml")
        assert (ended.code, "there is no such file" in ended.err) == (2, True)

    def test_no_such_property(self, file):
        ended = check(file, "--only", "progres")
        assert ended.code == 2
        assert "there is no property progres\ndid you mean progress?" in ended.err

    @pytest.mark.parametrize(
        "more",
        [
            ["--ltl", "G true"],
            ["--automaton", "x.hoa"],
            ["--race"],
            ["--mcc", "x.xml"],
            ["--trace", "t.json"],
        ],
        ids=" ".join,
    )
    def test_what_does_not_go_together(self, file, more):
        assert check(file, *more).code == 2

    def test_the_place_is_that_of_the_formula(self, tmp_path):
        text = "properties:\n  a:\n    expect: holds\n    ltl: G A.critcal\n"
        assert (
            "written.yaml:4:5: a: the model has no A.critcal (column 1" in check(written(tmp_path, text)).err
        )


def test_an_alias_is_what_it_stands_for(tmp_path):
    text = f"properties:\n  a: {{ltl: &f '{EXCLUSION}', expect: holds}}\n  b: *f\n"
    assert check(written(tmp_path, text)).code == 0


class TestLimits:
    def test_the_time_is_that_of_all(self, tmp_path):
        given = [
            word for i in range(4) for word in ("--ltl", f"{BLOW_UP} || G A.hungry || X{'X' * i} A.hungry")
        ]
        ended = finish(start("check", PETERSON, *given, "--timeout", "2", "--json"))
        assert ended.code == 3
        assert {one["result"]["reason"] for one in ended.json["properties"]} == {"time"}
        assert ended.json["seconds"] < 20

    def test_the_time_of_one(self, tmp_path, file):
        text = f"properties:\n  a: {{ltl: '{BLOW_UP}', limits: {{seconds: 1}}}}\n  b: '{EXCLUSION}'\n"
        ended = finish(start("check", PETERSON, "--properties", written(tmp_path, text), "--json"))
        assert (ended.code, verdicts(ended)) == (3, {"a": "unknown", "b": "holds"})

    def test_memory_is_shared(self, counter):
        given = [
            "check",
            counter,
            "--ltl",
            "G x <= 255",
            "--ltl",
            "G y <= 255",
            "--max-memory",
            "60MB",
            "--json",
        ]
        ended = finish(start(*given, "--jobs", "2"))
        found = [one["result"] for one in ended.json["properties"]]
        assert (ended.code, [r["reason"] for r in found]) == (3, ["memory"] * 2)
        assert max(r["bytes"] for r in found) <= 30_000_000

    def test_states_are_those_of_each(self, counter):
        formulas = ["G x <= 255", "G y <= 255"]
        given = [word for formula in formulas for word in ("--ltl", formula)]
        many = buchi("check", counter, *given, "--max-states", "900", "--json").json["properties"]
        alone = [buchi("check", counter, "--ltl", f, "--max-states", "900", "--json").json for f in formulas]
        assert [one["result"]["states"] for one in many] == [one["states"] for one in alone]


class TestEnds:
    LONG = ("--ltl", "G x <= 255", "--ltl", "G y <= 255")

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_what_was_finished_is_kept(self, counter, number, tmp_path):
        junit = tmp_path / "j.xml"
        slow = [*self.LONG, "--backend", "interpreted"]
        process = start("check", counter, "--ltl", "G x == 0", *slow, "--junit", junit)
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(2)][1]
        process.send_signal(number)
        ended = finish(process)
        rows = [first, *ended.out.splitlines()[:2]]
        assert [row.split()[4] for row in rows] == ["violated", "unknown", "unknown"]
        assert (ended.code, "3 properties: 2 unknown, 1 failed" in ended.out) == (1, True)
        assert ended.out.count("the search was interrupted") == 2
        assert (junit.read_text().count("<failure"), junit.read_text().count("<skipped")) == (1, 2)

    def test_an_interrupted_object_is_whole(self, counter):
        process = start("check", counter, *self.LONG, "--backend", "interpreted", "--json")
        wait_for(lambda: len(descendants(process.pid)) >= 2)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 3
        assert {one["result"]["reason"] for one in ended.json["properties"]} == {"interrupted"}

    def test_rows_are_there_when_they_are_known(self, counter):
        process = start("check", counter, "--ltl", "G x == 0", *self.LONG)
        assert process.stdout is not None
        assert [process.stdout.readline().split()[0] for _ in range(2)] == ["property", "G"]
        process.kill()
        process.communicate()

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
    def test_no_process_is_left(self, counter, number):
        process = start("check", counter, *self.LONG, "--jobs", "2")
        wait_for(lambda: len(descendants(process.pid)) >= 3)
        ours = descendants(process.pid)
        process.send_signal(number)
        process.communicate(timeout=30)
        wait_for(lambda: not any(map(is_alive, ours)), seconds=2)

    @pytest.mark.parametrize(
        ("action", "outcome", "code"),
        [
            ("os.kill(os.getpid(), signal.SIGSEGV)", "bug", 4),
            ("raise ValueError('words')", "bug", 4),
            ("os.kill(os.getpid(), signal.SIGKILL)", "unknown", 3),
            ("bytearray(1 << 50)", "unknown", 3),
        ],
    )
    def test_one_that_dies_takes_no_other_with_it(self, tmp_path, plugin, action, outcome, code):
        text = f"properties:\n  a: {{ltl: '{EXCLUSION}', checker: evil}}\n  b: '{EXCLUSION}'\n"
        path = written(tmp_path, text)
        ended = finish(start("check", PETERSON, "--properties", path, "--json", **plugin(action)))
        assert (ended.code, outcomes(ended)) == (code, {"a": outcome, "b": "passed"})

    def test_a_false_counterexample_is_a_bug_of_one(self, tmp_path, plugin):
        text = f"properties:\n  a: {{ltl: '{EXCLUSION}', checker: evil}}\n  b: '{EXCLUSION}'\n"
        action = (
            "from buchi.checkers.declaration import Lasso; start = product.initial()[0]; "
            "return Lasso([], [start])"
        )
        ended = finish(
            start("check", PETERSON, "--properties", written(tmp_path, text), "--json", **plugin(action))
        )
        assert (ended.code, outcomes(ended)) == (4, {"a": "bug", "b": "passed"})


class TestSchema:
    def test_every_field_is_described(self):
        schema = buchi("check", "--schema").json
        for part in (schema, *schema["$defs"].values()):
            assert part["description"]
            for name, field in part["properties"].items():
                assert field.get("description"), name

    def test_editors_take_what_we_take(self, file):
        from buchi.common.yaml_values import load_yaml

        schema = buchi("check", "--schema").json
        jsonschema.validate(load_yaml(PROPERTIES, "p.yaml"), schema)
        for text in (
            "properties: {a: {ltl: G true, expects: holds}}",
            "properties: {}",
            "properties: {a: 3}",
        ):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(load_yaml(text, "p.yaml"), schema)


def wanted(*names: str, expected: Verdict | None = None) -> list[Wanted]:
    return [Wanted(name, "G true", CheckOptions(), expected) for name in names]


class TestTable:
    @pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
    @pytest.mark.parametrize("expected", [None, Verdict.VIOLATED])
    @pytest.mark.parametrize("name", ["a", "x" * 200, "名" * 60, "a\n\x1b[31mb\u202e"])
    def test_fits_the_terminal(self, width, expected, name):
        table = Table(wanted(name, "b", expected=expected), width)
        one = PropertyVerdict(name=name, ltl=None, expected=expected, outcome=Outcome.BUG, error="x")
        lines = [line.plain for line in table.lines(one)]
        assert len(lines) == 2
        assert max(map(cell_len, lines)) <= width
        assert all(line.isprintable() for line in lines)
        assert "bug" in lines[1]

    def test_on_a_terminal(self, file):
        read, write = pty.openpty()
        import fcntl
        import struct
        import subprocess
        import sys
        import termios

        fcntl.ioctl(write, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
        words = [sys.executable, "-m", "buchi", "check", str(PETERSON), "--properties", str(file)]
        words += ["--only", "exclusion"]
        environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"TERM": "xterm"}
        process = subprocess.Popen(words, stdout=write, stderr=subprocess.DEVNULL, env=environment)
        os.close(write)
        shown = b""
        try:
            while piece := os.read(read, 1 << 16):
                shown += piece
        except OSError:  # the other side is gone
            pass
        assert process.wait() == 0
        lines = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).splitlines()
        assert max(map(len, lines)) <= 50
        assert lines[1].split()[:3] == ["exclusion", "holds", "yes"]


class TestPython:
    def test_formulas(self):
        found = library.check_all(PETERSON, [EXCLUSION, OFTEN])
        assert [one.verdict.value for one in found.properties] == ["holds", "violated"]
        assert not found
        assert found[OFTEN].result is not None
        assert found[OFTEN].result.counterexample is not None
        with pytest.raises(KeyError):
            found["no such"]

    def test_names(self):
        found = library.check_all(library.load_model(PETERSON), {"safe": EXCLUSION}, jobs=2)
        assert (bool(found), found["safe"].ltl) == (True, EXCLUSION)

    def test_files(self, file):
        found = library.check_all(PETERSON, properties=file, only=["progress"])
        assert (bool(found), found["progress"].expected) == (True, Verdict.VIOLATED)

    def test_unknown_is_neither(self):
        found = library.check_all(PETERSON, [EXCLUSION], max_states=3)
        with pytest.raises(TypeError, match="unknown"):
            bool(found)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"ltl": EXCLUSION}, "ltl is no list of formulas"),
            ({"ltl": []}, "ltl is no list of formulas"),
            ({"ltl": [EXCLUSION], "properties": "x.yaml"}, "ltl and properties exclude each other"),
            ({"ltl": [EXCLUSION], "only": ["x"]}, "only belongs to properties"),
            ({"ltl": ["G ("]}, "syntax error"),
            ({"properties": "none.yaml"}, "there is no such file"),
        ],
    )
    def test_mistakes(self, arguments, message):
        with pytest.raises(InputError, match=message):
            library.check_all(PETERSON, **arguments)


class TestValues:
    def test_outcomes(self):
        holds, violated, unknown = Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNKNOWN
        expected = {None: "pfu", holds: "pfu", violated: "fpu", unknown: "ffp"}
        for wanted, letters in expected.items():
            found = [outcome_of(verdict, wanted).value[0] for verdict in (holds, violated, unknown)]
            assert "".join(found) == letters

    @pytest.mark.parametrize(
        "changes",
        [{"outcome": "passed"}, {"outcome": "failed", "error": None}, {"outcome": "bug", "error": None}],
    )
    def test_a_verdict_says_what_it_must(self, changes):
        with pytest.raises(ValueError, match="error"):
            PropertyVerdict.model_validate({"name": "a", "ltl": None, "error": "x", **changes})
