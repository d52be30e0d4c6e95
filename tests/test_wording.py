"""Messages and numbers as people read them: options by the names their user knows, counts, times, limits."""

from __future__ import annotations

import pytest
from runner import PETERSON, buchi

import buchi as api
from buchi.common.option_names import as_arguments, option
from buchi.common.words import counted, duration
from buchi.pipeline.cli.stage_table import stage_table
from buchi.pipeline.routes import Stage
from buchi.translators.ltl import parse_ltl

SAFE = "G !(A.critical && B.critical)"
UNFAIR = "G (A.hungry -> F A.critical)"


class TestOptions:
    def test_they_are_flags_on_the_command_line_and_arguments_in_python(self):
        assert (option("max_states"), option("deadlock", "drop")) == ("--max-states", "--deadlock drop")
        with as_arguments():
            assert (option("max_states"), option("deadlock", "drop")) == ("max_states", "deadlock='drop'")
        assert option("ltl") == "--ltl"

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"timeout": 0}, "timeout must be more than 0 and at most 1,000,000,000"),
            ({"max_states": -1}, "max_states must be more than 0"),
            ({"max_memory": "much"}, "max_memory: 'much' is not a size"),
            ({"backend": "gpu"}, "backend='gpu' is not a choice"),
            ({"overflow": "rap"}, "overflow='rap' is not a choice"),
            ({"deadlock": "dorp"}, "deadlock='dorp' is not a choice"),
            ({"order": "random"}, "order='random' is not an order"),
            ({"via": "tbga"}, "via='tbga' is not a kind of automaton"),
            (
                {"checker": "se", "shortest": True},
                "shortest is a search of its own: it excludes checker='se'",
            ),
            ({"checker": "reach", "deadlock": "drop"}, "so not deadlock='drop'"),
            ({"checker": "ta-scc"}, "try checker ascc"),
            ({"automaton": "a.hoa"}, "ltl and automaton exclude each other"),
            ({"ltl": None}, "give a property by ltl or automaton"),
            ({"ltl": "G (("}, "^ltl:"),
        ],
    )
    def test_the_functions_speak_of_arguments(self, given, said):
        with pytest.raises(api.InputError) as error:
            api.check(PETERSON, **{"ltl": SAFE, "via": "tgba", **given})
        assert "--" not in str(error.value)
        assert error.match(said)

    def test_so_do_the_refusals_of_a_comparison(self):
        rows = api.compare(PETERSON, SAFE, via="tgba", deadlock="drop").rows
        said = " ".join(row.refusal or "" for row in rows)
        assert "deadlock='drop'" in said
        assert "checker='shortest' runs it alone" in said

    def test_the_command_line_speaks_of_flags(self):
        assert "--timeout must be more than 0" in buchi("explore", PETERSON, "--timeout", "0").err
        assert "--max-memory: 'much' is not" in buchi("explore", PETERSON, "--max-memory", "much").err
        assert "--via tbga is not a kind" in buchi("check", PETERSON, "--ltl", SAFE, "--via", "tbga").err


HUGE = "9" * 5000
ABSURD = [
    ("--timeout", "1e308"),
    ("--timeout", "inf"),
    ("--timeout", "nan"),
    ("--timeout", "-inf"),
    ("--timeout", HUGE),
    ("--timeout", "1000000001"),
    ("--max-states", str(10**30)),
    ("--max-states", str(-(10**400))),
    ("--max-states", str((1 << 64) + 1)),
    ("--max-states", HUGE),
    ("--max-memory", "1e30G"),
    ("--max-memory", "99999999999999999999TB"),
    ("--max-memory", f"{HUGE}GB"),
    ("--max-memory", "9" * 30 + "." + "9" * 30 + "T"),
    ("--max-memory", "٣GiB"),
    ("--max-memory", "-1"),
    ("--order", "random:99999999999999999999999"),
    ("--order", f"random:{HUGE}"),
    ("--order", "random:-1"),
    ("--workers", HUGE),
    ("--workers", str(10**30)),
]


class TestAbsurdLimits:
    @pytest.mark.parametrize(("name", "value"), ABSURD, ids=lambda text: text[:25])
    def test_they_are_bad_input(self, name, value):
        ended = buchi("check", PETERSON, "--ltl", SAFE, f"{name}={value}")
        assert ended.code == 2
        assert name in ended.err
        assert len(ended.err.replace(HUGE, "")) < 2000

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("--timeout", "1e9"),
            ("--timeout", "1e-300"),
            ("--max-states", str(10**18)),
            ("--max-memory", "1048576TiB"),
            ("--max-memory", str(1 << 60)),
            ("--order", f"random:{(1 << 64) - 1}"),
        ],
    )
    def test_great_ones_are_kept(self, name, value):
        assert buchi("check", PETERSON, "--ltl", SAFE, name, value).code == (3 if "e-" in value else 0)

    @pytest.mark.parametrize(
        "given",
        [
            {"timeout": float("nan")},
            {"timeout": float("inf")},
            {"timeout": 10**400},
            {"max_states": 10**5000},
            {"max_states": -(10**5000)},
            {"max_memory": 10**5000},
            {"max_memory": 0},
            {"max_memory": "1e30G"},
            {"order": f"random:{HUGE}"},
        ],
        ids=lambda given: next(iter(given)),
    )
    def test_in_python_too(self, given):
        with pytest.raises(api.InputError, match=next(iter(given))):
            api.check(PETERSON, SAFE, **given)

    @pytest.mark.parametrize("timeout", [0, float("nan"), 1e308])
    def test_in_a_translation(self, timeout):
        with pytest.raises(api.InputError, match="timeout must be"):
            api.translate("F p", "tgba", timeout=timeout)


class TestNumbers:
    @pytest.mark.parametrize(("number", "said"), [(0, "0 steps"), (1, "1 step"), (1234, "1,234 steps")])
    def test_counts(self, number, said):
        assert counted(number, "step") == said

    @pytest.mark.parametrize(
        ("seconds", "said"),
        [
            (0, "< 0.1 ms"),
            (0.00004, "< 0.1 ms"),
            (0.00005, "0.1 ms"),
            (0.0004, "0.4 ms"),
            (0.0994, "99.4 ms"),
            (0.0999, "0.10 s"),
            (0.5, "0.50 s"),
            (1234.5, "1234.50 s"),
        ],
    )
    def test_times_are_never_nothing(self, seconds, said):
        assert duration(seconds) == said

    def test_the_time_of_a_stage(self):
        table = stage_table(parse_ltl("F p"), [Stage("none", api.translate("F p", "tgba"), 0.00001)])
        assert list(table.columns[-1].cells) == ["< 0.1"]

    def test_one_of_a_kind(self, tmp_path):
        model = tmp_path / "alone.dve"
        model.write_text("process P { state a; init a; trans a -> a { }; }\nsystem async;\n")
        assert buchi("explore", model).out.startswith("1 state, 1 transition, 0 deadlocks\n")
        shown = buchi("check", model, "--ltl", "F !P.a").out
        assert "1 state, 1 transition, depth 1 (" in shown
        assert "of 1 state)" in shown
        assert "counterexample: 0 steps, then a cycle of 1 step" in shown
