"""Searches of a part of a model by stubborn sets come to the verdict of the whole model, whatever the route."""

from __future__ import annotations

import csv
import io

import pytest
import yaml
from random_processes import random_processes
from reduced_pairs import batch
from runner import buchi

import buchi as api
from buchi.models.command_facts import Facts
from buchi.models.cycles import breaking
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.propositions import parse_proposition
from buchi.models.visibility import visible

LOCAL = "process {0} {{ byte v; state a, b, c; init a; trans a -> b {{ effect v = 1; }}, b -> c {{}}, c -> a {{}}; }}\n"
RING = "byte x;\n" + "".join(LOCAL.format(name) for name in "PQRS") + "system async;\n"
"""Four processes that do not know of each other."""


def check_pairs(seed: int, formulas: int, models: int) -> int:
    pairs = smaller = violated = 0
    for pair in batch(seed, formulas, models):
        smaller += pair.check() > 0
        violated += pair.expected
        pairs += 1
    assert 0.2 * pairs < smaller
    assert 0.2 * pairs < violated < 0.9 * pairs
    return pairs


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_are_those_of_the_whole_model(seed: int) -> None:
    assert check_pairs(seed, 8, 50) >= 250


def test_verdicts_of_teams_are_those_of_the_whole_model() -> None:
    assert sum(pair.check_teams() for pair in batch(20, 8, 16)) > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_verdicts_of_many_are_those_of_the_whole_model(seed: int) -> None:
    assert check_pairs(seed, 12, 130) >= 1000


# What the proof needs, looked at on all states


def model_of(seed: object) -> Model:
    return DVE().load(random_processes(seed), "random.dve", overflow_is_error=False).model


def steps(model: Model, most: int = 600):
    """Yield steps of a model, all of them where it is small."""
    evaluator = Evaluator(model)
    seen, pending = set(), [evaluator.initial()]
    while pending and len(seen) < most:
        state = pending.pop()
        packed = evaluator.pack(state)
        if packed in seen:
            continue
        seen.add(packed)
        for command, target in evaluator.successors(state):
            yield packed, state, command, evaluator.pack(target), target
            pending.append(target)


def test_what_is_not_visible_changes_no_proposition() -> None:
    hidden = 0
    for seed in range(60):
        model = model_of(f"visible {seed}")
        evaluator = Evaluator(model)
        observed = [parse_proposition(atom, model) for atom in ("P0.b", "x == 1", "t[0] == 1", "P1.v > 0")]
        seen = visible(model, [Facts(model, command, ()) for command in model.commands], observed)
        for _, state, command, _, target in steps(model):
            if command not in seen:
                hidden += 1
                assert all(
                    bool(evaluator.evaluate(expr, state)) == bool(evaluator.evaluate(expr, target))
                    for expr in observed
                )
    assert hidden > 1000


def test_every_cycle_has_a_command_that_breaks_it() -> None:
    kept = 0
    for seed in range(120):
        model = model_of(f"cycles {seed}")
        facts = [Facts(model, command, ()) for command in model.commands]
        cut = breaking(facts, {0}, [1] * len(facts)) | {0}
        left = [(source, target) for source, _, command, target, _ in steps(model) if command not in cut]
        kept += len(left)
        assert not has_cycle(left), seed
    assert kept > 1000


def has_cycle(edges: list[tuple[bytes, bytes]]) -> bool:
    """Take away states that nothing leads to, until none is left or all lie behind a cycle."""
    incoming: dict[bytes, int] = {}
    targets: dict[bytes, list[bytes]] = {}
    for source, target in edges:
        incoming.setdefault(source, 0)
        incoming[target] = incoming.get(target, 0) + 1
        targets.setdefault(source, []).append(target)
    free = [state for state, count in incoming.items() if count == 0]
    left = len(incoming)
    while free:
        left -= 1
        for target in targets.get(free.pop(), ()):
            incoming[target] -= 1
            if incoming[target] == 0:
                free.append(target)
    return left > 0


# The command and the functions


@pytest.fixture
def ring(tmp_path):
    path = tmp_path / "ring.dve"
    path.write_text(RING)
    return path


def test_a_part_is_enough(ring) -> None:
    whole, part = (api.check(ring, "G F P.a", reduce=how) for how in ("off", "on"))
    assert whole.verdict is part.verdict is api.Verdict.VIOLATED
    whole, part = (api.check(ring, "G (P.b -> P.v == 1)", reduce=how) for how in ("off", "on"))
    assert whole.verdict is part.verdict is api.Verdict.HOLDS
    assert (whole.reduced, part.reduced) == (False, True)
    assert whole.left_out == whole.reduced_posts == 0
    assert part.left_out >= part.reduced_posts > 0
    assert part.states * 4 < whole.states


def test_it_is_told_that_the_search_was_reduced(ring) -> None:
    told = buchi("check", ring, "--ltl", "G (P.b -> P.v == 1)", "--reduce", "on")
    assert "reduced by stubborn sets" in told.out
    found = buchi("check", ring, "--ltl", "G (P.b -> P.v == 1)", "--reduce", "on", "--json").json
    assert found["reduced"]
    assert found["left_out"] > 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--ltl", "X P.b"], "not stutter-invariant"),
        (["--ltl", "G F enabled(P)"], "speaks of steps"),
        (["--ltl", "G F P.a", "--fair", "weak"], "--fair"),
        (["--ltl", "G F P.a", "--shortest"], "shortest"),
        (["--ltl", "G F P.a", "--coverage"], "leaves some out"),
        (["--deadlock-free", "--fair", "weak"], "--fair"),
    ],
)
def test_what_needs_all_states_is_refused(ring, options: list[str], told: str) -> None:
    ended = buchi("check", ring, *options, "--reduce", "on")
    assert ended.code == 2
    assert told in ended.err


def test_next_may_be_used_where_it_does_not_matter(ring) -> None:
    codes = [
        buchi("check", ring, "--ltl", "F (P.c && X !P.c) || G !P.c", "--reduce", how).code
        for how in ("on", "off")
    ]
    assert codes == [1, 1]


def test_deadlocks_are_seen_by_formulas(tmp_path) -> None:
    found = set()
    for seed in range(40):
        model = tmp_path / f"{seed}.dve"
        model.write_text(random_processes(f"ends {seed}"))
        for formula in ("G !deadlock", "G (deadlock -> x == 1)", "F deadlock"):
            whole, part = (api.check(model, formula, reduce=how, max_states=20_000) for how in ("off", "on"))
            if api.Verdict.UNKNOWN not in (whole.verdict, part.verdict):
                assert whole.verdict is part.verdict, (seed, formula)
                found.add((formula, part.verdict))
    assert len(found) == 6


def test_assertions_are_kept(tmp_path) -> None:
    """Only one order of steps that do not depend on each other comes to a state where this one fails."""
    path = tmp_path / "asserts.dve"
    path.write_text(
        "byte x, y;\n"
        "process P { state a, b, c; init a; trans a -> b { effect x = 1; }, b -> c { effect x = 0; }; }\n"
        "process Q { state a, b; init a; assert b: x == 0; trans a -> b { }; }\n"
        "system async;\n"
    )
    for asked in ({"ltl": "G y == 0"}, {"end": "true"}):
        for how in ("off", "on"):
            found = api.check(path, **asked, reduce=how)
            assert found.verdict is api.Verdict.VIOLATED
            assert found.counterexample.violation.assertion is not None


def test_what_is_visible_keeps_its_order(tmp_path) -> None:
    """A step that is not seen is in conflict with one that is: their set needs all that are seen."""
    path = tmp_path / "order.dve"
    path.write_text(
        "byte x;\n"
        "process P { byte v; state a, b, c; init a; trans a -> b { effect v = 1; }, a -> c { }; }\n"
        "process Q { state a, b; init a; trans a -> b { }; }\n"
        "system async;\n"
    )
    for how in ("off", "on"):
        found = api.check(path, "G !(Q.b && !P.c && F P.c)", reduce=how)
        assert found.verdict is api.Verdict.VIOLATED


def test_an_automaton_must_ignore_repetitions(ring, tmp_path) -> None:
    files = {name: tmp_path / f"{name}.hoa" for name in ("fine", "sees")}
    head = 'HOA: v1\nStates: 2\nStart: 0\nAP: 1 "P.b"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n'
    files["fine"].write_text(f"{head}[t] 0\n[!0] 1\nState: 1 {{0}}\n[!0] 1\n--END--\n")
    files["sees"].write_text(f"{head}[!0] 1\nState: 1 {{0}}\n[0] 1\n--END--\n")
    whole, part = (api.check(ring, automaton=files["fine"], reduce=how) for how in ("off", "on"))
    assert whole.verdict is part.verdict is api.Verdict.VIOLATED
    with pytest.raises(api.InputError, match="not stutter-invariant"):
        api.check(ring, automaton=files["sees"], reduce="on")


def test_who_names_a_checker_gets_all_states(ring, monkeypatch) -> None:
    monkeypatch.setattr("buchi.pipeline.gain.ASKED_AT", 0)
    monkeypatch.setattr("buchi.pipeline.gain.ENOUGH", 1e9)
    assert not api.check(ring, "G (P.b -> P.v == 1)", checker="ascc").reduced


class TestAuto:
    @pytest.fixture(autouse=True)
    def _asks_soon(self, monkeypatch) -> None:
        monkeypatch.setattr("buchi.pipeline.gain.ASKED_AT", 1000)

    @pytest.fixture
    def many(self, tmp_path):
        path = tmp_path / "many.dve"
        names = [f"P{i}" for i in range(8)]
        path.write_text("byte x;\n" + "".join(map(LOCAL.format, names)) + "system async;\n")
        return path

    @pytest.mark.parametrize("workers", [1, 2])
    def test_it_reduces_where_that_pays(self, many, workers: int, monkeypatch) -> None:
        monkeypatch.setattr("buchi.pipeline.gain.ENOUGH", 1e9)  # however busy the machine is
        part = api.check(many, "G (P0.b -> P0.v == 1)", reduce="auto", via="tgba", workers=workers)
        whole = api.check(many, "G (P0.b -> P0.v == 1)", reduce="off", workers=workers)
        assert part.reduced
        assert not whole.reduced
        assert part.verdict is whole.verdict is api.Verdict.HOLDS
        assert part.states * 100 < whole.states

    def test_it_goes_on_where_that_does_not_pay(self, many, monkeypatch) -> None:
        monkeypatch.setattr("buchi.pipeline.gain.ENOUGH", 0.0)
        found = api.check(many, "G (P0.b -> P0.v == 1)")
        assert not found.reduced
        assert "would save too little" in found.not_reduced
        assert found.states > 6000

    def test_it_says_why_it_cannot(self, many) -> None:
        found = api.check(many, "G (P0.b -> X !P0.a)", reduce="auto")
        assert found.verdict is api.Verdict.HOLDS
        assert not found.reduced
        assert "not stutter-invariant" in found.not_reduced


def test_compare_has_each_route_twice(ring) -> None:
    found = api.compare(ring, "G (P.b -> P.v == 1)", reduce="on")
    taken = found.taken()
    assert sum(row.reduced for row in taken) * 2 == len(taken) > 60
    for row in taken:
        twin = next(r for r in taken if (r.kind, r.route, r.checker) == (row.kind, row.route, row.checker))
        assert not twin.reduced
        assert row.states * 4 < twin.states or not row.reduced
    assert "ascc reduced" in buchi("compare", ring, "--ltl", "F P.a", "--reduce", "on").out
    assert not any(row.reduced for row in api.compare(ring, "X P.b", reduce="auto").taken())
    assert buchi("compare", ring, "--ltl", "X P.b", "--reduce", "on").code == 2


def test_experiments_have_routes_with_and_without(ring, tmp_path) -> None:
    experiment = {
        "models": [{"file": "ring.dve"}],
        "formulas": ["G (P.b -> P.v == 1)"],
        "routes": [{"kind": "tgba", "checker": "ascc", "reduce": "both"}],
    }
    (tmp_path / "reduced.yaml").write_text(yaml.safe_dump(experiment))
    assert buchi("run", tmp_path / "reduced.yaml", "--results", tmp_path / "r.sqlite").code == 0
    rows = csv.DictReader(io.StringIO(buchi("export", tmp_path / "r.sqlite", "--csv", "-").out))
    states = {row["route"]: (int(row["states"]), int(row["left_out"])) for row in rows}
    assert set(states) == {"tgba/ascc", "tgba/ascc/reduced"}
    assert states["tgba/ascc"][1] == 0 < states["tgba/ascc/reduced"][1]
    assert states["tgba/ascc/reduced"][0] * 4 < states["tgba/ascc"][0]
