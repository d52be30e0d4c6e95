"""The contract of the command line: JSON, exit codes, limits, interrupts."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from runner import BLOW_UP, PETERSON, ROOT, buchi, finish, is_searching, start, worker

SAFE = "G !(A.critical && B.critical)"
UNFAIR = "G (A.hungry -> F A.critical)"
DEADLOCK = "byte x; process P { state s, t; init s; trans s -> t { effect x = 1; }; } system async;"
PROPERTY = """
byte x;
process P { state s; init s; trans s -> s { effect x = 1 - x; }; }
process Never {
    state wait, seen; init wait; accept seen;
    trans wait -> wait { }, wait -> seen { guard x == 1; }, seen -> seen { };
}
system async property Never;
"""


def wait_for(condition):
    """Wait until a process got that far."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not get that far")


@pytest.fixture
def deadlock(tmp_path):
    path = tmp_path / "deadlock.dve"
    path.write_text(DEADLOCK)
    return path


class TestExplore:
    def test_the_json_has_exactly_the_fields_of_the_contract(self):
        ended = buchi("explore", PETERSON, "--json")
        assert ended.code == 0
        assert list(ended.json) == ["states", "transitions", "deadlocks", "seconds", "bytes"]
        assert (ended.json["states"], ended.json["transitions"], ended.json["deadlocks"]) == (43, 80, 0)

    def test_the_text(self):
        ended = buchi("explore", PETERSON)
        assert ended.out.startswith("43 states, 80 transitions, 0 deadlocks\n")
        assert ended.err == ""

    def test_deadlocks_are_counted(self, deadlock):
        assert buchi("explore", deadlock, "--json").json["deadlocks"] == 1

    @pytest.mark.parametrize(
        ("option", "value", "reason"),
        [
            ("--max-states", "5000", "states"),
            ("--max-memory", "4MiB", "memory"),
            ("--timeout", "0.3", "time"),
        ],
    )
    def test_a_limit_ends_it_with_3_and_what_is_known(self, counter, option, value, reason):
        ended = buchi("explore", counter, option, value, "--json")
        assert ended.code == 3
        assert ended.json["reason"] == reason
        assert "incomplete" in buchi("explore", counter, option, value).out


class TestCheck:
    BEFORE = ("verdict", "kind", "checker", "workers", "automaton")
    COUNTERS = (
        "states",
        "transitions",
        "post_calls",
        "reduced_posts",
        "left_out",
        "max_depth",
        "max_stack",
        "components",
        "passes",
        "seconds",
        "bytes",
    )
    FIELDS = (
        *BEFORE,
        *COUNTERS,
        "reduced",
        "contest",
        "warnings",
        "coverage",
        "certified",
        "reason",
        "counterexample",
    )

    def test_a_property_that_holds(self):
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--json")
        assert ended.code == 0
        assert tuple(ended.json) == self.FIELDS
        found = ended.json
        assert (found["verdict"], found["kind"], found["checker"], found["workers"]) == (
            "holds",
            "tgba",
            "reach",
            1,
        )
        assert list(found["automaton"]) == ["states", "edges", "sets", "pairs"]
        assert (found["reason"], found["counterexample"]) == (None, None)

    def test_a_property_that_is_violated(self):
        ended = buchi("check", PETERSON, "--ltl", UNFAIR, "--json")
        assert ended.code == 1
        assert tuple(ended.json) == self.FIELDS
        lasso = ended.json["counterexample"]
        assert ended.json["verdict"] == "violated"
        assert all(set(step) == {"command", "state"} for step in [*lasso["prefix"], *lasso["cycle"]])
        assert all(step["state"]["A"] == "hungry" for step in lasso["cycle"])

    @pytest.mark.parametrize("backend", ["compiled", "interpreted"])
    def test_both_back_ends_give_the_same_run(self, backend):
        found = buchi("check", PETERSON, "--ltl", UNFAIR, "--json", "--backend", backend).json
        expected = buchi("check", PETERSON, "--ltl", UNFAIR, "--json").json
        assert found["counterexample"] == expected["counterexample"]

    def test_the_order_of_successors_changes_the_run_not_the_verdict(self):
        shuffled = [
            buchi("check", PETERSON, "--ltl", UNFAIR, "--json", "--order", f"random:{s}") for s in range(5)
        ]
        assert {ended.code for ended in shuffled} == {1}
        assert len({json.dumps(ended.json["counterexample"]) for ended in shuffled}) > 1
        again = buchi("check", PETERSON, "--ltl", UNFAIR, "--json", "--order", "random:3")
        assert again.json["counterexample"] == shuffled[3].json["counterexample"]

    def test_the_trace_is_the_counterexample(self, tmp_path):
        file = tmp_path / "trace.json"
        ended = buchi("check", PETERSON, "--ltl", UNFAIR, "--json", "--trace", file)
        assert json.loads(file.read_text()) == ended.json["counterexample"]

    def test_no_trace_without_counterexample(self, tmp_path):
        file = tmp_path / "trace.json"
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--trace", file)
        assert ended.code == 0
        assert "there is no counterexample to write" in ended.err
        assert not file.exists()

    def test_a_trace_that_cannot_be_written_costs_no_verdict(self):
        ended = buchi("check", PETERSON, "--ltl", UNFAIR, "--trace", "/dev/full")
        assert ended.code == 1
        assert ended.out.startswith("violated\n")
        assert "No space left" in ended.err

    @pytest.mark.parametrize(
        ("formula", "code"), [("1", 0), ("0", 1), ("F A.hungry || F B.hungry", 0), ("GF A.critical", 1)]
    )
    def test_small_formulas(self, formula, code):
        assert buchi("check", PETERSON, "--ltl", formula).code == code


class TestDeadlocks:
    def test_a_deadlock_stutters(self, deadlock):
        ended = buchi("check", deadlock, "--ltl", "G F x == 0", "--json")
        assert ended.code == 1
        assert [step["command"] for step in ended.json["counterexample"]["cycle"]] == [None]
        assert "no command is enabled" in buchi("check", deadlock, "--ltl", "G F x == 0").out

    def test_or_its_runs_do_not_count(self, deadlock):
        assert buchi("check", deadlock, "--ltl", "G F x == 0", "--deadlock", "drop").code == 0


class TestForbiddenBehaviours:
    def test_the_property_process_of_the_model(self, tmp_path):
        path = tmp_path / "model.dve"
        path.write_text(PROPERTY)
        ended = buchi("check", path, "--json")
        assert (ended.code, ended.json["kind"]) == (1, "tlba")
        path.write_text(PROPERTY.replace("x == 1", "x == 2"))
        assert buchi("check", path).code == 0

    @pytest.mark.parametrize(
        ("propositions", "code"), [('"A.critical" "B.critical"', 0), ('"A.waiting" "B.waiting"', 1)]
    )
    def test_an_automaton_in_a_file(self, tmp_path, propositions, code):
        path = tmp_path / "both.hoa"
        path.write_text(
            f"HOA: v1\nStates: 2\nStart: 0\nAP: 2 {propositions}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n"
            "--BODY--\nState: 0\n[t] 0\n[0&1] 1\nState: 1 {0}\n[t] 1\n--END--\n"
        )
        ended = buchi("check", PETERSON, "--automaton", path, "--json")
        assert (ended.code, ended.json["automaton"]["states"]) == (code, 2)

    def test_propositions_meet_whatever_their_spelling_and_unused_ones_do_not_matter(self, tmp_path):
        path = tmp_path / "critical.hoa"
        path.write_text(
            'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "A  ==  \'hungry\'" "unused"\nAcceptance: 1 Inf(0)\n'
            "--BODY--\nState: 0\n[t] 0\n[0] 0 {0}\n--END--\n"
        )
        assert buchi("check", PETERSON, "--automaton", path).code == 1

    def test_an_automaton_with_fin_becomes_fin_less_unless_told_otherwise(self, tmp_path):
        path = tmp_path / "fin.hoa"
        path.write_text(
            'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "A.critical" "B.critical"\n'
            "Acceptance: 4 (Fin(0) & Inf(1)) | (Fin(2) & Inf(3))\n"
            "--BODY--\nState: 0\n[!0&!1] 0\n[0] 0 {0 3}\n[1] 0 {1 2}\n--END--\n"
        )
        given = ("check", PETERSON, "--automaton", path)
        found = buchi(*given)
        assert (found.code, "Fin was removed" in found.out, "tfla" in found.out) == (1, True, True)
        for more, kind, checker in ((), "tfla", "tfla"), (("--via", "tgra"), "tgra", "tgrp"):
            ended = buchi(*given, *more, "--json")
            assert (ended.code, ended.json["kind"], ended.json["checker"]) == (1, kind, checker)
        assert buchi(*given, "--checker", "tgrp", "--json").json["kind"] in ("tgra", "tela")

    def test_an_automaton_that_accepts_nothing(self, tmp_path):
        path = tmp_path / "nothing.hoa"
        path.write_text(
            "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 f\n--BODY--\nState: 0\n[t] 0\n--END--\n"
        )
        assert buchi("check", PETERSON, "--automaton", path).code == 0


class TestEnds:
    def test_memory_limit(self, counter):
        ended = buchi("check", counter, "--ltl", "G x <= 255", "--max-memory", "8MiB", "--json")
        assert ended.code == 3
        assert (ended.json["verdict"], ended.json["reason"]) == ("unknown", "memory")
        assert 0 < ended.json["bytes"] <= 8 << 20

    @pytest.mark.parametrize(
        ("command", "number"),
        [(["explore"], signal.SIGTERM), (["check", "--ltl", "G x <= 255"], signal.SIGINT)],
    )
    def test_interrupt_of_a_search(self, counter, command, number):
        name, *options = command
        process = start(name, counter, *options, "--json", "--backend", "interpreted")
        wait_for(lambda: is_searching(process))
        time.sleep(0.3)
        process.send_signal(number)
        process.send_signal(number)
        ended = finish(process)
        assert ended.code == 3, ended
        assert ended.json["reason"] == "interrupted"
        assert ended.json["states"] > 0

    def test_interrupt_of_a_translation(self):
        process = start("check", PETERSON, "--ltl", BLOW_UP, "--json")
        wait_for(lambda: worker(process) and "spot" in Path(f"/proc/{worker(process)}/maps").read_text())
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 3, ended
        assert ended.json["reason"] == "interrupted"


class TestTheRest:
    def test_plugins(self):
        ended = buchi("plugins")
        assert ended.code == 0
        assert all(name in ended.out for name in ("dve", "ltl-tgba", "ascc"))
        assert "ascc" in buchi("plugins", "--json").json["buchi.checkers"]["found"]

    def test_doctor(self):
        ended = buchi("doctor")
        assert ended.code == 0, ended
        assert all(word in ended.out for word in ("engine", "spot", "compiler", "cache", "memory", "ascc"))

    def test_doctor_without_compiler(self, tmp_path):
        ended = buchi("doctor", "--json", PATH=str(tmp_path), CC="cc")
        assert ended.code == 0
        assert ("compiler", "worry") in [
            (finding["subject"], finding["health"]) for finding in ended.json["findings"]
        ]

    def test_version_and_help(self):
        assert buchi("--version").out.startswith("buchi 0.")
        assert "--automaton" in buchi("check", "--help").out

    @pytest.mark.parametrize(
        ("words", "found"),
        [("buchi chec", "check"), ("buchi check --vi", "--via"), ("buchi check --via tg", "tgba\ntgra")],
    )
    def test_completion(self, words, found):
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
        ended = finish(start(_BUCHI_COMPLETE="complete_bash", **asked))
        assert (ended.code, ended.out.strip()) == (0, found)

    def test_flags_take_no_value(self):
        assert "<bool>" not in buchi("check", "--help").out + buchi("--help").out

    def test_help_loads_nothing_slow(self):
        script = "import sys, buchi.pipeline.cli.app; print({'spot', 'pydantic', 'lark'} & set(sys.modules))"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "set()"

    def test_the_demo(self):
        buchi_command = f"{sys.executable} -m buchi"
        wrapper = ROOT / "examples" / "demo.sh"
        done = subprocess.run(
            ["sh", "-c", f'b() {{ {buchi_command} "$@"; }}; set -- b; . {wrapper}'],
            capture_output=True,
            text=True,
            cwd=ROOT / "examples",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("\nholds\n") == 1
        assert done.stdout.count("\nviolated\n") == 1
