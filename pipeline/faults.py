"""Turns a fault that the engine met in a model into a message for the author of the model.

A number that a wider variable would hold is no fault: whoever searches begins again with such a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import shorten

from buchi import _engine
from buchi.common.errors import AssertionFails, ModelRuntimeError
from buchi.models.guarded import Model

_SHOWN = 10_000
"""Characters of a state that a message shows."""


class TooNarrowError(Exception):
    """A variable is too narrow; in the model `wider` it is not."""

    def __init__(self, wider: Model) -> None:
        super().__init__(f"the model {wider.name} needs wider variables")
        self.wider = wider


@contextmanager
def faults_of(model: Model, propositions: Sequence[str] = ()) -> Iterator[None]:
    """Report the faults of `model` that the engine meets inside the block as ModelRuntimeError or TooNarrowError.

    That an assertion fails is AssertionFails.
    """
    try:
        yield
    except _engine.ModelError as error:
        from buchi.models.evaluate import Evaluator

        kind, part, index, packed = error.args
        if model.widens and part == "command":
            raise _overflow(model, index, packed) from None
        evaluator = Evaluator(model)
        state = evaluator.show(evaluator.unpack(packed))
        failure = AssertionFails if kind == "assertion" else ModelRuntimeError
        raise failure(_message(model, propositions, kind, part, index), _shown(state)) from None


def _shown(state: Mapping[str, str]) -> str:
    return shorten(", ".join(f"{name} = {value}" for name, value in state.items()), _SHOWN)


def _overflow(model: Model, command: int, packed: bytes) -> Exception:
    """Return the wider model in which a step does not overflow, or the error where there is none."""
    from buchi.models.evaluate import Evaluator
    from buchi.models.widening import too_small, widened

    wider = widened(model, command, packed)
    if wider is not None:
        return TooNarrowError(wider)
    small = too_small(model, command, packed)
    names = ", ".join(model.variables[number].name for number in small)
    evaluator = Evaluator(model)
    state = {name: value for name, value in evaluator.show(evaluator.unpack(packed)).items() if value != "0"}
    return ModelRuntimeError(f"overflow of {names} by {model.commands[command].name}", _shown(state))


def _message(model: Model, propositions: Sequence[str], kind: str, part: str, index: int) -> str:
    if kind == "assertion":
        return f"the assertion {model.assertions[index]} does not hold"
    if part == "command":
        return f"{kind} in {model.commands[index].name}"
    if part == "assertion":
        return f"{kind} in the assertion {model.assertions[index]}"
    if part == "proposition":
        return f"{kind} in the proposition {propositions[index]}"
    return f"{kind} in a condition that several commands share"
