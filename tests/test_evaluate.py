"""The reference semantics: arithmetic at its edges, the layout of states, faults, depth."""

from __future__ import annotations

import pytest

from buchi.common.errors import ModelRuntimeError
from buchi.models.arithmetic import binary, conjunction, unary
from buchi.models.bytecode import initial_vector
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import (
    Assertion,
    Assign,
    Binary,
    BinaryOperator,
    Command,
    Const,
    Element,
    Expr,
    Lookup,
    Model,
    Read,
    Shared,
    Type,
    Unary,
    UnaryOperator,
    Variable,
)

LOWEST, HIGHEST = -(2**31), 2**31 - 1

MODEL = Model(
    "edges",
    variables=(
        Variable("b", Type.BYTE),
        Variable("w", Type.WORD, initial=(300,)),
        Variable("h", Type.INT16, 2, (-2, 5)),
        Variable("i", Type.INT32, initial=(LOWEST,)),
        Variable("P", Type.BYTE, values=("idle", "busy")),
    ),
    commands=(),
    tables=((10, 20, 30),),
    shared=(Binary("==", Read(4), Const(0)),),
)

BINARY_CASES: list[tuple[BinaryOperator, int, int, int]] = [
    ("+", HIGHEST, 1, LOWEST),
    ("-", LOWEST, 1, HIGHEST),
    ("*", 65536, 65536, 0),
    ("*", 46341, 46341, -2147479015),
    ("/", 7, 2, 3),
    ("/", -7, 2, -3),
    ("/", 7, -2, -3),
    ("/", -7, -2, 3),
    ("/", LOWEST, -1, LOWEST),
    ("%", 7, 2, 1),
    ("%", -7, 2, -1),
    ("%", 7, -2, 1),
    ("%", -7, -2, -1),
    ("%", LOWEST, -1, 0),
    ("&", -1, 255, 255),
    ("|", -256, 255, -1),
    ("^", -1, 1, -2),
    ("<<", 1, 31, LOWEST),
    ("<<", 1, 32, 1),
    ("<<", 3, -1, LOWEST),
    (">>", -8, 1, -4),
    (">>", -1, 31, -1),
    (">>", 8, 33, 4),
    ("==", 3, 3, 1),
    ("!=", 3, 3, 0),
    ("<", -1, 0, 1),
    ("<=", 0, 0, 1),
    (">", 0, -1, 1),
    (">=", -1, 0, 0),
    ("and", 2, 4, 1),
    ("and", 2, 0, 0),
    ("or", 0, 4, 1),
    ("or", 0, 0, 0),
]
UNARY_CASES: list[tuple[UnaryOperator, int, int]] = [
    ("-", 5, -5),
    ("-", LOWEST, LOWEST),
    ("~", 0, -1),
    ("~", HIGHEST, LOWEST),
    ("not", 0, 1),
    ("not", -3, 0),
]


def evaluate(expr: Expr, model: Model = MODEL) -> int:
    evaluator = Evaluator(model)
    return evaluator.evaluate(expr, evaluator.initial())


@pytest.mark.parametrize(("operator", "left", "right", "expected"), BINARY_CASES)
def test_binary(operator: BinaryOperator, left: int, right: int, expected: int) -> None:
    assert evaluate(Binary(operator, Const(left), Const(right))) == expected
    assert binary(operator, Const(left), Const(right)) == Const(expected)


@pytest.mark.parametrize(("operator", "operand", "expected"), UNARY_CASES)
def test_unary(operator: UnaryOperator, operand: int, expected: int) -> None:
    assert evaluate(Unary(operator, Const(operand))) == expected
    assert unary(operator, Const(operand)) == Const(expected)


def test_reading() -> None:
    assert evaluate(Read(1)) == 300
    assert evaluate(Element(2, Const(1))) == 5
    assert evaluate(Element(2, Element(2, Binary("-", Const(1), Const(1)))), faultless(MODEL, 2, (1, 5))) == 5
    assert evaluate(Lookup(0, Const(2))) == 30
    assert evaluate(Unary("not", Shared(0))) == 0


def faultless(model: Model, variable: int, initial: tuple[int, ...]) -> Model:
    """Return the model with another initial value."""
    old = model.variables[variable]
    new = Variable(old.name, old.type, old.length, initial, old.values)
    variables = (*model.variables[:variable], new, *model.variables[variable + 1 :])
    return Model(model.name, variables, model.commands, model.tables, model.shared)


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (Binary("/", Const(1), Read(0)), "division by zero"),
        (Binary("%", Const(1), Read(0)), "division by zero"),
        (Element(2, Const(2)), "index out of bounds"),
        (Element(2, Const(-1)), "index out of bounds"),
        (Lookup(0, Const(3)), "index out of bounds"),
        (Binary("and", Const(1), Binary("/", Const(1), Const(0))), "division by zero"),
    ],
)
def test_faults(expr: Expr, message: str) -> None:
    with pytest.raises(ModelRuntimeError, match=f"{message} in an expression") as caught:
        evaluate(expr)
    assert caught.value.state == f"b = 0, w = 300, h[0] = -2, h[1] = 5, i = {LOWEST}, P = idle"


def test_lazy_operators_do_not_reach_a_fault() -> None:
    fault = Binary("/", Const(1), Read(0))
    assert evaluate(Binary("and", Read(0), fault)) == 0
    assert evaluate(Binary("or", Read(1), fault)) == 1


def test_folding_keeps_what_can_fail() -> None:
    fault = binary("/", Const(1), Const(0))
    assert fault == Binary("/", Const(1), Const(0))
    assert binary("and", Const(0), fault) == Const(0)
    assert binary("or", Const(2), fault) == Const(1)
    assert binary("and", fault, Const(0)) == Binary("and", fault, Const(0))
    assert binary("and", Const(3), Read(0)) == Binary("!=", Read(0), Const(0))


def test_conjunction() -> None:
    test = Binary("<", Read(0), Const(1))
    assert conjunction([]) is None
    assert conjunction([Const(1), Const(7)]) is None
    assert conjunction([Const(1), test]) == test
    assert conjunction([Const(0), test]) == Const(0)


def test_packed_state_is_little_endian_at_the_offsets() -> None:
    evaluator = Evaluator(MODEL)
    state = evaluator.initial()
    assert state == (0, 300, -2, 5, LOWEST, 0)
    packed = evaluator.pack(state)
    assert packed == b"\x00" + b"\x2c\x01" + b"\xfe\xff\x05\x00" + b"\x00\x00\x00\x80" + b"\x00"
    assert len(packed) == MODEL.width
    assert [packed[offset] for offset in MODEL.offsets] == [0x00, 0x2C, 0xFE, 0x00, 0x00]
    assert evaluator.unpack(packed) == state


def small(*kinds: Type) -> Model:
    variables = (Variable(f"v{i}", kind, None, (kind.high,)) for i, kind in enumerate(kinds))
    return Model("small", tuple(variables), ())


def test_variables_of_less_than_a_byte_share_one() -> None:
    model = small(Type.WORD, Type.NIBBLE, Type.PAIR, Type.BIT, Type.BIT, Type.BIT)
    evaluator = Evaluator(model)
    assert (model.width, model.offsets) == (4, (0, 16, 20, 22, 23, 24))
    state = (0x1234, 0b1001, 0b10, 0, 1, 1)
    assert evaluator.pack(state) == b"\x34\x12" + bytes([0b10_10_1001, 1])
    assert evaluator.unpack(evaluator.pack(state)) == state
    assert initial_vector(model) == evaluator.pack(evaluator.initial()) == b"\xff\xff\xff\x01"


@pytest.mark.parametrize("kinds", [(Type.BIT, Type.BYTE), (Type.BIT, Type.NIBBLE), (Type.PAIR, Type.NIBBLE)])
def test_no_variable_is_in_two_bytes(kinds: tuple[Type, ...]) -> None:
    with pytest.raises(AssertionError):
        _ = small(*kinds).offsets


def test_show_and_changes() -> None:
    evaluator = Evaluator(MODEL)
    before, after = (0, 300, -2, 5, 0, 0), (0, 300, -2, 6, -1, 1)
    assert evaluator.show(before) == {"b": "0", "w": "300", "h[0]": "-2", "h[1]": "5", "i": "0", "P": "idle"}
    assert evaluator.changes(before, after) == {"h[1]": "6", "i": "-1", "P": "busy"}
    assert evaluator.changes(before, before) == {}


def test_short_initial_values_are_padded() -> None:
    model = Model("m", (Variable("a", Type.BYTE, 3, (7,)),), ())
    assert Evaluator(model).initial() == (7, 0, 0)


def step(
    *effects: Assign, transfer: tuple[Assign, ...] = (), overflow_is_error: bool = False
) -> dict[str, str]:
    command = Command("go", (), None, transfer, effects)
    model = Model("m", MODEL.variables, (command,), MODEL.tables, overflow_is_error=overflow_is_error)
    evaluator = Evaluator(model)
    ((number, state),) = evaluator.successors(evaluator.initial())
    assert number == 0
    assert evaluator.unpack(evaluator.pack(state)) == state
    return evaluator.changes(evaluator.initial(), state)


@pytest.mark.parametrize(
    ("variable", "value", "stored"),
    [(0, -1, "255"), (0, 256 + 3, "3"), (1, -1, "65535"), (1, 65536 + 2, "2"), (3, 7, "7")],
)
def test_storing_wraps(variable: int, value: int, stored: str) -> None:
    name = MODEL.variables[variable].name
    assert step(Assign(variable, None, Binary("+", Const(value), Read(0)))) == {name: stored}
    assert step(Assign(variable, None, Const(value))) == {name: stored}


def test_storing_out_of_range_is_a_fault_if_asked_for() -> None:
    assert step(Assign(0, None, Const(255)), overflow_is_error=True) == {"b": "255"}
    with pytest.raises(ModelRuntimeError, match="overflow in go"):
        step(Assign(0, None, Const(256)), overflow_is_error=True)


def test_a_comparison_is_stored_as_a_number() -> None:
    assert step(Assign(3, None, Binary("==", Read(0), Const(0))), overflow_is_error=True) == {"i": "1"}
    assert step(Assign(0, None, Unary("not", Read(0)))) == {"b": "1"}


def test_transfer_reads_the_old_state_and_effects_the_new_one() -> None:
    swap = (Assign(2, Const(0), Element(2, Const(1))), Assign(2, Const(1), Element(2, Const(0))))
    assert step(transfer=swap) == {"h[0]": "5", "h[1]": "-2"}
    assert step(*swap) == {"h[0]": "5"}


def test_commands_come_in_order_whatever_they_test_first() -> None:
    """Commands 0 and 3 test P, command 1 tests b, command 2 tests nothing, command 4 is not enabled."""
    ats = [((4, 0),), ((0, 0), (4, 0)), (), ((4, 0), (0, 0)), ((4, 0), (0, 1))]
    commands = tuple(Command(str(i), at, None, (), ()) for i, at in enumerate(ats))
    evaluator = Evaluator(Model("m", MODEL.variables, commands))
    assert [number for number, _ in evaluator.successors(evaluator.initial())] == [0, 1, 2, 3]


def test_assertions_are_checked_where_they_apply() -> None:
    def successors(at: int) -> None:
        assertion = Assertion("small", ((4, at),), Binary("<", Read(1), Const(100)))
        evaluator = Evaluator(Model("m", MODEL.variables, (), assertions=(assertion,)))
        evaluator.successors(evaluator.initial())

    successors(1)
    with pytest.raises(ModelRuntimeError, match="the assertion small does not hold"):
        successors(0)


def test_deep_expressions() -> None:
    left: Expr = Const(1)
    right: Expr = Const(1)
    lazy: Expr = Const(1)
    for _ in range(5000):
        left = Binary("+", left, Const(1))
        right = Binary("-", Const(1), right)
        lazy = Binary("and", lazy, Const(1))
    assert evaluate(left) == 5001
    assert evaluate(right) == 1
    assert evaluate(lazy) == 1


def test_shared_expressions_are_those_of_the_state_a_step_begins_in() -> None:
    effects = (Assign(0, None, Const(1)), Assign(0, None, Shared(0)))
    model = Model("m", (Variable("v", Type.BYTE),), (Command("c", (), None, (), effects),), shared=(Read(0),))
    assert Evaluator(model).successors((0,)) == [(0, (0,))]
