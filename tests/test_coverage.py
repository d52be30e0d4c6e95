"""What of a model never occurs: by one worker and by several, as the evaluator in Python finds it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nets import pnml
from products import random_kripke
from random_models import random_model
from runner import COUNTER, PETERSON, buchi

import buchi as api
from buchi.common.ends import Limits, Reason
from buchi.common.errors import ModelRuntimeError
from buchi.models.backends import Backend
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.models.guarded import Assign, Expr, Model, children
from buchi.models.kripke import Kripke
from buchi.pipeline.explore import explore
from buchi.pipeline.options import ExploreOptions
from buchi.schemas.coverage import Coverage

FORGOTTEN = """
byte load, most = 3, lost;
process Client {
    state idle, waiting, gone;
    init idle;
    trans
        idle -> waiting { guard load < 1; effect load = load + 1; },
        waiting -> idle { effect load = load - 1; },
        waiting -> gone { guard load > most; effect lost = 1; },
        waiting -> gone { guard load > most + 1; };
}
system async;
"""
MOST = 400
"""States of a random model that the evaluator visits."""


def coverage_of(model: Model, workers: int = 1, **limits: int) -> Coverage:
    options = ExploreOptions(
        backend=Backend.INTERPRETED, workers=workers, coverage=True, limits=Limits(**limits)
    )
    found = explore(Loaded(model), options).coverage
    assert found is not None
    return found


def visited(model: Model) -> tuple[set[tuple[int, ...]], set[int]] | None:
    """Return the reachable states and the commands that are enabled in one; None where there are too many."""
    evaluator = Evaluator(model)
    states, commands = {evaluator.initial()}, set[int]()
    pending = list(states)
    while pending:
        for command, successor in evaluator.successors(pending.pop()):
            commands.add(command)
            if successor not in states:
                states.add(successor)
                pending.append(successor)
        if len(states) > MOST:
            return None
    return states, commands


def all_reads(model: Model) -> set[int]:
    """Return the variables that any expression of a model reads, which are looked for node by node."""
    expressions: list[Expr] = [*model.shared]
    tests: list[tuple[int, int]] = []
    for command in model.commands:
        assigns: Iterable[Assign] = (*command.transfer, *command.effects)
        expressions += [expr for a in assigns for expr in (a.value, a.index) if expr is not None]
        expressions += [] if command.guard is None else [command.guard]
        tests += [*command.at, *command.least]
    for assertion in model.assertions:
        expressions.append(assertion.condition)
        tests += assertion.at
    found = {variable for variable, _ in tests}
    while expressions:
        expr = expressions.pop()
        if hasattr(expr, "variable"):
            found.add(expr.variable)
        expressions += children(expr)
    return found


@pytest.mark.parametrize("workers", [1, 3])
def test_random_models(workers: int) -> None:
    compared = 0
    for seed in range(400):
        model = random_model(f"coverage {seed}")
        try:
            found = visited(model)
        except ModelRuntimeError:
            continue
        if found is None:
            continue
        states, commands = found
        coverage, compared = coverage_of(model, workers), compared + 1
        evaluator = Evaluator(model)
        shown = [evaluator.show(state) for state in states]
        processes = [variable for variable in model.variables if variable.values]
        assert coverage.locations == tuple(
            f"{v.name}.{value}"
            for v in processes
            for value in v.values
            if all(s[v.name] != value for s in shown)
        )
        assert [one.number - 1 for one in coverage.commands] == [
            number for number in range(len(model.commands)) if number not in commands
        ]
        assert all(one.of == len(model.commands) for one in coverage.commands)
        reads = all_reads(model)
        assert coverage.unread == tuple(v.name for i, v in enumerate(model.variables) if i not in reads)
        written = {
            a.variable for c in commands for a in (*model.commands[c].transfer, *model.commands[c].effects)
        }
        assert coverage.unwritten == tuple(
            v.name for i, v in enumerate(model.variables) if i not in written and not v.values
        )
        assert (coverage.states, coverage.reason) == (len(states), None)
    assert compared > 100


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 20), st.sampled_from([1, 2]))
def test_structures(seed: int, size: int, workers: int) -> None:
    drawn = random_kripke(random.Random(seed), size, 0.12)
    names = tuple(f"s{i}" for i in range(size))
    reached, pending = {0}, [0]
    while pending:
        new = set(drawn.edges[pending.pop()]) - reached
        reached |= new
        pending += new
    coverage = coverage_of(
        Kripke(drawn.propositions, drawn.edges, drawn.labels, names=names).model(), workers
    )
    assert coverage.locations == tuple(f"state.s{i}" for i in range(size) if i not in reached)
    assert {c.name for c in coverage.commands} == {
        f"edge {k}"
        for k in range(max(map(len, drawn.edges)))
        if all(len(drawn.edges[state]) <= k for state in reached)
    }


@pytest.mark.parametrize("units", [(), [["a", "b"], ["c", "d"]]])
def test_places_and_transitions_of_a_net(tmp_path: Path, units: list[list[str]]) -> None:
    """Places are told by name whether they are counts or share a variable; an empty unit is no place."""
    marking = {"a": 1, "b": 0, "c": 0, "d": 0, "many": 2, "none": 0}
    transitions = {
        "go": ({"a": 1}, {"b": 1}),
        "back": ({"b": 1}, {"a": 1}),
        "never": ({"c": 1}, {"d": 1}),
        "use": ({"many": 1, "none": 1}, {}),
    }
    net = tmp_path / "net.pnml"
    net.write_text(pnml(marking, transitions, units))
    result = api.explore(net, coverage=True)
    assert result.coverage is not None
    assert {*result.coverage.locations} == {"c", "d", "none"}
    assert {command.name for command in result.coverage.commands} == {"never", "use"}
    assert result.coverage.unread == result.coverage.unwritten == ()


def test_a_count_that_gets_wider(tmp_path: Path) -> None:
    """The exploration begins again with a wider variable; what is told is that of the last one."""
    net = tmp_path / "net.pnml"
    marking = {"left": 300, "right": 0, "none": 0}
    net.write_text(pnml(marking, {"t": ({"left": 1}, {"right": 1}), "u": ({"none": 2}, {"left": 1})}))
    found = buchi("explore", net, "--coverage", "--json").json
    assert (found["states"], found["coverage"]["locations"]) == (301, ["none"])
    assert found["coverage"]["commands"] == [{"name": "u", "processes": [], "number": 1, "of": 1}]


class TestCommandLine:
    @pytest.fixture
    def model(self, tmp_path: Path) -> Path:
        path = tmp_path / "forgotten.dve"
        path.write_text(FORGOTTEN)
        return path

    def test_explore(self, model: Path) -> None:
        ended = buchi("explore", model, "--coverage")
        assert ended.code == 0
        assert ended.out.split("\n\n")[1].splitlines() == [
            "coverage of all 2 states",
            "  1 location never reached:",
            "    Client.gone",
            "  2 commands never enabled:",
            "    Client: waiting -> gone (1 of 2)",
            "    Client: waiting -> gone (2 of 2)",
            "  1 variable never read:",
            "    lost",
            "  2 variables never written:",
            "    most",
            "    lost",
        ]

    def test_json(self, model: Path) -> None:
        found = buchi("explore", model, "--coverage", "--json", "--workers", 2).json["coverage"]
        assert found == {
            "states": 2,
            "reason": None,
            "locations": ["Client.gone"],
            "commands": [
                {"name": "Client: waiting -> gone", "processes": ["Client"], "number": number, "of": 2}
                for number in (1, 2)
            ],
            "unread": ["lost"],
            "unwritten": ["most", "lost"],
        }
        assert "coverage" not in buchi("explore", model, "--json").json

    def test_check(self, model: Path) -> None:
        """What the property reads is read."""
        found = buchi("check", model, "--ltl", "G !lost", "--coverage", "--json").json
        assert (found["verdict"], found["coverage"]["unread"]) == ("holds", [])
        assert found["coverage"]["locations"] == ["Client.gone"]
        assert buchi("check", model, "--ltl", "G !lost", "--json").json["coverage"] is None
        assert "coverage of all 2 states" in buchi("check", model, "--ltl", "G !lost", "--coverage").out

    def test_propositions_about_steps_read_nothing(self, model: Path) -> None:
        result = api.check(model, "G F moved(Client)", fair="weak", coverage=True)
        assert result.coverage is not None
        assert (result.verdict, result.coverage.unread) == (api.Verdict.HOLDS, ("lost",))

    def test_check_of_what_is_violated(self, model: Path) -> None:
        ended = buchi("check", model, "--ltl", "F lost", "--coverage")
        assert ended.code == 1
        assert ended.out.index("counterexample") < ended.out.index("coverage of all 2 states")

    def test_processes_of_their_own(self, model: Path) -> None:
        result = api.check(model, "G !lost", isolate=True, coverage=True)
        assert result.coverage is not None
        assert result.coverage.locations == ("Client.gone",)

    def test_full(self) -> None:
        assert "every location was reached" in buchi("explore", PETERSON, "--coverage").out

    def test_many_names_are_for_programs(self, tmp_path: Path) -> None:
        states = ", ".join(f"s{i}" for i in range(30))
        model = tmp_path / "many.dve"
        model.write_text(
            f"byte x; process P {{ state {states}; init s0; trans s0 -> s0 {{ guard x == 0; effect x = 0; }}; }}"
            " system async;"
        )
        assert "    … and 9 more: --json has them all" in buchi("explore", model, "--coverage").out
        assert len(buchi("explore", model, "--coverage", "--json").json["coverage"]["locations"]) == 29

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_limit_leaves_the_part_seen(self, tmp_path: Path, workers: int) -> None:
        model = tmp_path / "counter.dve"
        model.write_text(COUNTER)
        ended = buchi("explore", model, "--coverage", "--max-states", 1000, "--workers", workers)
        assert ended.code == 3
        assert "coverage of the part seen, " in ended.out
        assert ": the limit on states was reached" in ended.out

    def test_a_check_that_reached_a_limit(self, tmp_path: Path) -> None:
        model = tmp_path / "counter.dve"
        model.write_text(COUNTER)
        result = api.check(model, "G (x + y + z < 800)", coverage=True, max_states=1000)
        assert result.verdict is api.Verdict.UNKNOWN
        assert result.coverage is not None
        assert result.coverage.reason is Reason.STATES
        assert 0 < result.coverage.states < 2000

    def test_no_time_is_left(self, tmp_path: Path) -> None:
        model = tmp_path / "counter.dve"
        model.write_text(COUNTER)
        ended = buchi("check", model, "--ltl", "G (x + y + z < 800)", "--coverage", "--timeout", 0.5)
        assert ended.code == 3
        assert "there is no coverage: time" in ended.err or "coverage of the part seen" in ended.out

    def test_a_model_that_fails_where_the_search_never_came(self, tmp_path: Path) -> None:
        """The verdict stands; the error is told."""
        model = tmp_path / "faults.dve"
        model.write_text(
            "byte x; process P { state a, b; init a; trans a -> b { effect x = 1; },"
            " b -> a { effect x = 1 / (x - 1); }; } system async;"
        )
        ended = buchi("check", model, "--ltl", "x == 1 -> X x == 2", "--coverage")
        assert ended.code == 0
        assert "there is no coverage: division by zero in P: b -> a" in ended.err

    def test_not_with_the_contest(self, model: Path) -> None:
        assert "exclude each other" in buchi("explore", model, "--mcc", "--coverage").err
        ended = buchi("check", model, "--mcc", "formulas.xml", "--coverage")
        assert (ended.code, "no coverage" in ended.err) == (2, True)
