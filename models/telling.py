"""Tells what happens in a step of a model, of a counterexample or of a simulation."""

from __future__ import annotations

from collections.abc import Mapping

from buchi.common.errors import ModelRuntimeError
from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import Command, Meaning, StepTest
from buchi.schemas.told import Known, Told


def known(command: Command) -> Known:
    """Return what there is to tell of a command in any state."""
    message = command.message
    if message is None:
        return Known(command.processes, command.lines)
    return Known(command.processes, command.lines, message.channel, message.way)


def sent(evaluator: Evaluator, command: Command, state: State) -> tuple[int, ...]:
    """Return the values that a command passes on in a state; none where nobody receives them and they are a fault."""
    if command.message is None:
        return ()
    try:
        return tuple(evaluator.evaluate(value, state) for value in command.message.values)
    except ModelRuntimeError:
        return ()


def holding(evaluator: Evaluator, meanings: Mapping[str, Meaning], state: State) -> dict[str, bool]:
    """Return the propositions that speak of a state, or of what is enabled there, with their values."""
    enabled: list[int] | None = None
    found = {}
    for name, meaning in meanings.items():
        if not isinstance(meaning, StepTest):
            found[name] = evaluator.evaluate(meaning, state) != 0
        elif meaning.what == "enabled":
            enabled = [number for number, _ in evaluator.successors(state)] if enabled is None else enabled
            found[name] = meaning.holds(enabled, -1)
    return found


def told(
    evaluator: Evaluator, meanings: Mapping[str, Meaning], before: State, number: int, after: State
) -> Told:
    """Return what the command with a number does in a state; `after` is the state that it leads to."""
    command = evaluator.model.commands[number]
    facts = known(command)
    old = holding(evaluator, meanings, before)
    new = holding(evaluator, meanings, after)
    return Told(
        command.name,
        evaluator.changes(before, after),
        facts.processes,
        facts.lines,
        facts.message(sent(evaluator, command, before)),
        {name: value for name, value in new.items() if old[name] != value},
    )
