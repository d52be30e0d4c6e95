"""Variables of a model that get wider where a number does not fit: a count of tokens must not wrap around.

Only types change. Numbers of variables and commands stay, and with them every expression over the model.
"""

from __future__ import annotations

from dataclasses import replace

from buchi.models.arithmetic import is_boolean
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Binary, Const, Expr, Model, Read, Type, fold

_WIDER = {Type.BYTE: Type.WORD, Type.WORD: Type.COUNT32}


def widened(model: Model, command: int, packed: bytes) -> Model | None:
    """Return the model in which a step of a state does not overflow where it did; None where no type is wide enough."""
    small = too_small(model, command, packed)
    if not small or any(value < 0 or model.variables[v].type not in _WIDER for v, value in small.items()):
        return None
    variables = list(model.variables)
    for number in small:
        variables[number] = replace(variables[number], type=_WIDER[variables[number].type])
    return replace(model, variables=tuple(variables))


def widest(model: Model) -> Model:
    """Return the model in which nothing that can be held does not fit: who goes step by step cannot begin again."""
    if not model.widens:
        return model
    wide = (replace(v, type=Type.COUNT32) if v.type in _WIDER else v for v in model.variables)
    return replace(model, variables=tuple(wide))


def too_small(model: Model, command: int, packed: bytes) -> dict[int, int]:
    """Return the variables that cannot hold what a command stores, with the number; beyond 32 bits it is negative."""
    evaluator = Evaluator(model)
    state = evaluator.unpack(packed)
    step = model.commands[command]
    found = {}
    for assign in step.transfer + step.effects:
        kind, value = model.variables[assign.variable].type, evaluator.evaluate(assign.value, state)
        if not kind.low <= value <= kind.high:
            found[assign.variable] = value
    return found


def may_wrap(model: Model, expr: Expr) -> bool:
    """Can a sum or a product of this expression leave 32 bits, as far as the types of the variables tell?"""
    wraps = False

    def bounds(part: Expr, parts: list[tuple[int, int]]) -> tuple[int, int]:
        """Return between which numbers the value is."""
        nonlocal wraps
        if isinstance(part, Const):
            return part.value, part.value
        if isinstance(part, Read):
            return model.variables[part.variable].type.low, model.variables[part.variable].type.high
        if not (isinstance(part, Binary) and part.operator in ("+", "-", "*")):
            return (0, 1) if is_boolean(part) else (Type.INT32.low, Type.INT32.high)
        ends = [_exact(part.operator, left, right) for left in parts[0] for right in parts[1]]
        wraps = wraps or min(ends) < Type.INT32.low or max(ends) > Type.INT32.high
        return min(ends), max(ends)

    fold(expr, bounds)
    return wraps


def _exact(operator: str, left: int, right: int) -> int:
    if operator == "*":
        return left * right
    return left + right if operator == "+" else left - right
