"""A counterexample is believed only when the model and Spot both agree with it."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from buchi.common.errors import InternalError
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.propositions import parse_proposition
from buchi.pipeline.judge import Word, judge_formula, judge_hoa
from buchi.pipeline.replay import Replayer, Trace, Vectors
from buchi.translators.ltl import parse_ltl

STEPS = """
int x;
process P {
    state go, stop;
    init go;
    trans
        go -> go { guard x < 30000; effect x = x + 1; },
        go -> go { guard x > 2; effect x = x - 3; },
        go -> stop { guard x == 7; };
}
system async;
"""


class Case:
    """A model, and runs of it given by the values of x."""

    def __init__(self, formula: str) -> None:
        self.model = DVE().load(STEPS, "steps.dve").model
        self.evaluator = Evaluator(self.model)
        negated = parse_ltl(formula).negated()
        self.meanings = {name: parse_proposition(name, self.model) for name in negated.propositions}
        self.judge = judge_formula(negated)

    def state(self, x: int, location: str = "go") -> bytes:
        values = {"x": x, "P": ["go", "stop"].index(location)}
        return self.evaluator.pack(tuple(values[variable.name] for variable in self.model.variables))

    def run(self, prefix: list[int], cycle: list[int]) -> Trace:
        return Trace.of(prefix, cycle, self.state)

    def replay(self, run: Trace, *, stutter: bool = True):
        replayer = Replayer(self.evaluator, self.meanings, self.judge, stutter=stutter)
        return replayer.counterexample(run)


def test_each_word_is_judged_by_itself(case):
    """What was said of one word is said again of the same, and of no other."""
    asked = []

    def judge(word):
        asked.append((list(word.prefix), list(word.cycle)))
        return len(asked) == 1

    replayer = Replayer(case.evaluator, case.meanings, judge, stutter=True)
    runs = [case.run([0, 1], [2, 3, 4, 1]), case.run([0, 1, 2], [3, 4, 1, 2]), case.run([], [0, 1, 2, 3])]
    for _ in range(2):
        assert replayer.counterexample(runs[0]).length == 6
        for run in runs[1:]:
            with pytest.raises(InternalError, match="does not violate"):
                replayer.counterexample(run)
    assert asked == [([1, 0], [0, 0, 0, 0]), ([1, 0, 0], [0, 0, 0, 0]), ([], [1, 0, 0, 0])]


@pytest.fixture
def case():
    return Case("G F x == 0")


def test_a_good_run_is_described(case):
    found = case.replay(case.run([0, 1], [2, 3, 4, 1]))
    assert [step.state["x"] for step in found.prefix] == ["0", "1"]
    assert [step.state["x"] for step in found.cycle] == ["2", "3", "4", "1"]
    assert [step.command for step in found.cycle] == ["P: go -> go"] * 4


def test_the_prefix_may_be_empty():
    case = Case("F x == 7")
    assert case.replay(case.run([], [0, 1, 2, 3])).prefix == ()


@pytest.mark.parametrize(
    ("prefix", "cycle", "complaint"),
    [
        ([1], [2, 3, 4, 1], "does not begin in the initial state"),
        ([], [1, 2, 3, 4], "does not begin in the initial state"),
        ([0, 2], [3, 4, 1, 2], "step 0 of the counterexample found is not a step"),
        ([0, 1], [2, 3, 4, 5, 6], "step 6 of the counterexample found is not a step"),
        ([0, 1], [2, 3, 4], "step 4 of the counterexample found is not a step"),
        ([0], [1, 2, 3, 0], "does not violate the property"),
        ([0, 1], [1], "step 1 of the counterexample found is not a step"),
        ([0, 1], [], "does not violate the property"),
        ([0, 2], [], "step 0 of the counterexample found is not a step"),
        ([1], [], "does not begin in the initial state"),
        ([], [], "has no state"),
    ],
    ids=[
        "wrong start",
        "wrong start of the cycle",
        "wrong step",
        "wrong last state",
        "cycle does not close",
        "word not accepted",
        "stuttering with successors",
        "a finite word that can go on well",
        "wrong step of a finite run",
        "wrong start of a finite run",
        "no state",
    ],
)
def test_a_corrupted_run_is_refused(case, prefix, cycle, complaint):
    with pytest.raises(InternalError, match=complaint):
        case.replay(case.run(prefix, cycle))


def test_the_meaning_of_a_proposition_counts(case):
    case.meanings = {name: parse_proposition("x == 2", case.model) for name in case.meanings}
    with pytest.raises(InternalError, match="does not violate the property"):
        case.replay(case.run([0, 1], [2, 3, 4, 1]))


class TestStuttering:
    def test_a_deadlock_repeats(self, case):
        found = case.replay(self.deadlock(case))
        assert [step.command for step in found.cycle] == [None]
        assert found.cycle[0].state["P"] == "stop"

    def test_but_not_when_such_runs_do_not_count(self, case):
        with pytest.raises(InternalError, match="step 8 of the counterexample found is not a step"):
            case.replay(self.deadlock(case), stutter=False)

    @staticmethod
    def deadlock(case):
        return replace(case.run(list(range(8)), []), cycle=Vectors.of([7], lambda x: case.state(x, "stop")))


def test_a_long_run_is_replayed_in_seconds(case):
    """The prefix goes up and down until it has 120 000 steps."""
    lap = [*range(30001), *range(29997, 0, -3)]
    run = case.run([*lap, *lap, *lap], lap)
    started = time.monotonic()
    with pytest.raises(InternalError, match="does not violate the property"):
        case.replay(run)
    case.judge = Case("G x < 29999").judge
    case.meanings = Case("G x < 29999").meanings
    assert len(case.replay(run).prefix) > 100_000
    assert time.monotonic() - started < 20


class TestJudges:
    HOA = 'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "b  == 1" "a"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n{}\n--END--\n'

    @pytest.mark.parametrize(("cycle", "expected"), [([0b01], True), ([0b11, 0b01], True), ([0b10], False)])
    def test_propositions_meet_by_name(self, cycle, expected):
        hoa = self.HOA.format("[1&!0] 0 {0}\n[0] 0")
        assert judge_hoa(hoa)(Word(("a", "b==1"), [], cycle)) is expected

    @pytest.mark.parametrize(("prefix", "expected"), [([0], True), ([1], False)])
    def test_the_prefix_is_read_first(self, prefix, expected):
        assert judge_formula(parse_ltl("!a & X G a"))(Word(("a",), prefix, [1, 1])) is expected
