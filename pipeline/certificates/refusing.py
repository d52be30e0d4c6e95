"""Why a certificate is refused, in words: in which row, and which edge of it."""

from __future__ import annotations

from buchi.common.errors import InputError, Place
from buchi.models.evaluate import Evaluator, State


def shown(evaluator: Evaluator, state: State, automaton_state: int) -> str:
    """Return a state of the product in words."""
    values = ", ".join(f"{name} = {value}" for name, value in evaluator.show(state).items())
    return f"{values}, automaton in {automaton_state}"


def refusal(
    source: str,
    what: str,
    evaluator: Evaluator,
    row: int | None,
    state: tuple[State, int] | None,
    other: tuple[State, int] | None,
) -> InputError:
    """Return why a certificate is refused: in which row, and which edge of it."""
    where = "" if row is None else f"row {row}: "
    parts = [] if state is None else [f"the row is {shown(evaluator, *state)}"]
    parts += [] if other is None else [f"the edge leads to {shown(evaluator, *other)}"]
    return InputError(f"the certificate is refused: {where}{what}", Place(source), "\n".join(parts) or None)
