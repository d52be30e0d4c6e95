"""What is told of the steps of a run, held against the model by hand and against the evaluator."""

from __future__ import annotations

import pickle

import pytest

import buchi as api
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.propositions import parse_meaning
from buchi.models.telling import holding, told
from buchi.schemas.result import Counterexample
from buchi.schemas.told import Message, Notes, Told

TALK = """\
channel {byte} data[2];
channel {byte, int} ack[0];
channel bell;

process Sender {
  byte bit, last;
  state send, wait, over;
  init send;
  trans
    send -> wait { sync data!bit + 4; },
    wait -> send {
      sync ack?{last, last};
      effect bit = 1 - bit; },
         -> over { sync bell!; };
}

process Receiver {
  byte got;
  state ready, full, done;
  init ready;
  trans
    ready -> full { sync data?got; },
    full -> ready { sync ack!{got, 0 - got}; },
    ready -> done { sync bell?; };
}
system async;
"""


@pytest.fixture(scope="module")
def loaded():
    return DVE().load(TALK, "talk.dve")


@pytest.fixture(scope="module")
def found(loaded) -> Counterexample:
    result = api.check(loaded, "!(Receiver.got == 5 && F Sender.over) && G !Receiver.done")
    assert result.counterexample is not None
    return result.counterexample


def by_hand(loaded, *names: str) -> list[Told]:
    """Return what is told of the steps by the commands with these names, from the initial state."""
    evaluator = Evaluator(loaded.model)
    meanings = {"Receiver.full": parse_meaning("Receiver.full", loaded.model)}
    steps, state = [], evaluator.initial()
    for name in names:
        number, after = next(
            (n, s) for n, s in evaluator.successors(state) if loaded.model.commands[n].name == name
        )
        steps.append(told(evaluator, meanings, state, number, after))
        state = after
    return steps


def test_messages_have_values_and_processes(loaded):
    send, receive, answer = by_hand(
        loaded,
        "Sender: send -> wait (data!)",
        "Receiver: ready -> full (data?)",
        "Receiver: full -> ready, Sender: wait -> send (ack)",
    )
    assert send.message == Message("data", "Sender", None, (4,))
    assert receive.message == Message("data", None, "Receiver", (4,))
    assert answer.message == Message("ack", "Receiver", "Sender", (4, -4))
    words = [step.message.words() for step in (send, receive, answer) if step.message]
    assert words == ["data!4", "data?4", "ack!{4, -4}"]
    assert receive.propositions == {"Receiver.full": True}
    assert answer.propositions == {"Receiver.full": False}


def test_each_process_has_its_line(loaded):
    lines = {command.name: command.lines for command in loaded.model.commands}
    assert lines == {
        "Sender: send -> wait (data!)": (10,),
        "Sender: wait -> over, Receiver: ready -> done (bell)": (14, 24),
        "Receiver: ready -> full (data?)": (22,),
        "Receiver: full -> ready, Sender: wait -> send (ack)": (23, 11),
    }
    for command in loaded.model.commands:
        for process, line in zip(command.processes, command.lines, strict=True):
            target = command.name.split(f"{process}: ")[1].split(" -> ")[1].split(" ")[0].rstrip(",")
            assert f"-> {target}" in TALK.splitlines()[line - 1]


def test_a_counterexample_tells_the_same_as_the_evaluator(loaded, found):
    names = [found.told(i).command for i in range(found.length)]
    assert names[-1] == "Sender: wait -> over, Receiver: ready -> done (bell)"
    mine = [found.told(i) for i in range(found.length)]
    for one, other in zip(mine, by_hand(loaded, *map(str, names)), strict=True):
        assert (one.command, one.changes, one.processes, one.lines, one.message) == (
            other.command,
            other.changes,
            other.processes,
            other.lines,
            other.message,
        )


def test_the_propositions_are_those_of_the_states(loaded):
    ltl = "G (Sender.wait -> F Sender.send)"
    found = api.check(loaded, ltl).counterexample
    assert found is not None
    evaluator = Evaluator(loaded.model)
    names = ("Sender.wait", "Sender.send")
    meanings = {name: parse_meaning(name, loaded.model) for name in names}
    for i in range(found.length + 2):
        vector = (found.prefix if i < len(found.prefix) else found.cycle).vectors
        place = i if i < len(found.prefix) else (i - len(found.prefix)) % len(found.cycle)
        state = evaluator.layout.unpack(vector, place)
        assert found.holding(i) == holding(evaluator, meanings, state)
        changed = {n: v for n, v in found.holding(i + 1).items() if found.holding(i)[n] != v}
        assert found.told(i).propositions == changed


def test_the_automaton_takes_its_own_edges(loaded):
    found = api.check(loaded, "G (Sender.wait -> F Sender.send)").counterexample
    assert isinstance(found.cycle.notes, Notes)
    edges = {(source, destination) for source, _, _, destination in found.cycle.notes.edges}
    states = [found.automaton_at(i) for i in range(found.length + 1)]
    assert set(zip(states, states[1:], strict=False)) <= edges


def test_notes_survive_a_process(found):
    again = pickle.loads(pickle.dumps(found))
    assert [again.told(i) for i in range(found.length)] == [found.told(i) for i in range(found.length)]


def test_a_run_without_notes_tells_what_it_has(found):
    plain = Counterexample.model_validate_json(found.model_dump_json())
    assert plain == found
    assert plain.told(0) == Told("Sender: send -> wait (data!)", found.told(0).changes)


def test_a_value_that_nobody_takes_may_be_a_fault():
    text = """
    byte a[1]; byte i = 3;
    channel {byte} c[0];
    process P { state x, y; init x; trans x -> y { sync c!a[i]; }; }
    process Q { state x, y; init x; trans x -> y { sync c?; }; }
    system async;
    """
    found = api.check(DVE().load(text, "drop.dve"), "G P.x").counterexample
    assert found is not None
    assert found.told(0).message == Message("c", "P", "Q", ())
