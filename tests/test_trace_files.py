"""The files that a counterexample is written to: a page, ITF, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from nets import pnml
from report_records import EVIL
from runner import PETERSON, buchi

import buchi as api
from buchi.common.errors import InputError
from buchi.pipeline.cli import trace_files
from buchi.pipeline.cli.trace_files import About, trace_chunks
from buchi.pipeline.traces.itf import itf_chunks
from buchi.pipeline.traces.page import page
from buchi.pipeline.traces.payload import payload
from buchi.schemas.result import Counterexample, Violation
from buchi.schemas.steps import Step
from buchi.schemas.story import Story
from buchi.schemas.told import Message, Told

UNFAIR = "G (A.hungry -> F A.critical)"


@pytest.fixture(scope="module")
def found() -> Counterexample:
    result = api.check(PETERSON, UNFAIR)
    assert result.counterexample is not None
    return result.counterexample


def data_of(text: str) -> dict:
    """Return what the script of a page reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


class TestItf:
    def test_states_and_loop_are_those_of_the_run(self, found):
        trace = json.loads("".join(itf_chunks(found, "peterson.dve")))
        assert trace["loop"] == len(found.prefix)
        assert trace["vars"] == ["announced", "gave_way", "A", "B"]
        assert trace["#meta"]["varTypes"]["announced"] == "Seq(Int)"
        assert trace["#meta"]["varTypes"]["A"] == "Str"
        for number, state in enumerate(trace["states"]):
            step = found.at(number)
            assert state["#meta"] == {"index": number, "command": step.command}
            assert state["announced"] == [{"#bigint": step.state[f"announced[{i}]"]} for i in (0, 1)]
            assert (state["A"], state["gave_way"]) == (
                step.state["A"],
                {"#bigint": step.state["gave_way"]},
            )
        assert len(trace["states"]) == found.length

    def test_a_run_that_ends_has_no_loop(self):
        steps = (Step("go", {"x": "-1"}), Step(None, {"x": "2"}))
        run = Counterexample(prefix=steps, cycle=(), violation=Violation())
        trace = json.loads("".join(itf_chunks(run, "m")))
        assert "loop" not in trace
        assert [state["x"] for state in trace["states"]] == [{"#bigint": "-1"}, {"#bigint": "2"}]

    def test_names_that_only_look_like_elements(self):
        run = Counterexample(prefix=(), cycle=(Step("go", {"a[1]": "0", "b[0]": "x", "b[1]": "y"}),))
        state = json.loads("".join(itf_chunks(run, "m")))["states"][0]
        assert state["a[1]"] == {"#bigint": "0"}
        assert state["b"] == ["x", "y"]


class TestPayload:
    def test_the_steps_lead_through_the_states_of_the_run(self, found):
        data = payload(Story.of(found))
        values, holding = list(data["first"]), list(data["holding"])
        for number, step in enumerate(data["steps"], 1):
            for variable, value in step["changes"]:
                values[variable] = value
            for proposition, value in step["holding"]:
                holding[proposition] = value
            assert dict(zip(data["variables"], values, strict=True)) == found.at(number).state
            assert dict(zip(data["propositions"], holding, strict=True)) == found.holding(number)
            assert step["automaton"] == found.automaton_at(number)
        assert data["cycle"] == len(found.prefix)
        assert data["processes"] == ["A", "B"]

    def test_a_deadlock_is_no_step(self):
        stays = Told(None, {})
        story = Story(first={"x": "0"}, prefix=(Told("go", {"x": "1"}), stays), cycle=(stays, stays))
        data = payload(story)
        assert (len(data["steps"]), data["cycle"], data["ending"]["kind"]) == (1, None, "deadlock")

    def test_what_is_put_into_a_buffer_is_taken_out_in_order(self):
        told = [
            Told(name, {}, (), (), Message("c", sender, receiver, (value,)))
            for name, sender, receiver, value in (
                ("a", "P", None, 1),
                ("b", "Q", None, 2),
                ("c", None, "R", 1),
                ("d", None, "S", 2),
                ("e", "P", None, 3),
                ("f", None, "R", 9),
                ("g", "P", "Q", 4),
            )
        ]
        steps = payload(Story(first={}, prefix=(), cycle=tuple(told)))["steps"]
        ends = [(m["sender"], m["receiver"], m["way"]) for m in (step["message"] for step in steps)]
        assert ends == [
            ("P", "R", "sent"),
            ("Q", "S", "sent"),
            ("P", "R", "received"),
            ("Q", "S", "received"),
            ("P", None, "sent"),
            (None, "R", "received"),
            ("P", "Q", "passed"),
        ]

    def test_what_a_story_of_others_forgot_is_unknown(self):
        story = Story(first={"x": "0"}, prefix=(), cycle=(Told("a", {"y": "1"}, propositions={"p": True}),))
        data = payload(story)
        assert (data["variables"], data["first"]) == (["x", "y"], ["0", "?"])
        assert (data["propositions"], data["holding"]) == (["p"], [None])


class TestPage:
    def test_it_is_one_inert_file(self):
        step = Told(EVIL, {EVIL: EVIL}, (EVIL,), (1,), Message(EVIL, EVIL, None, (1,)), {EVIL: True}, 0)
        story = Story(first={EVIL: "0"}, prefix=(), cycle=(step,), edges=((0, EVIL, EVIL, 0),))
        text = page(story, EVIL, EVIL, (EVIL, EVIL))
        assert "<img" not in text
        assert "alert(1)</script>" not in text
        assert text.count("<script") == 2
        assert data_of(text)["source"] == {"name": EVIL, "lines": [EVIL]}
        assert not re.search(r"(src|href)=[\"']?(?!data:)[^\"' ]*//", text)

    def test_the_source_is_that_of_the_model(self, found, tmp_path):
        text = "".join(trace_chunks(Path("t.html"), found, About(str(PETERSON), UNFAIR)))
        source = data_of(text)["source"]
        assert source["lines"] == Path(PETERSON).read_text().rstrip("\n").split("\n")
        assert source["name"] == "peterson.dve"
        gone = "".join(trace_chunks(Path("t.html"), found, About(str(tmp_path / "gone.dve"), UNFAIR)))
        assert data_of(gone)["source"] is None

    def test_a_run_that_is_too_long_is_refused(self, found, monkeypatch):
        monkeypatch.setattr(trace_files, "MOST_STEPS", 8)
        with pytest.raises(InputError, match="9 steps, and a page has room for 8"):
            trace_chunks(Path("t.html"), found, About("m", ""))


class TestCommand:
    @pytest.mark.parametrize("name", ["t.html", "t.itf.json", "t.json"])
    def test_the_name_tells_what_is_written(self, name, tmp_path):
        file = tmp_path / name
        ended = buchi("check", PETERSON, "--ltl", UNFAIR, "--trace", file)
        assert ended.code == 1
        text = file.read_text()
        if name == "t.html":
            assert text.startswith("<!DOCTYPE html>")
            assert UNFAIR.replace(">", "&gt;") in text
        else:
            assert ("vars" in json.loads(text)) == (name == "t.itf.json")

    def test_several_properties(self, tmp_path):
        (tmp_path / "p.yaml").write_text(f"properties:\n  served: {{ltl: {UNFAIR!r}}}\n")
        file = tmp_path / "t.html"
        ended = buchi("check", PETERSON, "--properties", tmp_path / "p.yaml", "--trace", file)
        assert ended.code == 1, ended.err
        assert "G (A.hungry" in file.read_text()

    def test_a_net_has_transitions_and_no_lines(self, tmp_path):
        net = tmp_path / "net.pnml"
        net.write_text(pnml({"a": 1, "b": 0}, {"t": ({"a": 1}, {"b": 1})}))
        file = tmp_path / "t.html"
        ended = buchi("check", net, "--ltl", "G a", "--trace", file)
        assert ended.code == 1, ended.err
        data = data_of(file.read_text())
        assert data["source"] is None
        assert data["commands"] == ["t"]
        assert data["processes"] == []
