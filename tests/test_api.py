"""The functions of `import buchi`: the same answers as the command line, as values that notebooks can show."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from runner import COUNTER, PETERSON, ROOT, buchi
from test_docs import blocks, prepare

import buchi as api
from buchi.common.notebook import SHOWN_STEPS
from buchi.common.pictures import Arrow, Node, Picture
from buchi.models.kripke import Kripke
from buchi.pipeline.cli.render import render_check
from buchi.schemas.automaton import Automaton
from buchi.schemas.forms import Tgba
from buchi.schemas.result import Counterexample
from buchi.schemas.steps import Step
from buchi.translators.hoa import write_hoa

SAFE = "G !(A.critical && B.critical)"
UNFAIR = "G (A.hungry -> F A.critical)"
TIMES = {"seconds", "bytes"}


def without_times(value):
    """Return a JSON value without what differs from run to run."""
    if isinstance(value, dict):
        return {name: without_times(v) for name, v in value.items() if name not in TIMES}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def as_json(result):
    return without_times(json.loads(result.model_dump_json()))


class TestTheSameAsTheCommandLine:
    def test_explore(self):
        shown = buchi("explore", PETERSON, "--json").json
        assert without_times(shown).items() <= as_json(api.explore(PETERSON)).items()

    @pytest.mark.parametrize("formula", [SAFE, UNFAIR])
    def test_check(self, formula):
        shown = buchi("check", PETERSON, "--ltl", formula, "--json").json
        assert as_json(api.check(PETERSON, formula)) == without_times(shown)

    def test_check_with_options(self):
        words = ("--via", "tlba", "--checker", "se", "--order", "random:3", "--deadlock", "drop")
        shown = buchi("check", PETERSON, "--ltl", UNFAIR, *words, "--json").json
        found = api.check(PETERSON, UNFAIR, via="tlba", checker="se", order="random:3", deadlock="drop")
        assert as_json(found) == without_times(shown)

    def test_compare(self):
        shown = buchi("compare", PETERSON, "--ltl", UNFAIR, "--via", "tgba", "--json").json
        found = json.dumps(as_json(api.compare(str(PETERSON), UNFAIR, via="tgba")))
        assert json.loads(found.replace("checker='shortest'", "--checker shortest")) == without_times(shown)

    def test_translate(self):
        shown = buchi("translate", "G F p", "--to", "tgba", "--negate", "--format", "json").json
        assert as_json(api.translate("G F p", "tgba", negate=True)) == shown

    def test_the_options_of_translators(self):
        words = ("--through", "tgra", "--option", "tgra-tfla.method=literal")
        shown = buchi("translate", "FG p", "--to", "tfla", *words, "--format", "json").json
        found = api.translate("FG p", "tfla", through=["tgra"], options={"tgra-tfla": {"method": "literal"}})
        assert as_json(found) == shown


class TestTruth:
    """`assert buchi.check(…)` says what it seems to say."""

    def test_what_holds_is_true_and_what_is_violated_is_false(self):
        assert api.check(PETERSON, SAFE)
        assert not api.check(PETERSON, UNFAIR)
        assert api.compare(PETERSON, SAFE, via="tgba")
        assert not api.compare(PETERSON, UNFAIR, via="tgba")

    def test_what_is_unknown_is_neither(self):
        for unknown in (api.check(PETERSON, SAFE, max_states=5), api.compare(PETERSON, SAFE, max_states=5)):
            with pytest.raises(TypeError, match=r"unknown.* neither true nor false"):
                bool(unknown)

    def test_a_comparison_that_was_interrupted_is_neither(self):
        with pytest.raises(TypeError, match="interrupted"):
            bool(api.compare(PETERSON, SAFE, via="tgba").model_copy(update={"interrupted": True}))

    def test_a_number_of_states_is_no_answer(self):
        with pytest.raises(TypeError, match="no truth value"):
            bool(api.explore(PETERSON))


class TestLoadedModels:
    def test_one_model_answers_several_questions(self):
        model = api.load_model(PETERSON)
        assert api.explore(model).states == 43
        assert api.check(model, SAFE).verdict is api.Verdict.HOLDS
        assert api.check(model, UNFAIR).verdict is api.Verdict.VIOLATED
        assert api.compare(model, SAFE, checker="reach").model == model.model.name

    def test_a_model_without_property_is_named(self):
        with pytest.raises(api.InputError, match="has no property process"):
            api.check(api.load_model(PETERSON))

    def test_overflow_is_decided_when_a_model_is_loaded(self):
        strict = api.load_model(PETERSON, overflow="error")
        assert strict.model.overflow_is_error
        assert api.explore(strict).states == api.explore(strict, overflow="error").states
        with pytest.raises(api.InputError, match="loaded with overflow 'error'"):
            api.explore(strict, overflow="wrap")


RING = Kripke(("p",), edges=[[1], [2], [0]], labels=[frozenset(), frozenset(), frozenset({"p"})])


class TestStructuresAsValues:
    def test_a_structure_is_a_model(self):
        assert api.explore(RING).states == 3
        assert api.check(RING, "G F p").verdict is api.Verdict.HOLDS
        assert api.compare(RING, "F G p", via="tgba").verdict is api.Verdict.VIOLATED

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"edges": [[1], [2], [3]]}, "leaves the 3 states"),
            ({"edges": [[1], [-1], [0]]}, "leaves the 3 states"),
            ({"initial": 3}, "leaves the 3 states"),
            ({"edges": [], "labels": []}, "leaves the 0 states"),
            ({"labels": [frozenset()]}, "for each of its states"),
            ({"names": ("a", "b")}, "for all or none"),
            ({"propositions": ("p", "p")}, "declared twice"),
        ],
    )
    def test_one_that_leads_out_of_itself_is_refused(self, wrong, said):
        with pytest.raises(api.InputError, match=said):
            api.explore(replace(RING, **wrong))


KINDS = ["tlba", "slba", "ta", "tgba", "tgra", "tfla", "tela"]


class TestAutomataAsValues:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(("formula", "verdict"), [(SAFE, "holds"), (UNFAIR, "violated")])
    def test_what_is_translated_can_be_checked(self, kind, formula, verdict):
        forbidden = api.translate(formula, kind, negate=True)
        found = api.check(PETERSON, automaton=forbidden)
        assert found.verdict.value == verdict
        assert found.kind == ("tfla" if kind in ("tgra", "tela") and _has_fin(forbidden) else kind)

    @pytest.mark.parametrize("kind", KINDS)
    def test_and_compared(self, kind):
        found = api.compare(PETERSON, automaton=api.translate(UNFAIR, kind, negate=True), checker="tgrp")
        assert found.verdict is api.Verdict.VIOLATED
        assert found.forbidden == f"a given {kind}"

    def test_a_value_and_its_file_give_the_same(self, tmp_path):
        forbidden = api.translate(UNFAIR, "tgba", negate=True)
        (tmp_path / "a.hoa").write_text(write_hoa(forbidden))
        by_file, by_value = (api.check(PETERSON, automaton=a) for a in (tmp_path / "a.hoa", forbidden))
        assert as_json(by_file) == as_json(by_value)

    def test_what_it_claims_of_its_language_is_not_believed(self):
        stepwise = api.translate("G (A.hungry -> X A.polite)", "tgba", negate=True)
        claims = stepwise.claims.model_copy(update={"stutter_invariant": True})
        with pytest.raises(api.InputError, match="not stutter-invariant"):
            api.check(PETERSON, automaton=stepwise.model_copy(update={"claims": claims}), via="ta")

    def test_a_table_of_no_kind_is_refused(self):
        fields = api.translate("F A.critical", "tgba").model_dump(exclude={"kind"})
        with pytest.raises(api.InputError, match="of no kind"):
            api.check(PETERSON, automaton=Automaton(**fields))

    def test_an_empty_name_is_not_taken_for_none(self):
        with pytest.raises(api.InputError, match="this is a directory"):
            api.check(PETERSON, automaton="")


def _has_fin(form):
    return any(clause.fin for clause in form.acceptance)


class TestMistakesAndLimits:
    def test_bad_input_is_an_exception_that_says_what(self):
        with pytest.raises(api.InputError, match=r"the model has no A\.hunger"):
            api.check(PETERSON, "F A.hunger")
        with pytest.raises(api.InputError, match="'tbga' is not a kind"):
            api.translate("F p", "tbga")
        with pytest.raises(api.InputError, match="only a formula can be negated"):
            api.translate(api.translate("F p", "tgba"), "tlba", negate=True)
        with pytest.raises(api.BuchiError, match="there is no such file"):
            api.load_model("nowhere.dve")

    @pytest.mark.parametrize("size", [30 << 20, "30MiB"])
    def test_a_size_is_a_number_or_a_text(self, tmp_path, size):
        (tmp_path / "counter.dve").write_text(COUNTER)
        found = api.check(tmp_path / "counter.dve", "G z <= 255", max_memory=size)
        assert (found.verdict, found.reason) == (api.Verdict.UNKNOWN, "memory")
        assert found.states > 10_000  # it was the search that took it

    def test_a_limit_is_a_result(self, tmp_path):
        (tmp_path / "counter.dve").write_text(COUNTER)
        found = api.check(tmp_path / "counter.dve", "G z < 255", max_states=1000)
        assert (found.verdict, found.reason) == (api.Verdict.UNKNOWN, "states")

    def test_a_thread_that_is_not_the_main_one_may_check(self):
        found = []
        thread = threading.Thread(target=lambda: found.append(api.check(PETERSON, SAFE)))
        thread.start()
        thread.join()
        assert found[0].verdict is api.Verdict.HOLDS

    def test_an_automaton_can_be_translated_further(self):
        tgba = api.translate("GF p", "tgba")
        assert isinstance(tgba, Tgba)
        assert api.translate(tgba, "tlba").kind.value == "tlba"


class TestDisplays:
    def test_a_verdict_with_its_counterexample(self):
        found = api.check(PETERSON, UNFAIR)
        shown = found._repr_html_()
        assert ">violated</b>" in shown
        steps = len(found.counterexample.prefix) + len(found.counterexample.cycle)
        assert shown.count("<td>A: ") + shown.count("<td>B: ") == steps
        assert f"the cycle begins in state {len(found.counterexample.prefix)}<" in shown
        assert found.counterexample._repr_html_() in shown

    def test_it_tells_the_same_changes_as_the_terminal(self):
        found = api.check(PETERSON, UNFAIR)
        lines = [line.plain for line in render_check(found)]
        last = next(line for line in reversed(lines) if "->" in line)
        assert f"<td>{last.split()[-1]}</td>" in found._repr_html_().replace("B = ", "")

    def test_names_are_escaped(self):
        shown = api.compare(PETERSON, 'G "gave_way < 2"', checker="ascc")._repr_html_()
        assert "gave_way&lt;2" in shown
        assert "gave_way<2" not in shown

    def test_the_least_of_each_counter_is_bold(self):
        found = api.compare(PETERSON, UNFAIR)
        least = min(row.transitions for row in found.taken())
        assert f"<td><b>{least:,}</b></td>" in found._repr_html_()

    def test_what_is_unknown_says_why(self):
        assert "unknown (states)" in api.check(PETERSON, SAFE, max_states=5)._repr_html_()
        assert "incomplete (states)" in api.explore(PETERSON, max_states=5)._repr_html_()

    def test_a_long_counterexample_is_cut(self):
        found = api.check(PETERSON, UNFAIR).counterexample
        longer = found.model_copy(update={"prefix": tuple(found.prefix) * 100})
        assert f"{longer.length - SHOWN_STEPS:,} more steps not shown" in longer._repr_html_()
        assert "back in state" not in longer._repr_html_()

    def test_a_deadlock_is_no_step(self):
        stuck = Kripke(("p",), edges=[[1], []], labels=[frozenset({"p"}), frozenset()])
        shown = api.check(stuck, "G F p")._repr_html_()
        assert "counterexample: 1 step, then a deadlock" in shown
        assert "no command is enabled: the model stays in this state for ever" in shown

    def test_numbers_as_people_read_them(self):
        alone = Kripke(("p",), edges=[[0]], labels=[frozenset()])
        shown = api.check(alone, "F p")._repr_html_()
        assert "of 1 state<" in shown
        assert "counterexample: 0 steps, then a cycle of 1 step<" in shown
        assert "&lt; 0.1 ms<" in api.explore(alone).model_copy(update={"seconds": 0})._repr_html_()


EVIL = "<script>alert('&')</script>"


class TestHostileText:
    """Names come from files of strangers, and a notebook shows what it is given."""

    def test_in_a_counterexample(self):
        found = Counterexample(
            prefix=[Step(EVIL, {EVIL: EVIL})], cycle=[Step(EVIL, {EVIL: "1"}), Step(EVIL, {EVIL: "2"})]
        )
        checked = api.check(RING, "F G p").model_copy(update={"counterexample": found, "checker": EVIL})
        for shown in (found._repr_html_(), checked._repr_html_()):
            assert "<script" not in shown
            assert "&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt; = &lt;script" in shown

    def test_in_a_comparison(self):
        found = api.compare(RING, "F G p", via="tgba", checker="ascc")
        row = found.rows[0].model_copy(update={"kind": EVIL, "translators": (EVIL,), "checker": EVIL})
        shown = found.model_copy(update={"forbidden": EVIL, "model": EVIL, "rows": (row,)})._repr_html_()
        assert "<script" not in shown
        assert shown.count("&lt;script") == 4

    @pytest.mark.parametrize("marks", [0, 3])
    def test_in_a_picture(self, marks):
        arrows = [Arrow(None, 'a\n"b\\', 0), Arrow(0, f"{EVIL}\r\\N", 0, marks)]
        picture = Picture(EVIL, [Node("<b>x</b>\\N&lt;")], arrows)
        text = picture.dot()
        assert ("label=<" in text) == bool(marks)
        assert r'label="<b>x</b>\\N&amp;lt;"' in text
        assert r'label="a\n\"b\\"' in text
        assert len(text.splitlines()) == 13
        drawn = picture._repr_svg_()
        assert drawn is None or ("<script" not in drawn and "alert" in drawn and "&lt;b&gt;x" in drawn)


def test_the_example_of_the_guide(tmp_path, monkeypatch, capsys):
    guide = ROOT / "docs" / "guide.md"
    prepare(tmp_path, guide)
    monkeypatch.chdir(tmp_path)
    (program,) = blocks(guide, "python")
    exec(compile(program, str(guide), "exec"), {})
    assert capsys.readouterr().out == "['Server: busy -> busy']\n"


class TestImports:
    def test_everything_that_is_offered_is_there(self):
        assert all(hasattr(api, name) for name in api.__all__)
        assert set(api.__all__) <= set(dir(api))
        with pytest.raises(AttributeError, match="no attribute 'chekc'"):
            _ = api.chekc

    def test_the_import_alone_loads_nothing(self):
        program = "import sys, buchi; print(sorted({'spot', 'pydantic', 'rich', 'typer'} & set(sys.modules)))"
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT / "examples"
        )
        assert done.stdout.strip() == "[]"
