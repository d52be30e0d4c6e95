"""Turns a fault that the engine met in a model into a message for the author of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import shorten

from buchi import _engine
from buchi.common.errors import ModelRuntimeError
from buchi.models.guarded import Model

_SHOWN = 10_000
"""Characters of a state that a message shows."""


@contextmanager
def faults_of(model: Model, propositions: Sequence[str] = ()) -> Iterator[None]:
    """Report the faults of `model` that the engine meets inside the block as ModelRuntimeError."""
    try:
        yield
    except _engine.ModelError as error:
        from buchi.models.evaluate import Evaluator

        kind, part, index, packed = error.args
        evaluator = Evaluator(model)
        state = evaluator.show(evaluator.unpack(packed))
        shown = shorten(", ".join(f"{name} = {value}" for name, value in state.items()), _SHOWN)
        raise ModelRuntimeError(_message(model, propositions, kind, part, index), shown) from None


def _message(model: Model, propositions: Sequence[str], kind: str, part: str, index: int) -> str:
    if kind == "assertion":
        return f"the assertion {model.assertions[index].name} does not hold"
    if part == "command":
        return f"{kind} in {model.commands[index].name}"
    if part == "assertion":
        return f"{kind} in the assertion {model.assertions[index].name}"
    if part == "proposition":
        return f"{kind} in the proposition {propositions[index]}"
    return f"{kind} in a condition that several commands share"
