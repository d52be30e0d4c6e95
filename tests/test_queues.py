"""Queues in arrays: which commands are taken to put and to take, and that their order does not matter then."""

from __future__ import annotations

import pytest

from buchi.common.errors import ModelRuntimeError
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.independence import independence
from buchi.models.queues import uses

MODEL = """
byte other;
channel enter, leave;
process Queue {{
    byte b[3], n;
    state q;
    init q;
    trans
        q -> q {{ guard {room}; sync enter?{slot}; effect {more}; }},
        q -> q {{ guard {some}; sync leave!{first}; effect {shift}, {less}; }};
}}
process Writer {{ state w; init w; trans w -> w {{ sync enter!{sent}; }}; }}
process Reader {{ byte v; state r; init r; trans r -> r {{ sync leave?v; }}; }}
system async;
"""
PARTS = {
    "room": "n < 3",
    "slot": "b[n]",
    "more": "n = n + 1",
    "some": "not (n == 0)",
    "first": "b[0]",
    "shift": "b[0] = b[1], b[1] = b[2], b[2] = 0",
    "less": "n = n - 1",
    "sent": "1",
}


def model_of(**parts: str) -> Model:
    return DVE().load(MODEL.format(**PARTS | parts), "queue.dve", overflow_is_error=False).model


def puts_and_takes(model: Model) -> list[bool]:
    return [use.puts for command in model.commands for use in uses(model, command)]


def test_a_queue_is_known() -> None:
    model = model_of()
    assert puts_and_takes(model) == [False, True] or puts_and_takes(model) == [True, False]
    assert independence(model).conflicts == ((), ())


@pytest.mark.parametrize("size", [1, 3])
def test_those_who_take_are_in_conflict(size: int) -> None:
    """And so are those who put: of two the first decides what the other finds."""
    second = "process {0}2 {{ byte v; state s; init s; trans s -> s {{ sync {1}; }}; }}\n"
    text = MODEL.replace("byte b[3]", f"byte b[{size}]").replace("system async", "{others}system async")
    others = second.format("Writer", "enter!2") + second.format("Reader", "leave?v")
    shift = PARTS["shift"] if size == 3 else "b[0] = 0"
    parts = PARTS | {"room": f"n < {size}", "shift": shift, "others": others}
    model = DVE().load(text.format(**parts), "queue.dve", overflow_is_error=False).model
    names = [command.name for command in model.commands]
    conflicts = {
        frozenset((names[i], names[j]))
        for i, others in enumerate(independence(model).conflicts)
        for j in others
    }
    assert len(names) == 4
    assert len(conflicts) == 2
    assert all(len({name.split("(")[1] for name in pair}) == 1 for pair in conflicts)


@pytest.mark.parametrize(
    "parts",
    [
        {"room": "n != 3"},
        {"room": "not (n == 3)", "some": "n > 0"},
        {"room": "n < 3 && other == 0"},
        {"shift": "b[0] = b[1], b[1] = b[2], b[2] = 7"},
    ],
)
def test_so_are_others(parts: dict[str, str]) -> None:
    assert independence(model_of(**parts)).conflicts == ((), ())


@pytest.mark.parametrize(
    "parts",
    [
        {"slot": "b[0]"},
        {"slot": "b[2 - n]"},
        {"shift": "b[0] = b[2], b[1] = b[2], b[2] = 0"},
        {"shift": "b[1] = b[2], b[0] = b[1], b[2] = 0"},
        {"shift": "b[0] = b[1], b[1] = b[2]"},
        {"first": "b[1]"},
        {"first": "n"},
        {"less": "n = n - 1, other = n"},
        {"less": "n = n - 1, other = b[0]"},
        {"less": "n = n - 1, other = b[2]"},
        {"less": "n = n - 2"},
        {"more": "n = n + 1, other = b[0]"},
        {"more": "n = n + 1, b[0] = 1"},
        {"some": "n > 0 && b[1] == 0"},
        {"some": "n < 4"},
        {"some": "n > 1"},
        {"room": "n < 2"},
        {"room": "n < 3 && b[0] == 0"},
        {"room": "n != 1"},
        {"sent": "Queue.n"},
        {"sent": "Queue.b[0]"},
    ],
)
def test_whatever_is_not_in_conflict_can_change_places(parts: dict[str, str]) -> None:
    model = model_of(**parts)
    evaluator, known = Evaluator(model), independence(model)
    seen, pending, both = set(), [evaluator.initial()], 0
    while pending:
        state = pending.pop()
        if evaluator.pack(state) in seen:
            continue
        seen.add(evaluator.pack(state))
        try:
            steps = dict(evaluator.successors(state))
        except ModelRuntimeError:  # an index out of bounds is what some of these are about
            continue
        pending += steps.values()
        if len(steps) == 2 and known.conflicts == ((), ()):
            both += 1
            assert order(evaluator, steps, 0, 1) == order(evaluator, steps, 1, 0)
    if known.conflicts == ((), ()):
        assert both > 0


def order(evaluator: Evaluator, steps, first: int, second: int) -> bytes:
    after = dict(evaluator.successors(steps[first]))
    assert second in after, "it was disabled"
    return evaluator.pack(after[second])
