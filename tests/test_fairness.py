"""Fair runs: every route gives the verdict that Spot gives on all steps of the model, and what it finds is fair."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import spot
from experiment_files import records
from fair_models import Steps, random_processes
from runner import buchi

import buchi as api
from buchi.checkers.declaration import AnyChecker
from buchi.common.ends import Verdict
from buchi.common.errors import InputError, InternalError
from buchi.models.backends import Backend
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.models.guarded import Assign, Command, Const, Model, Type, Variable
from buchi.pipeline import registry, search
from buchi.pipeline.fairness import conditions
from buchi.pipeline.options import CheckOptions, Deadlock, Fair, FairBy, FairTo
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import forbidden_by
from buchi.pipeline.replay import Replayer, Trace, Vectors
from buchi.pipeline.routes import convert
from buchi.pipeline.task import Executable, Task
from buchi.schemas.kinds import Kind

FORMULAS, MODELS = 40, 25
SLOW_FORMULAS, SLOW_MODELS = 200, 100
KINDS = (Kind.TGBA, Kind.TLBA, Kind.TGRA, Kind.TFLA, Kind.SLBA, Kind.TA)
OF_STATES = ("p", "q")
OF_STEPS = ("p", "enabled(P)", "moved(P)", "moved(Q)", "deadlock")


def formulas(seed: int, count: int, names: tuple[str, ...]) -> list[str]:
    """Return random formulas over propositions, written so that all of our readers take them."""
    quoted = {f"x{i}": name for i, name in enumerate(names)}
    found = spot.randltl(list(quoted), count, seed=seed, tree_size=(2, 9))
    texts = [str(formula) for formula in found]
    for short, name in quoted.items():
        texts = [text.replace(short, f'"{name}"') for text in texts]
    return texts


def tasks(model: Model, formula: str, fair: FairTo | None, by: FairBy, stutter: bool) -> Task:
    options = CheckOptions(
        backend=Backend.INTERPRETED,
        fair=(fair,) if fair else (),
        fair_by=by,
        deadlock=Deadlock.STUTTER if stutter else Deadlock.DROP,
    )
    loaded = Loaded(model)
    return Task(
        Executable(loaded, Backend.INTERPRETED), forbidden_by(formula, None, loaded, "model"), options
    )


def automata(task: Task) -> Iterator[Prepared]:
    for kind in KINDS:
        try:
            yield task.prepared(convert(task.forbidden.value, kind))
        except InputError as error:
            if "stutter-invariant" not in str(error) and "speaks of steps" not in str(error):
                raise


def takers(task: Task, prepared: Prepared) -> Iterator[AnyChecker]:
    for checker in registry.checkers().values():
        if checker.accepts.refusal(prepared.table, total=task.stutter) is None:
            yield checker


def is_violated(task: Task, prepared: Prepared, checker: AnyChecker) -> bool:
    """Search, and replay what is found: that tells whether it is fair and forbidden."""
    product, deadline = task.product(prepared), search.Deadline(None)
    ended = task.search(product, prepared, checker, deadline, search.nobody)
    if ended.lasso is not None:
        task.replayed(ended.lasso, product, prepared, deadline)
    return ended.lasso is not None


def check_pairs(seed: int, count: int, models: int, names: tuple[str, ...]) -> Counter[str]:
    """Compare every route with Spot; return how often each checker was taken, and the verdicts."""
    rng, seen = random.Random(f"fair {seed}"), Counter[str]()
    for formula in formulas(seed, count, names):
        forbidden = spot.translate(f"!({formula})")
        for _ in range(models):
            model, stutter = random_processes(rng.random()), rng.random() < 0.8
            by = rng.choice(list(FairBy))
            strength = rng.choice(list(Fair))
            task = tasks(model, formula, FairTo(strength), by, stutter)
            groups = [condition.commands for condition in task.fair]
            steps = Steps(model, stutter)
            expected = steps.has_fair_run(forbidden, strength, groups, task.forbidden.value.propositions)
            seen[f"{strength.value} {expected}"] += 1
            for prepared in automata(task):
                for checker in takers(task, prepared):
                    found = is_violated(task, prepared, checker)
                    assert found == expected, (formula, model, prepared.form.kind, checker.name, strength, by)
                    seen[checker.name] += 1
    return seen


def assert_all_were_seen(seen: Counter[str]) -> None:
    assert {f"{strength.value} {verdict}" for strength in Fair for verdict in (True, False)} <= seen.keys()
    assert {"ascc", "c99", "tarjan", "tfla", "ufscc", "renault-mixed", "tgrp", "generic"} <= seen.keys()


@pytest.mark.parametrize("names", [OF_STATES, OF_STEPS], ids=["of states", "of steps"])
def test_every_route_gives_spots_verdict_on_fair_runs(names: tuple[str, ...]) -> None:
    assert_all_were_seen(check_pairs(1, FORMULAS // 2, MODELS, names))


@pytest.mark.slow
@pytest.mark.parametrize("names", [OF_STATES, OF_STEPS], ids=["of states", "of steps"])
@pytest.mark.parametrize("seed", range(100, 110))
def test_every_route_gives_spots_verdict_on_many_fair_runs(seed: int, names: tuple[str, ...]) -> None:
    """20 000 pairs."""
    assert_all_were_seen(check_pairs(seed, SLOW_FORMULAS // 20, SLOW_MODELS, names))


# By hand

USER = """process {name} {{
    state out, in;
    init out;
    trans out -> in {{ guard lock == 0; effect lock = 1; }}, in -> out {{ effect lock = 0; }};
}}
"""
OTHER = "process R { byte turns; state on; init on; trans on -> on { effect turns = 1 - turns; }; }\n"
LOCK = f"byte lock;\n{USER.format(name='P')}{USER.format(name='Q')}{OTHER}system async;\n"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "lock.dve"
    path.write_text(LOCK)
    return path


@pytest.mark.parametrize(
    ("formula", "fair", "code"),
    [
        ("G F R.turns", [], 1),
        ("G F R.turns", ["weak:R"], 0),
        ("G F P.in", ["weak"], 1),
        ("G F P.in", ["strong"], 0),
        ("G F P.in", ["strong:P,Q"], 0),
        ("G F P.in", ["strong:P", "weak:Q"], 0),
        ("G F P.in", ["strong:Q", "weak:P"], 1),
        ("G F (P.in || Q.in)", ["weak"], 0),
        ("F G !enabled(P)", ["strong:P", "weak:Q"], 1),
        ("G (moved(P) -> P.out || P.in)", [], 0),
        ("G (moved(P) -> enabled(P))", [], 0),
        ("G (enabled(P) -> moved(P))", [], 1),
        ("G (\"enabled('P: out -> in')\" -> lock == 0)", [], 0),
        ("G (enabled(P.in) <-> P.in)", [], 0),
        ("G !deadlock", [], 0),
    ],
)
def test_a_lock(lock: Path, formula: str, fair: list[str], code: int) -> None:
    options = [word for one in fair for word in ("--fair", one)]
    assert buchi("check", lock, "--ltl", formula, *options).code == code
    assert buchi("compare", lock, "--ltl", formula, *options).code == code


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--fair", "wek"], "--fair wek is not a choice"),
        (["--fair", "weak:"], "--fair weak: names nothing"),
        (["--fair", "weak:P,,Q"], "names nothing"),
        (["--fair", "weak:S"], "the model has no process S"),
        (["--fair", "weak", "--fair-by", "thread"], "--fair-by thread is not a choice"),
        (["--fair", "weak:P", "--fair-by", "command"], "the model has no command P"),
        (["--fair", "weak", "--checker", "sd"], "takes at most 1 Inf set, not 4"),
        (["--fair", "strong", "--checker", "ascc"], "without Fin"),
    ],
)
def test_bad_wishes_are_refused(lock: Path, options: list[str], told: str) -> None:
    ended = buchi("check", lock, "--ltl", "G F P.in", *options)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


@pytest.mark.parametrize(
    ("formula", "options", "told"),
    [
        ("G enabled(S)", [], "the model has no process or command S"),
        ("G enabled(P.on)", [], "the model has no process or command P.on"),
        ('G "enabled()"', [], "needs names of processes or commands"),
        ('G "moved(P,)"', [], "needs names of processes or commands"),
        ("G F enabled(P)", ["--via", "ta"], "speaks of steps, and a ta reads states only"),
        ("G F moved(P)", ["--via", "slba"], "speaks of steps, and a slba reads states only"),
    ],
)
def test_bad_propositions_are_refused(lock: Path, formula: str, options: list[str], told: str) -> None:
    ended = buchi("check", lock, "--ltl", formula, *options)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_more_sets_than_there_are_marks(tmp_path: Path) -> None:
    processes = "".join(f"process P{i} {{ state s; init s; trans s -> s {{ }}; }}\n" for i in range(17))
    model = tmp_path / "many.dve"
    model.write_text(f"byte x;\n{processes}system async;\n")
    ended = buchi("check", model, "--ltl", "F G x == 1", "--fair", "strong")
    assert ended.code == 2
    assert "fairness needs 34 acceptance sets" in ended.err
    assert buchi("check", model, "--ltl", "G F x == 1", "--fair", "weak").code == 1


def test_names_of_the_model_win(tmp_path: Path) -> None:
    model = tmp_path / "named.dve"
    process = "process P { state s; init s; trans s -> s { effect deadlock = 1; }; }"
    model.write_text(f"byte deadlock;\n{process}\nsystem async;\n")
    assert buchi("check", model, "--ltl", "F deadlock").code == 0


NET = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="two" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
<place id="p"><initialMarking><text>1</text></initialMarking></place>
<place id="q"><initialMarking><text>1</text></initialMarking></place>
<transition id="t"/><transition id="u"/>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="p"/>
<arc id="c" source="q" target="u"/><arc id="d" source="u" target="q"/>
</page></net></pnml>
"""


def test_a_net_has_commands_and_no_processes(tmp_path: Path) -> None:
    net = tmp_path / "two.pnml"
    net.write_text(NET)
    ended = buchi("check", net, "--ltl", "G F moved(t)", "--fair", "weak")
    assert ended.code == 2
    assert "the model has no processes" in ended.err
    assert "--fair-by command" in ended.err
    assert buchi("check", net, "--ltl", "G F moved(t)", "--fair", "weak", "--fair-by", "command").code == 0
    assert buchi("check", net, "--ltl", "G F moved(t)").code == 1


# What is found is looked at by other code than that which found it


@pytest.mark.parametrize("strength", list(Fair))
def test_a_cycle_that_is_not_fair_is_no_counterexample(strength: Fair) -> None:
    """P goes round for ever, while Q could move all the time."""
    step = Command("P: a -> a", ((0, 0),), None, (), (), processes=("P",))
    other = Command("Q: a -> b", ((1, 0),), None, (), (Assign(1, None, Const(1)),), processes=("Q",))
    counters = tuple(Variable(name, Type.BYTE, values=("a", "b")) for name in "PQ")
    model = Model("two", counters, (step, other))
    evaluator, fair = Evaluator(model), conditions(model, (FairTo(strength),), FairBy.PROCESS)
    replayer = Replayer(evaluator, {}, lambda word: True, stutter=True, fair=fair)
    here, there = evaluator.pack((0, 0)), evaluator.pack((0, 1))
    moved = Trace(Vectors.of([0], lambda _: here), Vectors.of([0], lambda _: there))
    assert replayer.counterexample(moved).length == 2
    with pytest.raises(InternalError, match="not fair to Q"):
        replayer.counterexample(Trace(Vectors.of([], lambda _: here), Vectors.of([0], lambda _: here)))


def test_the_command_that_is_told_must_lead_there() -> None:
    step = Command("P: a -> a", ((0, 0),), None, (), (), processes=("P",))
    model = Model("one", (Variable("P", Type.BYTE, values=("a",)),), (step, step))
    evaluator = Evaluator(model)
    here = Vectors.of([0], lambda _: evaluator.pack((0,)))
    replayer = Replayer(evaluator, {}, lambda word: True, stutter=True)
    for told in (0, 1):
        assert (
            replayer.counterexample(Trace(Vectors.of([], bytes), here, [told])).cycle[0].command
            == "P: a -> a"
        )
    with pytest.raises(InternalError, match="is not a step of the model"):
        replayer.counterexample(Trace(Vectors.of([], bytes), here, [2]))


# In experiments and in Python

EXPERIMENT = """\
models: [lock.dve]
formulas: ["G F P.in"]
routes: [tgba/tgrp, tgba/generic]
fair: [{fair}]
"""


@pytest.mark.parametrize(("fair", "verdict"), [("weak", Verdict.VIOLATED), ("strong", Verdict.HOLDS)])
def test_an_experiment_of_fair_runs(lock: Path, fair: str, verdict: Verdict) -> None:
    file = lock.with_name("experiment.yaml")
    file.write_text(EXPERIMENT.format(fair=fair))
    assert buchi("run", file).code == 0
    assert [record.verdict for record in records(file)] == [verdict] * 2


def test_an_experiment_with_a_bad_wish_says_where(lock: Path) -> None:
    file = lock.with_name("experiment.yaml")
    file.write_text(EXPERIMENT.format(fair="wek"))
    ended = buchi("run", file)
    assert ended.code == 2
    assert f"{file}:4" in ended.err
    assert "did you mean weak" in ended.err


def test_fairness_from_python(lock: Path) -> None:
    assert api.check(lock, "G F P.in", fair="strong")
    assert not api.check(lock, "G F P.in", fair=["weak", "strong:Q"])
    assert api.compare(lock, "G F P.in", fair="strong", checker="generic").verdict is Verdict.HOLDS
    with pytest.raises(InputError, match="fair: the model has no process S"):
        api.check(lock, "G F P.in", fair="weak:S")
