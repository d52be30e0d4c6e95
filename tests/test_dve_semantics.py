"""What DVE models mean: each point on which DiVinE's interpreter and compiler differ, and the rest."""

from __future__ import annotations

import pytest

from buchi.common.errors import InputError, ModelRuntimeError
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator, State
from buchi.models.frontend import Loaded
from buchi.models.propositions import parse_proposition
from buchi.schemas.automaton import EVERY_LETTER, Clause, Cube, Edge, Letter


def load(text: str, *, overflow_is_error: bool = False) -> Loaded:
    return DVE().load(text, "m.dve", overflow_is_error=overflow_is_error)


def one(declarations: str, body: str) -> str:
    """Return a model with one process P that takes one transition from a to b."""
    return f"{declarations} process P {{ state a, b; init a; trans a -> b {{ {body} }}; }} system async;"


def steps(text: str, *, overflow_is_error: bool = False) -> list[tuple[str, dict[str, str]]]:
    """Return the names of the initial state's commands and what they change."""
    evaluator = Evaluator(load(text, overflow_is_error=overflow_is_error).model)
    initial = evaluator.initial()
    found = evaluator.successors(initial)
    return [(evaluator.model.commands[c].name, evaluator.changes(initial, state)) for c, state in found]


def effect(declarations: str, body: str, *, overflow_is_error: bool = False) -> dict[str, str]:
    """Return what the one transition of P changes, its location aside."""
    ((_, changes),) = steps(one(declarations, body), overflow_is_error=overflow_is_error)
    assert changes.pop("P") == "b"
    return changes


def enabled(declarations: str, guard: str) -> bool:
    return bool(steps(one(declarations, f"guard {guard};")))


def failure(declarations: str, body: str) -> ModelRuntimeError:
    with pytest.raises(ModelRuntimeError) as caught:
        steps(one(declarations, body))
    return caught.value


# Where the interpreter and the compiler differ.


@pytest.mark.parametrize(
    ("declaration", "assignment", "stored"),
    [
        ("byte x = 255;", "x = x + 1", "0"),
        ("byte x;", "x = x - 1", "255"),
        ("byte x;", "x = 300", "44"),
        ("int x = 32767;", "x = x + 1", "-32768"),
        ("int x = 0 - 32768;", "x = x - 1", "32767"),
        ("int x = 1;", "x = 40000", "-25536"),
    ],
)
def test_storing_out_of_range(declaration: str, assignment: str, stored: str) -> None:
    assert effect(declaration, f"effect {assignment};") == {"x": stored}
    with pytest.raises(ModelRuntimeError, match="overflow in P: a -> b"):
        effect(declaration, f"effect {assignment};", overflow_is_error=True)


def test_initial_values_out_of_range() -> None:
    assert load(one("byte x = 256 + 7;", "")).model.variables[0].initial == (7,)
    with pytest.raises(InputError, match="263 does not fit in x"):
        load(one("byte x = 256 + 7;", ""), overflow_is_error=True)


def test_arithmetic_is_32_bit() -> None:
    assert effect("byte x = 200, y;", "effect y = x * x / 400;") == {"y": "100"}
    assert effect("int x = 32767, y;", "effect y = (x * x * 4 < 0);") == {"y": "1"}  # 4 294 705 156 wraps


def test_negative_value_in_a_proposition() -> None:
    model = load(one("int x = 0 - 1;", "")).model
    evaluator = Evaluator(model)
    assert evaluator.evaluate(parse_proposition("x == -1", model), evaluator.initial()) == 1
    assert evaluator.evaluate(parse_proposition("x < 0", model), evaluator.initial()) == 1


@pytest.mark.parametrize("operator", ["/", "%"])
def test_division_by_zero(operator: str) -> None:
    error = failure("byte x, y = 3;", f"effect y = y {operator} x;")
    assert error.message == "division by zero in P: a -> b"
    assert error.state == "x = 0, y = 3, P = a"


@pytest.mark.parametrize("body", ["effect y = t[x];", "effect t[x] = 1;", "effect y = t[0 - 1];"])
def test_index_out_of_bounds(body: str) -> None:
    assert failure("byte t[2], x = 2, y;", body).message == "index out of bounds in P: a -> b"


@pytest.mark.parametrize("guard", ["1 / x == 1", "t[2]", "1 and t[x - 1]"])
def test_error_in_a_guard(guard: str) -> None:
    assert "P: a -> b" in failure("byte t[2], x;", f"guard {guard};").message


def test_a_command_knows_the_processes_that_take_part() -> None:
    text = """channel c;
        process S { state a; init a; trans a -> a { sync c!; }, a -> a { }; }
        process R { state a; init a; trans a -> a { sync c?; }, a -> a { }; }
        system async;"""
    assert sorted(command.processes for command in load(text).model.commands) == [("R",), ("S",), ("S", "R")]


def test_both_sides_of_a_rendezvous_write() -> None:
    text = """byte x; channel c;
        process S { state a; init a; trans a -> a { sync c!; effect x = x * 10 + 1; }; }
        process R { state a; init a; trans a -> a { sync c?; effect x = x * 10 + 2; }; }
        system async;"""
    assert steps(text) == [("S: a -> a, R: a -> a (c)", {"x": "21"})]


@pytest.mark.parametrize(
    ("kind", "sent", "received"),
    [("byte", 300, 44), ("int", 40000, -25536), ("int", -3, -3), ("byte", -1, 255)],
)
@pytest.mark.parametrize("overflow_is_error", [False, True])
def test_typed_channel_casts(kind: str, sent: int, received: int, overflow_is_error: bool) -> None:
    text = f"""int x; byte one = 1; channel {{{kind}}} c[0];
        process S {{ state a; init a; trans a -> a {{ sync c!({sent}) * one; }}; }}
        process R {{ state a; init a; trans a -> a {{ sync c?x; }}; }}
        system async;"""
    ((_, changes),) = steps(text, overflow_is_error=overflow_is_error)
    assert changes == {"x": str(received)}


def test_buffer_transfers_before_effects() -> None:
    assert effect("byte x = 7; channel {byte} c[2];", "sync c!x; effect x = 1;") == {
        "x": "1",
        "c.length": "1",
        "c.0[0]": "7",
    }


def walk(text: str, choices: list[int]) -> tuple[Evaluator, State]:
    evaluator = Evaluator(load(text).model)
    state = evaluator.initial()
    for choice in choices:
        state = evaluator.successors(state)[choice][1]
    return evaluator, state


BUFFER = """byte x, y; channel {byte, int} c[2];
    process S { state a; init a; trans a -> a { guard x < 3; sync c!{x + 1, 0 - x}; effect x = x + 1; }; }
    process R { int z; state a; init a; trans a -> a { sync c?{y, z}; effect y = y * 10; }; }
    system async;"""


def test_buffer_is_first_in_first_out_and_bounded() -> None:
    evaluator, full = walk(BUFFER, [0, 0])
    assert evaluator.show(full) == {
        "x": "2", "y": "0", "c.length": "2", "c.0[0]": "1", "c.0[1]": "2", "c.1[0]": "0", "c.1[1]": "-1",
        "S": "a", "R": "a", "R.z": "0",
    }  # fmt: skip
    ((command, after),) = evaluator.successors(full)
    assert evaluator.model.commands[command].name == "R: a -> a (c?)"
    assert evaluator.changes(full, after) == {
        "y": "10", "c.length": "1", "c.0[0]": "2", "c.0[1]": "0", "c.1[0]": "-1", "c.1[1]": "0",
    }  # fmt: skip


def test_freed_slots_are_zero() -> None:
    evaluator, state = walk(BUFFER, [0, 1])
    shown = evaluator.show(state)
    assert {name: value for name, value in shown.items() if name.startswith("c.")} == {
        "c.length": "0", "c.0[0]": "0", "c.0[1]": "0", "c.1[0]": "0", "c.1[1]": "0",
    }  # fmt: skip


def test_a_receiver_may_drop_a_message() -> None:
    text = BUFFER.replace("sync c?{y, z}; effect y = y * 10;", "sync c?;")
    evaluator, state = walk(text, [0, 1])
    assert evaluator.show(state)["c.length"] == "0"


def test_precedence_of_and_over_or() -> None:
    assert enabled("byte one = 1, zero;", "one or zero and zero")


def test_imply_is_lazy() -> None:
    assert enabled("byte zero;", "zero imply 1 / zero")
    assert not enabled("byte zero, one = 1;", "one imply zero")


def test_and_and_or_are_lazy_and_give_zero_or_one() -> None:
    assert not enabled("byte zero;", "zero and 1 / zero")
    assert enabled("byte zero, one = 1;", "one or 1 / zero")
    assert effect("byte x = 5, y = 6, z;", "effect z = (x and y) + (x or 0);") == {"z": "2"}


COMMITTED = """channel c;
    process P { state a, b; init a; commit a; trans a -> b {}, a -> b { sync c!; }; }
    process Q { state a, b; init a; trans a -> b {}, a -> b { sync c?; }; }
    process R { state a, b; init a; commit a; trans a -> b { sync c?; }; }
    system async;"""


def test_committed_processes_move_first() -> None:
    names = [name for name, _ in steps(COMMITTED)]
    assert names == ["P: a -> b", "P: a -> b, R: a -> b (c)"]  # never with Q, which is not committed


def test_without_a_committed_process_all_move() -> None:
    evaluator, state = walk(COMMITTED, [1])
    assert [evaluator.model.commands[c].name for c, _ in evaluator.successors(state)] == ["Q: a -> b"]


def test_no_shared_expression_without_committed_locations() -> None:
    assert load(BUFFER).model.shared == ()
    assert len(load(COMMITTED).model.shared) == 1


def test_an_uncommitted_guard_is_not_evaluated_while_some_process_is_committed() -> None:
    text = """byte zero;
        process P { state a, b; init a; commit a; trans a -> b {}; }
        process Q { state a; init a; trans a -> a { guard 1 / zero; }; }
        system async;"""
    assert [name for name, _ in steps(text)] == ["P: a -> b"]


def test_a_committed_process_that_is_stuck_stops_all() -> None:
    text = """process P { state a; init a; commit a; }
        process Q { state a; init a; trans a -> a {}; }
        system async;"""
    assert steps(text) == []


# What both agree on.


def test_order_of_successors() -> None:
    text = """channel c, d;
        process R { state a, b; init a; trans a -> b { sync c?; }, a -> a { sync c?; }; }
        process S { state a, b; init a; trans a -> a { sync d?; }, a -> b { sync c!; }, a -> b {}; }
        process T { state a, b; init a; trans a -> b { sync c?; }, a -> a {}, a -> b { sync d!; }; }
        system async;"""
    assert [name for name, _ in steps(text)] == [
        "S: a -> b, R: a -> b (c)",
        "S: a -> b, R: a -> a (c)",
        "S: a -> b, T: a -> b (c)",
        "S: a -> b",
        "T: a -> a",
        "T: a -> b, S: a -> a (d)",
    ]


def test_no_rendezvous_with_oneself() -> None:
    text = """channel c;
        process P { state a; init a; trans a -> a { sync c!; }, a -> a { sync c?; }; }
        system async;"""
    assert steps(text) == []


def test_guards_of_both_sides_of_a_rendezvous() -> None:
    text = """byte x = {x}, y = {y}; channel c;
        process S {{ state a; init a; trans a -> a {{ guard x; sync c!; }}; }}
        process R {{ state a; init a; trans a -> a {{ guard y; sync c?; }}; }}
        system async;"""
    assert [len(steps(text.format(x=x, y=y))) for x in (0, 1) for y in (0, 1)] == [0, 0, 0, 1]


def test_values_are_swapped_through_a_channel() -> None:
    text = """byte x = 1, y = 2; channel c;
        process S { state a; init a; trans a -> a { sync c!{y, x}; }; }
        process R { state a; init a; trans a -> a { sync c?{x, y}; }; }
        system async;"""
    assert steps(text) == [("S: a -> a, R: a -> a (c)", {"x": "2", "y": "1"})]


def test_received_value_is_seen_by_the_effects_and_its_index_by_none() -> None:
    text = """byte x = 1, i, t[2], seen; channel c;
        process S { state a; init a; trans a -> a { sync c!x + 4; effect x = 9, seen = i; }; }
        process R { state a; init a; trans a -> a { sync c?t[i]; effect i = t[0]; }; }
        system async;"""
    assert steps(text) == [
        ("S: a -> a, R: a -> a (c)", {"x": "9", "i": "5", "t[0]": "5", "seen": "5"}),
    ]


def test_untyped_value_wraps_where_it_is_stored() -> None:
    text = """byte x; int y = 300; channel c;
        process S { state a; init a; trans a -> a { sync c!y; }; }
        process R { state a; init a; trans a -> a { sync c?x; }; }
        system async;"""
    assert steps(text) == [("S: a -> a, R: a -> a (c)", {"x": "44"})]


def test_a_location_changes_after_the_effects() -> None:
    text = """byte x;
        process P { state a, b; init a; trans a -> b { effect x = P.a * 2 + P.b; }; }
        system async;"""
    assert steps(text) == [("P: a -> b", {"x": "2", "P": "b"})]


def test_other_processes_are_read() -> None:
    text = """byte x;
        process P { state a; init a; trans a -> a { guard Q.b; effect x = Q->y + Q.t[1]; }; }
        process Q { byte y = 3, t[2] = {0, 4}; const byte k = 2; state a, b; init b; }
        system async;"""
    assert steps(text) == [("P: a -> a", {"x": "7"})]


def test_effects_read_what_those_before_them_wrote() -> None:
    assert effect("byte x = 1, y;", "effect x = x + 1, y = x;") == {"x": "2", "y": "2"}


def test_commands_that_are_never_enabled_are_left_out() -> None:
    assert load(one("const byte off = 0; byte x;", "guard off and x;")).model.commands == ()


def test_assertion() -> None:
    text = """byte x;
        process P { state a, b; init a; assert a: x == 0, b: x == 0; trans a -> b { effect x = 1; }; }
        system async;"""
    evaluator, state = walk(text, [0])
    with pytest.raises(ModelRuntimeError, match=r"the assertion P\.b \(line 2\) does not hold"):
        evaluator.successors(state)


# The property process.

PROPERTY = """byte x;
    process P { state a, b; init a; trans a -> b { effect x = x + 1; }, b -> a {}; }
    process Never { state q0, q1, q2; init q0; accept q1;
        trans q0 -> q0 {}, q0 -> q1 { guard P.b  and // at b
              x == 1; }, q1 -> q1 { guard not P.a; }, q1 -> q0 { guard P.b and x == 1; },
              q1 -> q2 { guard 1 == 2; }, q2 -> q2 { guard true; }; }
    system async property Never;"""


def test_property_process() -> None:
    loaded = load(PROPERTY)
    automaton = loaded.forbidden
    assert automaton is not None
    assert automaton.letter is Letter.SOURCE
    assert automaton.propositions == ("P.b and x == 1", "not P.a") == tuple(loaded.propositions)
    assert automaton.states == 3
    assert automaton.initial == ((EVERY_LETTER, 0),)
    assert (automaton.sets, automaton.acceptance) == (1, (Clause(fin=0, inf=1),))
    assert automaton.edges == (
        Edge(0, EVERY_LETTER, 0, 0),
        Edge(0, (Cube(1, 0),), 0, 1),
        Edge(1, (Cube(2, 0),), 1, 1),
        Edge(1, (Cube(1, 0),), 1, 0),
        Edge(2, EVERY_LETTER, 0, 2),
    )
    assert [v.name for v in loaded.model.variables] == ["x", "P"]
    evaluator, state = walk(PROPERTY, [0])
    assert [evaluator.evaluate(e, state) for e in loaded.propositions.values()] == [1, 1]
    assert [evaluator.evaluate(e, evaluator.initial()) for e in loaded.propositions.values()] == [0, 0]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("state q0", "byte y; state q0", "the property process cannot declare variables"),
        ("accept q1", "commit q1", "the property process cannot have committed locations"),
        ("accept q1;", "assert q1: 1;", "the property process cannot have assertions"),
        ("guard true;", "effect x = 1;", "the property process cannot have effects"),
        ("guard true;", "sync c!;", "the property process cannot use channels"),
        ("accept q1", "accept q9", "process Never has no location q9"),
        ("b -> a {}", "b -> a { guard Never.q0; }", "Never is the property process and cannot be read"),
        ("property Never", "property Newer", "there is no process Newer to be the property"),
    ],
)
def test_property_process_only_watches(before: str, after: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load("channel c;" + PROPERTY.replace(before, after))
    assert caught.value.message == message
    assert caught.value.place is not None


def test_property_process_may_have_constants() -> None:
    loaded = load(PROPERTY.replace("state q0", "const byte k = 1; state q0").replace("x == 1", "x == k"))
    assert "P.b and x == k" in loaded.propositions


def test_too_many_guards() -> None:
    guards = ", ".join(f"q -> q {{ guard x == {i}; }}" for i in range(64))
    text = f"byte x; process P {{ state a; init a; }} process N {{ state q; init q; trans {guards}; }}"
    with pytest.raises(InputError, match="N has more than 63 different guards"):
        load(text + "system async property N;")
