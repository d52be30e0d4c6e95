"""`buchi simulate`: runs that are made step by step, by options, by files of commands and by a person at a terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from runner import COUNTER, PETERSON, ROOT, buchi, start

import buchi as api
from buchi.models.evaluate import Evaluator
from buchi.pipeline.loading import load_model
from buchi.pipeline.simulation import Simulation

UNFAIR = "G (A.hungry -> F A.critical)"
FAULTY = """
byte x;
process P {
    state a, b, c, d;
    init a;
    assert d: x != 2;
    trans
        a -> b { effect x = 1; },
        b -> c { guard 4 / (x - 1) > 0; },
        a -> d { effect x = 2; };
}
system async;
"""


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty.dve"
    path.write_text(FAULTY)
    return path


def told(monkeypatch, commands: str, *arguments: object):
    """Run a simulation that is given a file of commands."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(commands))
    return buchi("simulate", *arguments)


class TestRandom:
    def test_the_same_seed_is_the_same_run(self):
        runs = [
            buchi("simulate", PETERSON, "--random", 30, "--seed", seed, "--json").json for seed in (7, 7, 8)
        ]
        assert runs[0] == runs[1] != runs[2]
        assert len(runs[0]["steps"]) == 31
        assert runs[0]["end"] == "steps"

    def test_a_seed_that_was_not_given_is_told(self):
        done = buchi("simulate", PETERSON, "--random", 30, "--json").json
        again = buchi("simulate", PETERSON, "--random", 30, "--seed", done["seed"], "--json").json
        assert done == again

    def test_it_is_a_run_of_the_model(self):
        """Each step leads to a successor by another command line: the state graph that `draw` makes is not needed."""
        evaluator = Evaluator(load_model(PETERSON).model)
        steps = buchi("simulate", PETERSON, "--random", 200, "--seed", 1, "--json").json["steps"]
        assert steps[0]["state"] == evaluator.show(evaluator.initial())
        known = {json.dumps(evaluator.show(evaluator.initial())): evaluator.initial()}
        for before, after in zip(steps, steps[1:], strict=False):
            state = known[json.dumps(before["state"])]
            successors = {
                (evaluator.model.commands[c].name, json.dumps(evaluator.show(s))): s
                for c, s in evaluator.successors(state)
            }
            shown = json.dumps(after["state"])
            assert (before["command"], shown) in successors
            known[shown] = successors[before["command"], shown]

    def test_every_step_is_taken_some_time(self):
        """Of two steps, both: a walk that always took the first would go round in circles."""
        ends = {
            buchi("simulate", PETERSON, "--random", 1, "--seed", seed, "--json").json["steps"][0]["command"]
            for seed in range(20)
        }
        assert ends == {"A: thinking -> hungry", "B: thinking -> hungry"}

    def test_a_breakpoint_ends_it(self):
        done = buchi(
            "simulate", PETERSON, "--random", 1000, "--seed", 1, "--break", "A.critical", "--json"
        ).json
        assert (done["end"], done["why"]) == ("breakpoint", "A.critical")
        assert [step["state"]["A"] for step in done["steps"]].index("critical") == len(done["steps"]) - 1

    def test_a_deadlock_ends_it(self, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(COUNTER.replace("255", "2"))
        done = buchi("simulate", model, "--random", 1000, "--seed", 1, "--json").json
        assert (done["end"], done["choices"], len(done["steps"])) == ("deadlock", [], 7)
        assert "no command is enabled" in buchi("simulate", model, "--random", 1000, "--seed", 1).out

    def test_what_fails_in_the_model_ends_it(self, faulty):
        done = [buchi("simulate", faulty, "--random", 9, "--seed", seed, "--json") for seed in range(9)]
        found = {(one.code, one.json["end"], one.json["why"]) for one in done}
        assert found == {
            (2, "error", "division by zero in P: b -> c"),
            (1, "assertion", "the assertion P.d (line 6) does not hold"),
        }

    def test_what_is_watched_is_told_where_it_changes(self):
        words = ("--watch", "A.critical", "--watch", "announced", "--watch", "enabled(B)", "--watch", "B")
        done = buchi("simulate", PETERSON, "--random", 8, "--seed", 3, *words)
        assert done.code == 0
        lines = done.out.splitlines()
        taken = next(i for i, text in enumerate(lines) if "A: waiting -> critical" in text)
        assert lines[taken + 1].strip() == "A.critical = true"
        assert "     announced = 0, 1" in lines
        assert done.out.endswith("8 steps with seed 3\n")

    def test_constants(self, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(COUNTER.replace("255", "N").replace("byte", "const byte N = 0; byte", 1))
        assert len(buchi("simulate", model, "-D", "N=2", "--random", 99, "--json").json["steps"]) == 7

    def test_nets_count_beyond_a_byte(self):
        net = ROOT / "examples" / "buffer.pnml"
        done = buchi("simulate", net, "--random", 300, "--seed", 1, "--json")
        assert done.code == 0
        assert done.json["end"] in ("steps", "deadlock")

    def test_a_long_run_is_shown_in_part_and_kept_whole(self):
        done = buchi("simulate", PETERSON, "--random", 5000, "--seed", 1)
        assert "… 4,940 steps not shown" in done.out
        assert len(buchi("simulate", PETERSON, "--random", 5000, "--seed", 1, "--json").json["steps"]) == 5001

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--watch", "A.critcal"], "the model has no A.critcal"),
            (["--break", "A"], "A is a process and has no truth value"),
            (["--break", "moved(A)"], "moved(A) speaks of a step, and a state has none yet"),
            (["--at", "3"], "--at 3 is a state of a trace"),
            (["--seed", "99999999999999999999"], "is not a seed"),
            (["--trace", "nowhere.json"], "there is no such file"),
        ],
    )
    def test_what_is_wrong_is_told(self, words, message):
        done = buchi("simulate", PETERSON, "--random", 1, *words)
        assert done.code == 2
        assert message in done.err
        assert buchi("simulate", PETERSON, "--random", 1, *words, "--json").json["error"]

    def test_from_python(self):
        run = api.simulate(PETERSON, 30, seed=7, watch=["A.critical"])
        shown = buchi(
            "simulate", PETERSON, "--random", 30, "--seed", 7, "--watch", "A.critical", "--json"
        ).json
        assert json.loads(run.model_dump_json()) == shown


class TestTraces:
    @pytest.fixture
    def trace(self, tmp_path) -> Path:
        path = tmp_path / "trace.json"
        assert buchi("check", PETERSON, "--ltl", UNFAIR, "--trace", path).code == 1
        return path

    def test_a_counterexample_is_followed_to_its_end(self, trace):
        done = buchi("simulate", PETERSON, "--trace", trace, "--at", 9, "--random", 0, "--json").json
        kept = json.loads(trace.read_text())
        states = [*kept["prefix"], *kept["cycle"], kept["cycle"][0]]
        assert [step["state"] for step in done["steps"]] == [step["state"] for step in states]
        assert [step["command"] for step in done["steps"][:-1]] == [step["command"] for step in states[:-1]]

    def test_a_run_that_was_simulated_is_replayed(self, tmp_path, monkeypatch):
        first = buchi("simulate", PETERSON, "--random", 20, "--seed", 4, "--json")
        kept = tmp_path / "run.json"
        kept.write_text(first.out)
        again = told(monkeypatch, "jump 20\n", PETERSON, "--trace", kept, "--json")
        assert again.json["steps"] == first.json["steps"]

    def test_the_whole_result_of_a_check_will_do(self, tmp_path):
        kept = tmp_path / "result.json"
        kept.write_text(buchi("check", PETERSON, "--ltl", UNFAIR, "--json").out)
        assert buchi("simulate", PETERSON, "--trace", kept, "--at", 4, "--random", 3).code == 0

    def test_a_run_that_ends_in_a_deadlock(self, tmp_path):
        model, trace = tmp_path / "m.dve", tmp_path / "t.json"
        model.write_text(COUNTER.replace("255", "1"))
        assert buchi("check", model, "--ltl", "G F (x == 0)", "--trace", trace).code == 1
        done = buchi("simulate", model, "--trace", trace, "--at", 3, "--random", 5, "--json")
        assert (done.json["end"], len(done.json["steps"])) == ("deadlock", 4)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda t: t["prefix"].pop(1), "state 1 of the trace does not follow from the one before"),
            (lambda t: t["prefix"].pop(0), "does not begin in the initial state"),
            (lambda t: t["prefix"][1]["state"].pop("A"), "state 1 of the trace has other variables"),
            (lambda t: t["prefix"][1]["state"].update(A="nowhere"), "which the model does not know"),
            (lambda t: t["prefix"][1]["state"].update(gave_way="9" * 5000), "which the model does not know"),
            (lambda t: t["prefix"][1]["state"].update(gave_way="77"), "state 1 of the trace does not follow"),
            (lambda t: t.update(prefix=[], cycle=[]), "does not begin in the initial state"),
            (lambda t: t.update(prefix=3), "this is no trace"),
            (lambda t: t.pop("cycle"), "this is no trace"),
            (lambda t: t.update(counterexample=[1]), "this is no trace"),
            (lambda t: t.update(steps=None), "this is no trace"),
        ],
    )
    def test_what_is_no_run_of_the_model_is_refused(self, trace, change, message):
        document = json.loads(trace.read_text())
        change(document)
        trace.write_text(json.dumps(document))
        done = buchi("simulate", PETERSON, "--trace", trace, "--random", 0)
        assert done.code == 2
        assert message in done.err

    @pytest.mark.parametrize(
        "text", ["[" * 100_000, "{}", "[]", "nothing", '{"steps": {"a": 1}}', '{"prefix": []']
    )
    def test_what_is_no_trace_is_refused(self, tmp_path, text):
        path = tmp_path / "t.json"
        path.write_text(text)
        done = buchi("simulate", PETERSON, "--trace", path, "--random", 0)
        assert (done.code, done.err.splitlines()[0][-16:]) == (2, "this is no trace")


class TestFilesOfCommands:
    def test_choose_undo_redo(self, monkeypatch):
        done = told(monkeypatch, "1\n2\nundo\nundo\n2\nundo\nredo\nrun\n", PETERSON)
        assert done.code == 0
        assert done.out.splitlines()[-2:] == ["  1  B: thinking -> hungry   line 30   B = hungry", "> "]

    def test_what_was_undone_is_there_until_another_step_is_taken(self, monkeypatch):
        assert told(monkeypatch, "1\n1\n1\nundo 3\nredo 3\n", PETERSON).code == 0
        done = told(monkeypatch, "1\n1\n1\nundo 3\n2\nredo\n", PETERSON)
        assert done.code == 2
        assert "there is no state 2\nthe run has the states 0 to 1" in done.err

    def test_enter_takes_the_only_step(self, tmp_path, monkeypatch):
        model = tmp_path / "m.dve"
        model.write_text("byte x; process P { state a, b; init a; trans a -> b { }; } system async;")
        done = told(monkeypatch, "\n\n", model, "--json")
        assert [step["state"]["P"] for step in done.json["steps"]] == ["a", "b"]
        assert done.json["choices"] == []

    def test_watch_and_break(self, monkeypatch):
        commands = "watch gave_way\nbreak gave_way == 2\nwalk 500\nunwatch gave_way\nunbreak\nwalk 3\n"
        done = told(monkeypatch, commands, PETERSON, "--seed", "1")
        assert done.code == 0
        assert "     gave_way == 2 holds\n     gave_way = 2\n" in done.out

    @pytest.mark.parametrize(
        ("commands", "message"),
        [
            ("3\n", "there is no step 3 here\nthere are 2 steps"),
            ("0\n", "there is no step 0 here"),
            ("99999999999\n", "is no number"),
            ("undo\n", "there is no state -1"),
            ("wlk\n", "there is no command wlk\ndid you mean walk"),
            ("jump\n", "is no number"),
            ("walk many\n", "'many' is no number"),
            ("watch A.nowhere\n", "the model has no A.nowhere"),
            ("unwatch x\n", "x is not among them"),
            ("²\n", "there is no command ²"),
        ],
    )
    def test_a_mistake_ends_it(self, monkeypatch, commands, message):
        done = told(monkeypatch, commands, PETERSON)
        assert done.code == 2
        assert message in done.err

    def test_where_the_model_fails_one_can_go_back(self, faulty, monkeypatch):
        done = told(monkeypatch, "1\nundo\n2\nundo\n", faulty)
        assert done.code == 0
        assert "the model fails here: division by zero in P: b -> c" in done.out
        assert "the model fails here: the assertion P.d (line 6) does not hold" in done.out

    def test_commands_of_others_are_text(self, monkeypatch):
        done = told(monkeypatch, "watch \x1b[31m\x07\n", PETERSON)
        assert done.code == 2
        assert "\x1b" not in done.out + done.err
        assert "\x07" not in done.out + done.err

    def test_beside_json_the_conversation_is_no_result(self, monkeypatch):
        done = told(monkeypatch, "1\n", PETERSON, "--json")
        assert done.json["choices"] == ["A: hungry -> polite", "B: thinking -> hungry"]
        assert "> 1" in done.err


def test_interrupted_without_anybody_to_ask(tmp_path):
    """What was walked is told."""
    import signal
    import time

    process = start("simulate", PETERSON, "--random", 10**8, "--seed", 1, "--json")
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    told = json.loads(out)
    assert "Traceback" not in err
    assert told.get("end", "interrupted") == "interrupted"


def test_a_walk_goes_through_the_model_as_the_engine_does():
    """All states that steps lead to, found by the simulation alone, are as many as the engine counts."""
    simulation = Simulation(Evaluator(load_model(PETERSON).model))
    seen, pending, steps = {simulation.state}, [simulation.state], 0
    while pending:
        for step in simulation._choices(pending.pop()).steps:
            steps += 1
            if step.state not in seen:
                seen.add(step.state)
                pending.append(step.state)
    counted = api.explore(PETERSON)
    assert (len(seen), steps) == (counted.states, counted.transitions)
