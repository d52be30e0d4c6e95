"""Stubborn sets: every deadlock of the whole model is one of the reduced model, and there are no others."""

from __future__ import annotations

import pytest
from data import FOLDER, needs_data
from random_dve import random_dve
from runner import COUNTER, buchi

import buchi as api
from buchi import _engine
from buchi.common.errors import ModelRuntimeError
from buchi.models.bytecode import interpreted
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.independence import independence
from buchi.pipeline.reduction import DEADLOCKS, reduced

MODELS, SLOW_MODELS = 800, 20_000
MOST = 4000
"""States of a model that is looked at."""


def model_of(seed: object) -> Model:
    return DVE().load(random_dve(seed), "random.dve", overflow_is_error=False).model


def explored(engine: _engine.Model) -> dict[bytes, list[int]] | None:
    """Return the commands of each state; None where there are too many or one fails."""
    found: dict[bytes, list[int]] = {}
    pending = [engine.initial]
    while pending:
        state = pending.pop()
        if state in found:
            continue
        if len(found) == MOST:
            return None
        try:
            successors = engine.successors(state)
        except _engine.ModelError:
            return None
        found[state] = [command for command, _ in successors]
        pending += [target for _, target in successors]
    return found


def dead(states: dict[bytes, list[int]]) -> set[bytes]:
    return {state for state, commands in states.items() if not commands}


def check_models(seeds: range) -> None:
    looked_at = smaller = with_deadlocks = 0
    for seed in seeds:
        model = model_of(seed)
        engine = interpreted(model)
        whole, part = explored(engine), explored(reduced(model, engine, DEADLOCKS))
        if whole is None or part is None:
            continue
        assert dead(part) == dead(whole), seed
        assert all(set(part[state]) <= set(whole[state]) for state in part), seed
        assert all(part[state] for state in part if whole[state]), seed
        looked_at += 1
        smaller += len(part) < len(whole)
        with_deadlocks += bool(dead(whole))
    assert looked_at > 0.8 * len(seeds)
    assert smaller > 0.1 * looked_at
    assert 0.2 * looked_at < with_deadlocks < looked_at


def test_deadlocks_are_kept() -> None:
    check_models(range(MODELS))


def test_what_is_written_may_be_read_by_an_index_that_is_not_known() -> None:
    model = model_of(1179)
    engine = interpreted(model)
    whole, part = explored(engine), explored(reduced(model, engine, DEADLOCKS))
    assert whole is not None
    assert part is not None
    assert dead(part) == dead(whole)


@pytest.mark.slow
def test_deadlocks_are_kept_by_many_models() -> None:
    check_models(range(1000, 1000 + SLOW_MODELS))


def test_independence_is_true_of_all_steps() -> None:
    """By the evaluator: accord, and who can make a conjunct true."""
    for seed in range(60):
        model = model_of(f"accord {seed}")
        known, evaluator = independence(model), Evaluator(model)
        states = explored(interpreted(model)) or {}
        for packed in list(states)[:300]:
            check_state(known, evaluator, evaluator.unpack(packed))


def check_state(known, evaluator, state) -> None:
    steps = dict(evaluator.successors(state))
    false = [i for i, conjunct in enumerate(known.conjuncts) if not value(evaluator, conjunct, state)]
    for one, after in steps.items():
        for conjunct in false:
            if value(evaluator, known.conjuncts[conjunct], after):
                assert one in known.enablers[conjunct]
        following = dict(evaluator.successors(after))
        for other, instead in steps.items():
            if other != one and other not in known.conflicts[one]:
                assert other in following, "it was disabled"
                assert following[other] == dict(evaluator.successors(instead))[one], "the order matters"


def value(evaluator, conjunct, state) -> bool | None:
    try:
        return evaluator.evaluate(conjunct, state) != 0
    except ModelRuntimeError:
        return None


@needs_data
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("phils.5", 398),
        ("protocols.3", None),
        ("leader_election.2", None),
        ("iprotocol.2", None),
        ("production_cell.2", None),
        ("peterson.3", None),
    ],
)
def test_published_models_keep_their_deadlocks(name: str, most: int | None) -> None:
    model = FOLDER / "beem" / name.partition(".")[0] / f"{name}.dve"
    whole, part = api.explore(model), api.explore(model, reduce=True)
    assert part.deadlocks == whole.deadlocks
    assert part.states < whole.states
    assert most is None or part.states <= most


# The command


def test_explore_reduces_where_it_is_asked_to(tmp_path) -> None:
    model = tmp_path / "two.dve"
    process = "process {} {{ byte v; state a, b; init a; trans a -> b {{ effect v = 1; }}; }}\n"
    model.write_text(f"byte x;\n{process.format('P')}{process.format('Q')}system async;\n")
    assert buchi("explore", model, "--json").json["states"] == 4
    found = buchi("explore", model, "--reduce", "--json").json
    assert (found["states"], found["deadlocks"], found["reduced"]) == (3, 1, True)
    told = buchi("explore", model, "--reduce").out
    assert "3 states, 2 transitions, 1 deadlock" in told
    assert "by stubborn sets" in told
    assert buchi("explore", model, "--reduce", "--workers", "2", "--json").json["states"] == 3


def test_counts_of_the_contest_are_of_the_whole_net(tmp_path) -> None:
    model = tmp_path / "counter.dve"
    model.write_text(COUNTER)
    ended = buchi("explore", model, "--reduce", "--mcc")
    assert ended.code == 2
    assert "--reduce" in ended.err


def test_a_model_that_is_too_entangled_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("buchi.models.independence.MOST_PAIRS", 10)
    path = tmp_path / "random.dve"
    path.write_text(random_dve(1))
    with pytest.raises(api.InputError, match="pairs of commands"):
        api.explore(path, reduce=True)


def test_deadlock_freedom_is_decided_by_a_part_of_the_model(tmp_path) -> None:
    codes = set()
    for seed in range(12):
        path = tmp_path / f"{seed}.dve"
        path.write_text(random_dve(f"free {seed}"))
        whole = api.check(path, deadlock_free=True)
        part = api.check(path, deadlock_free=True, reduce="on")
        assert part.verdict is whole.verdict, seed
        assert part.states <= whole.states or part.counterexample, seed
        codes.add(part.verdict)
    assert len(codes) == 2


def test_a_model_with_a_deadlock_of_its_own(tmp_path) -> None:
    """A variable of that name is not what --deadlock-free asks for."""
    path = tmp_path / "model.dve"
    path.write_text("byte deadlock; process P { state a; init a; trans a -> a { }; } system async;")
    ended = buchi("check", path, "--deadlock-free")
    assert ended.code == 2
    assert "calls something else deadlock" in ended.err
