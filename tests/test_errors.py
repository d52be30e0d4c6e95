"""Whatever the input: one clear message, the right exit code, never a traceback."""

from __future__ import annotations

import pytest
from runner import BLOW_UP, COUNTER, PETERSON, buchi

PROCESS = "process P {{ byte a[2]; byte d; state s, t; init s; trans s -> t {{ {} }}; }} system async;"
HOA = """HOA: v1
States: 1
Start: 0
AP: 1 "A.critical"
Acceptance: {acceptance}
--BODY--
State: 0
[0] 0 {{0}}
[!0] 0 {{1}}
--END--
"""


@pytest.fixture
def model(tmp_path):
    """Return a function that writes a model and returns its path."""

    def write(text, name="model.dve"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def refused(ended, *parts):
    assert ended.code == 2, ended
    assert ended.out == ""
    assert ended.err.startswith("error: ")
    for part in parts:
        assert part in ended.err


class TestModels:
    def test_a_syntax_error_shows_line_column_and_caret(self, model):
        path = model("byte x;\nprocess P {\n  state s;\n  init s\n  trans s -> s { };\n}\nsystem async;\n")
        ended = buchi("explore", path)
        refused(ended, f"{path}:5:3: ", "\n    trans s -> s { };\n    ^\n")

    def test_missing_file(self, tmp_path):
        refused(buchi("explore", tmp_path / "none.dve"), "none.dve: there is no such file")

    def test_missing_file_with_a_near_name(self):
        refused(buchi("explore", PETERSON.with_name("petersen.dve")), "did you mean peterson.dve")

    def test_directory(self, model):
        refused(buchi("explore", model(COUNTER).parent), "this is a directory", "it holds model.dve")

    def test_unreadable_by_its_name(self, tmp_path):
        refused(buchi("explore", tmp_path / ("x" * 300 + ".dve")), "cannot be read: File name too long")

    @pytest.mark.parametrize("content", [bytes(range(256)) * 4, b"\x7fELF\x02\x01\x01" + b"\xff\xfe" * 50])
    def test_binary_garbage(self, model, content):
        refused(buchi("explore", model(content)), ":1: ", "this is not a text file")

    def test_empty_file(self, model):
        refused(buchi("explore", model("")), "the file is empty")
        refused(buchi("explore", model(" \n\n")), "the file is empty")

    def test_unknown_suffix(self, model):
        refused(buchi("explore", model(COUNTER, "model.xyz")), "the suffix '.xyz'", "known: .dve (dve)")
        refused(buchi("explore", model(COUNTER, "model")), "a file name without suffix")

    def test_no_process(self, model):
        refused(buchi("explore", model("byte x;\nsystem async;\n")), "the model has no process")

    def test_no_property_process(self):
        refused(buchi("check", PETERSON), "has no property process", "--ltl or --automaton")


class TestRunTime:
    @pytest.mark.parametrize("backend", ["compiled", "interpreted"])
    @pytest.mark.parametrize("command", [["explore"], ["check", "--ltl", "F P.t"]])
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            (PROCESS.format("effect d = 2, a[d] = 1;"), "index out of bounds"),
            (PROCESS.format("effect d = 7 / d;"), "division by zero"),
            (PROCESS.format("guard a[d + 2] == 0;"), "index out of bounds"),
            (PROCESS.format("guard 3 % d == 0;"), "division by zero"),
        ],
    )
    def test_faults_come_with_the_state_that_caused_them(self, model, text, fault, command, backend):
        name, *options = command
        ended = buchi(name, model(text), *options, "--backend", backend)
        refused(ended, f"{fault} in P: s -> t", "in the state", "P.d = 0", "P = s")

    def test_overflow_is_an_error_on_demand(self, model):
        path = model(PROCESS.format("effect d = 300;"))
        assert buchi("explore", path).code == 0
        refused(buchi("explore", path, "--overflow", "error"), "overflow in P: s -> t")

    def test_a_violated_assertion(self, model):
        step = "trans s -> s { effect x = x + 1; };"
        text = f"byte x; process P {{ state s; init s; assert s: x < 3; {step} }} system async;"
        ended = buchi("explore", model(text))
        assert (ended.code, "the assertion x < 3 (P.s, line 1) does not hold" in ended.out) == (1, True)

    def test_a_fault_in_an_assertion(self, model):
        step = "trans s -> s { effect x = x + 1; };"
        text = f"byte x; process P {{ state s; init s; assert s: 6 / (3 - x) > 0; {step} }} system async;"
        refused(buchi("explore", model(text)), "division by zero in the assertion P.s (line 1)", "x = 3")

    def test_a_fault_in_a_proposition(self):
        ended = buchi("check", PETERSON, "--ltl", 'G ! "announced[gave_way] == 7"')
        refused(ended, "index out of bounds in the proposition announced[gave_way]==7", "gave_way = 2")


class TestProperties:
    def test_unknown_proposition(self):
        ended = buchi("check", PETERSON, "--ltl", "G !(A.critcal && B.critical)")
        refused(ended, "A.critcal", "critical?")

    def test_bad_ltl_shows_the_place(self):
        refused(buchi("check", PETERSON, "--ltl", "G (A.critical"), "--ltl:3: ", "\n  G (A.critical\n    ^")

    def test_empty_ltl(self):
        refused(buchi("check", PETERSON, "--ltl", ""), "--ltl")

    def test_ltl_that_is_no_text(self):
        refused(
            buchi("check", PETERSON, "--ltl", "G \udcff"), "character 3 of the formula is not valid UTF-8"
        )

    def test_psl_is_not_ltl(self):
        refused(
            buchi("check", PETERSON, "--ltl", "{A.critical; B.critical}!"),
            "does not belong to an LTL formula",
        )

    def test_two_properties(self, tmp_path):
        ended = buchi("check", PETERSON, "--ltl", "G A.critical", "--automaton", tmp_path / "a.hoa")
        refused(ended, "--ltl and --automaton exclude each other")


class TestAutomata:
    def test_missing(self, tmp_path):
        refused(buchi("check", PETERSON, "--automaton", tmp_path / "a.hoa"), "there is no such file")

    def test_not_hoa(self):
        refused(
            buchi("check", PETERSON, "--automaton", PETERSON),
            f"{PETERSON}:1:1: ",
            "not an automaton in the HOA",
        )

    def test_broken_hoa(self, model):
        path = model(HOA.format(acceptance="2 Inf(0").replace("[0]", "[7]"), "a.hoa")
        refused(buchi("check", PETERSON, "--automaton", path), f"{path}:")

    @pytest.mark.parametrize(
        ("acceptance", "why"),
        [
            ("2 Fin(0) & Inf(1)", "it needs an acceptance condition without Fin"),
            ("2 Inf(0) | Inf(1)", "it takes at most 1 clause in the acceptance, not 2"),
        ],
    )
    def test_acceptance_that_a_checker_does_not_take(self, model, acceptance, why):
        path = model(HOA.format(acceptance=acceptance), "a.hoa")
        ended = buchi("check", PETERSON, "--automaton", path, "--checker", "ascc")
        refused(ended, f"the checker ascc cannot check this automaton: {why}", "tgrp")

    def test_unknown_proposition(self, model):
        path = model(HOA.format(acceptance="2 Inf(0)").replace("A.critical", "A.crit"), "a.hoa")
        refused(buchi("check", PETERSON, "--automaton", path), "A.crit", "critical?")


class TestUsage:
    @pytest.mark.parametrize(
        ("option", "value", "message"),
        [
            ("--checker", "asc", "did you mean ascc"),
            ("--via", "tgb", "did you mean tgba"),
            ("--via", "ltl", "is not a kind of automaton"),
            ("--backend", "compile", "did you mean compiled?"),
            ("--deadlock", "ignore", "stutter, drop"),
            ("--overflow", "warp", "did you mean wrap?"),
            ("--order", "random", "random:SEED"),
            ("--order", "random:x", "random:SEED"),
            ("--order", f"random:{1 << 64}", "random:SEED"),
            ("--timeout", "0", "must be more than 0"),
            ("--timeout", "nan", "must be more than 0"),
            ("--max-states", "-1", "must be more than 0"),
            ("--max-memory", "much", "'much' is not a size"),
            ("--max-memory", "0", "leaves no memory"),
            ("--workers", "0", "--workers 0"),
            ("--trace", "/dev", "this is a directory"),
            ("--trace", "/no/such/folder/trace.json", "there is no such directory"),
        ],
    )
    def test_bad_values_of_options(self, option, value, message):
        refused(buchi("check", PETERSON, "--ltl", "G A.critical", option, value), message)

    @pytest.mark.parametrize(
        "arguments",
        [["chek"], ["check"], ["check", "m.dve", "--nonsense"], ["check", "m.dve", "--timeout", "soon"], []],
    )
    def test_usage_errors_end_with_2(self, arguments):
        assert buchi(*arguments).code == 2

    def test_json_has_the_message_too(self, tmp_path):
        ended = buchi("check", tmp_path / "none.dve", "--json")
        assert ended.code == 2
        assert "there is no such file" in ended.json["error"]


class TestEnvironment:
    @pytest.fixture
    def counter(self, model):
        return model(COUNTER)

    def test_no_compiler(self, counter, tmp_path):
        ended = buchi("explore", counter, "--max-states", "1000", PATH=str(tmp_path), CC="cc")
        assert ended.code == 3
        assert "no C compiler" in ended.err
        refused(
            buchi("explore", counter, "--backend", "compiled", PATH=str(tmp_path), CC="cc"), "no C compiler"
        )

    def test_unwritable_cache(self, counter, tmp_path):
        (tmp_path / "cache").write_text("a file where the folder should be")
        cache = str(tmp_path / "cache" / "below")
        ended = buchi(
            "explore", counter, "--backend", "compiled", "--max-states", "1000", XDG_CACHE_HOME=cache
        )
        assert ended.code == 3, ended
        assert "1,0" in ended.out

    def test_a_formula_that_spot_needs_too_long_for(self):
        ended = buchi("check", PETERSON, "--ltl", BLOW_UP, "--timeout", "1", "--json")
        assert ended.code == 3
        assert (ended.json["verdict"], ended.json["reason"]) == ("unknown", "time")
        assert ended.json["automaton"] is None
        assert ended.json["seconds"] < 10
