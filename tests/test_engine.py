"""The engine: product, counters, limits, progress."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import pytest
import spot
from products import (
    expected_post,
    expected_starts,
    product_of,
    random_automaton,
    random_kripke,
)

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.models.bytecode import interpreted
from buchi.models.guarded import Assign, Binary, Command, Const, Model, Read, Type, Variable
from buchi.models.kripke import Kripke
from buchi.pipeline.product import build_automaton, build_product
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Cube, Edge, Letter
from buchi.schemas.forms import Tgba
from buchi.translators.spot_helpers.automata import from_spot


def pair(product: _engine.Product, state: int) -> tuple[int, int]:
    return int.from_bytes(product.model_state(state), "little"), product.automaton_state(state)


@pytest.mark.parametrize("letter", list(Letter))
@pytest.mark.parametrize("stutter", [True, False])
def test_product_is_the_textbook_product(letter: Letter, stutter: bool) -> None:
    rng = random.Random(f"{letter} {stutter}")
    for _ in range(150):
        kripke, automaton = random_kripke(rng, rng.randint(1, 6), 0.3), random_automaton(rng, letter)
        product = product_of(kripke, automaton, stutter)
        starts = product.initial()
        assert [pair(product, state) for state, _ in starts] == expected_starts(kripke, automaton)
        pending, seen = [state for state, _ in starts], {state for state, _ in starts}
        while pending:
            state = pending.pop()
            post = product.post(state)
            found = [(*pair(product, target), marks) for target, marks in post]
            assert found == expected_post(kripke, automaton, stutter, *pair(product, state))
            pending.extend({target for target, _ in post} - seen)
            seen.update(target for target, _ in post)
        assert len({pair(product, state) for state in range(product.states)}) == product.states


def test_random_order_permutes_and_is_repeatable() -> None:
    rng = random.Random(5)
    kripke = random_kripke(rng, 8, 0.9)
    every = Automaton(
        propositions=(), states=1, initial=((EVERY_LETTER, 0),), edges=(Edge(0, EVERY_LETTER, 0, 0),), sets=0,
        acceptance=(Clause(0, 0),),
    )  # fmt: skip
    plain, shuffled, again = (product_of(kripke, every, seed=seed) for seed in (None, 3, 3))
    orders = []
    for product in (plain, shuffled, again):
        (start, _), *_ = product.initial()
        orders.append([pair(product, target) for target, _ in product.post(start)])
    assert orders[1] == orders[2] != orders[0]
    assert sorted(orders[0]) == sorted(orders[1])


def every_run() -> Automaton:
    """Return the automaton of one state that accepts all."""
    return Automaton(
        propositions=(), states=1, initial=((EVERY_LETTER, 0),), edges=(Edge(0, EVERY_LETTER, 0, 0),), sets=0,
        acceptance=(Clause(0, 0),),
    )  # fmt: skip


def test_random_order_depends_on_the_state_and_not_on_its_number() -> None:
    """Two searches number the states in different orders; each of them sees the same order of successors."""
    kripke = random_kripke(random.Random(6), 30, 0.3)

    def orders(last_first: bool) -> tuple[dict[int, list[int]], list[int]]:
        product = product_of(kripke, every_run(), seed=11)
        found, numbers = {}, []
        pending = [state for state, _ in product.initial()]
        while pending:
            state = pending.pop(-1 if last_first else 0)
            name = pair(product, state)[0]
            if name not in found:
                numbers.append(name)
                targets = [target for target, _ in product.post(state)]
                found[name] = [pair(product, target)[0] for target in targets]
                pending += targets
        return found, numbers

    (deep, deep_numbers), (broad, broad_numbers) = orders(last_first=True), orders(last_first=False)
    assert deep_numbers != broad_numbers
    assert deep == broad


@pytest.mark.parametrize("seed", [None, 5])
def test_each_edge_has_its_command(seed: int | None) -> None:
    """The commands of an explicit structure are those of the first, second, … edge of a state."""
    kripke = replace(random_kripke(random.Random(7), 4, 0.5), edges=[[1, 2, 3], [0, 2], [], [3, 1]])
    product = product_of(kripke, every_run(), seed=seed)
    pending = [state for state, _ in product.initial()]
    seen, stuttering = set(pending), 0
    while pending:
        state = pending.pop()
        source = pair(product, state)[0]
        targets, commands = [target for target, _ in product.post(state)], product.commands(state)
        for target, command in zip(targets, commands, strict=True):
            stuttering += command < 0
            expected = source if command < 0 else kripke.edges[source][command]
            assert pair(product, target)[0] == expected
        pending.extend(set(targets) - seen)
        seen.update(targets)
    assert (len(seen), stuttering) == (4, 1)


def test_many_propositions_need_no_exponential_table() -> None:
    names = tuple(f"p{i}" for i in range(40))
    kripke = Kripke(names, [[1], [0]], [frozenset(names), frozenset(names[:-1])])
    formula = "G(" + " & ".join(names) + ")"
    automaton = from_spot(spot.translate(spot.formula.Not(spot.formula(formula))), Tgba)
    assert _engine.check(
        "ascc", product_of(kripke, automaton), automaton.acceptance, _engine.Control()
    ).accepting


# Limits and progress


def counters(variables: int, values: int) -> Model:
    """`variables` independent counters: values ** variables states."""
    return Model(
        "counters",
        tuple(Variable(f"x{i}", Type.BYTE) for i in range(variables)),
        tuple(
            Command(
                f"count {i}", (), Binary("<", Read(i), Const(values - 1)), (),
                (Assign(i, None, Binary("+", Read(i), Const(1))),),
            )
            for i in range(variables)
        ),
    )  # fmt: skip


def test_explore_counts() -> None:
    outcome = _engine.explore(interpreted(counters(5, 6)), _engine.Control())
    assert outcome.end is _engine.End.DONE
    assert outcome.counters.states == 6**5
    assert outcome.counters.transitions == 5 * 5 * 6**4
    assert outcome.counters.deadlocks == 1


@pytest.mark.parametrize(
    ("control", "reason"),
    [
        (_engine.Control(states=1000), "states"),
        (_engine.Control(bytes=1 << 20), "memory"),
        (_engine.Control(seconds=0.05), "time"),
    ],
)
def test_limits_end_a_search(control: _engine.Control, reason: str) -> None:
    model = build(counters(8, 10), Backend.INTERPRETED).engine
    outcome = _engine.explore(model, control)
    assert outcome.end.name.lower() == reason
    assert outcome.counters.states < 10**8
    if reason == "memory":
        assert outcome.counters.bytes <= 1 << 20


def test_limits_end_a_check() -> None:
    model = counters(8, 10)
    every = Automaton(
        propositions=(), states=1, initial=((EVERY_LETTER, 0),), edges=(Edge(0, EVERY_LETTER, 0, 0),), sets=1,
        acceptance=(Clause(0, 1),),
    )  # fmt: skip
    for limits, reason in (
        ({"states": 5000}, "states"),
        ({"bytes": 1 << 20}, "memory"),
        ({"seconds": 0.05}, "time"),
    ):
        product = build_product(model, interpreted(model), every, {}, stutter=True)
        outcome = _engine.check("ascc", product, every.acceptance, _engine.Control(**limits))
        assert outcome.end.name.lower() == reason


def test_another_thread_sees_progress_and_stops_the_search() -> None:
    model, control = interpreted(counters(8, 10)), _engine.Control()
    outcomes: list[_engine.Outcome] = []
    worker = threading.Thread(target=lambda: outcomes.append(_engine.explore(model, control)))
    worker.start()
    while control.states < 1000:
        time.sleep(0.001)
    control.stop()
    worker.join(timeout=30)
    assert outcomes[0].end is _engine.End.INTERRUPTED
    assert outcomes[0].counters.states >= control.states >= 1000


def test_a_fault_names_the_part_and_the_state() -> None:
    divide = Command("divide", (), None, (), (Assign(0, None, Binary("/", Const(1), Read(0))),))
    model = Model("m", (Variable("x", Type.INT16, initial=(0,)),), (divide,))
    with pytest.raises(_engine.ModelError) as caught:
        _engine.explore(interpreted(model), _engine.Control())
    assert caught.value.args == ("division by zero", "command", 0, b"\0\0")


def test_a_fault_in_a_proposition_is_reported() -> None:
    kripke = Kripke(("p",), [[0]], [frozenset()])
    model = kripke.model()
    fails = Automaton(
        propositions=("bad",), states=1, initial=((EVERY_LETTER, 0),),
        edges=(Edge(0, (Cube(1, 0),), 0, 0),), sets=0, acceptance=(Clause(0, 0),),
    )  # fmt: skip
    engine = build_automaton(fails, model, {"bad": Binary("%", Const(1), Const(0))})
    product = _engine.Product(interpreted(model), engine, True)
    with pytest.raises(_engine.ModelError, match="proposition"):
        _engine.check("ascc", product, fails.acceptance, _engine.Control())


def test_a_path_of_two_million_states_needs_no_recursion() -> None:
    variables = (Variable("n", Type.INT32),)
    step = Command(
        "step",
        (),
        Binary("<", Read(0), Const(2_000_000)),
        (),
        (Assign(0, None, Binary("+", Read(0), Const(1))),),
    )
    model = Model("path", variables, (step,))
    never = Automaton(
        propositions=(), states=1, initial=((EVERY_LETTER, 0),), edges=(Edge(0, EVERY_LETTER, 0, 0),), sets=1,
        acceptance=(Clause(0, 1),),
    )  # fmt: skip
    product = build_product(model, interpreted(model), never, {}, stutter=True)
    outcome = _engine.check("ascc", product, never.acceptance, _engine.Control())
    assert (outcome.accepting, outcome.counters.max_depth) == (False, 2_000_001)


# The look-ahead of the product, and the growth of its table

MIXED_BITS = 16


def mixed(*, fails_at: int | None = None) -> Model:
    """Numbers below 2 ** MIXED_BITS that lead to three others each, all over the place.

    From `fails_at` there is no step, only a division by zero.
    """
    mask = Const((1 << MIXED_BITS) - 1)
    steps = [(Const(5 + 4 * i), Const(3 + 2 * i)) for i in range(3)]
    commands = [
        Command(
            f"step {i}", (), None, (),
            (Assign(0, None, Binary("&", Binary("+", Binary("*", Read(0), a), c), mask)),),
        )
        for i, (a, c) in enumerate(steps)
    ]  # fmt: skip
    if fails_at is not None:
        guard = Binary("==", Read(0), Const(fails_at))
        commands.append(
            Command("fail", (), guard, (), (Assign(0, None, Binary("/", Const(1), Const(0))),)),
        )
    return Model("mixed", (Variable("x", Type.INT32, initial=(1,)),), tuple(commands))


def mixed_post(x: int) -> list[int]:
    return [(x * (5 + 4 * i) + 3 + 2 * i) % (1 << MIXED_BITS) for i in range(3)]


ONE_SET = Automaton(
    propositions=(), states=1, initial=((EVERY_LETTER, 0),), edges=(Edge(0, EVERY_LETTER, 0, 0),), sets=1,
    acceptance=(Clause(0, 1),),
)  # fmt: skip
"""Reads everything and accepts nothing."""


@pytest.mark.parametrize("newest_first", [True, False])
def test_a_product_that_grows_is_what_a_plain_search_finds(newest_first: bool) -> None:
    """Both where the next state was looked ahead and where another one is asked for."""
    model, rng = mixed(), random.Random(7)
    product = build_product(model, interpreted(model), ONE_SET, {}, stutter=True)
    ((start, _),) = product.initial()
    value, pending = {start: 1}, [start]
    while pending:
        state = pending.pop(-1 if newest_first else rng.randrange(len(pending)))
        targets = [target for target, _ in product.post(state)]
        found = [int.from_bytes(product.model_state(target), "little") for target in targets]
        assert found == mixed_post(value[state])
        for target, x in reversed(list(zip(targets, found, strict=True))):
            if target not in value:
                value[target] = x
                pending.append(target)
            assert value[target] == x
    assert len(set(value.values())) == len(value) == product.states > 1 << (MIXED_BITS - 2)


def test_a_memory_limit_in_the_growth_of_the_table_ends_a_search_cleanly() -> None:
    model = mixed()
    engine = interpreted(model)
    reasons = set()
    for limit in range(64 << 10, 4 << 20, 50_000):
        product = build_product(model, engine, ONE_SET, {}, stutter=True)
        outcome = _engine.check("and", product, ONE_SET.acceptance, _engine.Control(bytes=limit))
        assert outcome.counters.bytes <= limit
        stored = {product.model_state(state) for state in range(product.states)}
        assert len(stored) == product.states >= outcome.counters.states > 0
        reasons.add(outcome.end.name)
    assert reasons == {"MEMORY", "DONE"}


def test_a_fault_is_reported_when_its_state_is_visited() -> None:
    """The search goes first where the fault is; then it goes there after a violation that ends it."""
    fault = mixed_post(1)[0]
    model = mixed(fails_at=fault)
    product = build_product(model, interpreted(model), ONE_SET, {}, stutter=True)
    ((start, _),) = product.initial()
    (first, _), *_ = product.post(start)  # looks ahead at the first, which is new
    with pytest.raises(_engine.ModelError, match="division by zero"):
        product.post(first)
    with pytest.raises(_engine.ModelError, match="division by zero"):
        product.post(first)
    assert len(product.post(start)) == 3
    with pytest.raises(_engine.ModelError, match="division by zero"):
        _engine.check("ascc", product, ONE_SET.acceptance, _engine.Control())


@pytest.mark.parametrize("kernel", ["ascc", "gv", "se", "tgrp"])
def test_a_fault_that_no_search_visits_is_none(kernel: str) -> None:
    stay = Command("stay", (), None, (), ())
    leave = Command("leave", (), None, (), (Assign(0, None, Const(1)),))
    fail = Command(
        "fail", (), Binary("==", Read(0), Const(1)), (), (Assign(0, None, Binary("/", Const(1), Const(0))),)
    )
    model = Model("m", (Variable("x", Type.BYTE),), (stay, leave, fail))
    accepting = ONE_SET.model_copy(update={"edges": (Edge(0, EVERY_LETTER, 1, 0),)})
    product = build_product(model, interpreted(model), accepting, {}, stutter=True)
    outcome = _engine.check(kernel, product, accepting.acceptance, _engine.Control())
    assert (outcome.accepting, outcome.cycle) == (True, [0])
    assert (outcome.counters.states, outcome.counters.post_calls) == (2, 1)
