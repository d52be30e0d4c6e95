"""What is looked at in each state of a run: variables and propositions, by what the user calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from buchi.common.errors import InputError
from buchi.models.arithmetic import is_boolean
from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import StepTest
from buchi.models.propositions import parse_meaning

Enabled = Callable[[], tuple[int, ...]]
"""Tells the commands that are enabled in the state that is looked at."""


@dataclass(frozen=True)
class Watch:
    """A variable, an array, or a proposition; `holds` says whether the last is true."""

    text: str
    shown: Callable[[State, Enabled], str]
    holds: Callable[[State, Enabled], bool] | None = None


def watch(text: str, evaluator: Evaluator) -> Watch:
    """Return what `text` names in a model. Raises InputError."""
    name = text.strip()
    if name in evaluator.model.index:
        return Watch(name, _variable(name, evaluator))
    return _proposition(name, evaluator)


def breakpoint_at(text: str, evaluator: Evaluator) -> Watch:
    """Return the proposition that `text` is. Raises InputError."""
    return _proposition(text.strip(), evaluator)


def _variable(name: str, evaluator: Evaluator) -> Callable[[State, Enabled], str]:
    def shown(state: State, _: Enabled) -> str:
        values = evaluator.show(state)
        return values[name] if name in values else _elements(name, values)

    return shown


def _elements(name: str, values: dict[str, str]) -> str:
    return ", ".join(value for element, value in values.items() if element.startswith(f"{name}["))


def _proposition(text: str, evaluator: Evaluator) -> Watch:
    meaning = parse_meaning(text, evaluator.model)
    if isinstance(meaning, StepTest):
        if meaning.what == "moved":
            raise InputError(
                f"{text} speaks of a step, and a state has none yet", suggestion="look at enabled(…) instead"
            )
        test = meaning
        return Watch(text, lambda _, on: _truth(test.holds(on(), -1)), lambda _, on: test.holds(on(), -1))
    expression = meaning

    def value(state: State) -> int:
        return evaluator.evaluate(expression, state)

    shown = (lambda s, _: _truth(value(s))) if is_boolean(expression) else (lambda s, _: str(value(s)))
    return Watch(text, shown, lambda state, _: value(state) != 0)


def _truth(value: object) -> str:
    return "true" if value else "false"
