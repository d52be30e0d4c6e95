"""Runs that were kept in files, as `check --trace` and `simulate --json` write them, followed in a model.

A run that is not one of the model is refused: the file may be of another model, or of somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from buchi.common.errors import InputError, Place
from buchi.models.evaluate import Evaluator, State
from buchi.pipeline import isolation
from buchi.pipeline.loading import read_text
from buchi.pipeline.simulation import Choice
from buchi.schemas.steps import Step

_NUMBER = re.compile(r"-?\d{1,10}")
_ANOTHER = "is it the trace of another model, or of other constants?"


def read_trace(path: Path, evaluator: Evaluator) -> list[Choice]:
    """Return the steps of the run in a file, a cycle once. Raises InputError where it is none of the model."""
    isolation.stage(f"reading {path}", reads=True)
    return list(_followed(_steps(read_text(path), str(path)), evaluator, str(path)))


def _steps(text: str, source: str) -> list[Step]:
    """Return the states of a run, and where it goes round the first of the cycle once more."""
    try:
        document: Any = TypeAdapter(dict[str, Any]).validate_json(text)
        document = document.get("counterexample") or document
        parts = [document["steps"]] if "steps" in document else [document["prefix"], document["cycle"]]
        read = TypeAdapter(list[Step]).validate_python
        run, cycle = read(parts[0]), read(parts[1] if len(parts) > 1 else [])
    except (ValidationError, KeyError, AttributeError, TypeError):
        raise InputError(
            "this is no trace",
            Place(source),
            "`buchi check --trace FILE` and `buchi simulate --json` write some",
        ) from None
    return [*run, *cycle, *cycle[:1]]


def _followed(steps: Iterable[Step], evaluator: Evaluator, source: str) -> Iterator[Choice]:
    states = iter(steps)
    before = next(states, None)
    if before is None or _state(before, 0, evaluator, source) != evaluator.initial():
        raise InputError(
            "the trace does not begin in the initial state of the model", Place(source), _ANOTHER
        )
    state = evaluator.initial()
    for number, after in enumerate(states, 1):
        goal = _state(after, number, evaluator, source)
        if before.command is None and goal == state:
            return  # nothing is enabled any more
        step = _step(state, goal, before.command, evaluator)
        if step is None:
            raise InputError(
                f"state {number} of the trace does not follow from the one before", Place(source), _ANOTHER
            )
        yield step
        before, state = after, goal


def _step(state: State, goal: State, command: str | None, evaluator: Evaluator) -> Choice | None:
    """Return the step that the trace takes: by the command that it names, if there is one."""
    steps = [Choice(*step) for step in evaluator.successors(state) if step[1] == goal]
    named = (step for step in steps if evaluator.model.commands[step.command].name == command)
    return next(named, steps[0] if steps else None)


def _state(step: Step, number: int, evaluator: Evaluator, source: str) -> State:
    """Return the state that a step of a trace shows. Raises InputError."""
    elements = evaluator.layout.elements
    if set(step.state) != {name for name, _ in elements}:
        raise InputError(
            f"state {number} of the trace has other variables than the model", Place(source), _ANOTHER
        )
    return tuple(_value(step.state[name], names, source) for name, names in elements)


def _value(text: str, names: tuple[str, ...], source: str) -> int:
    if text in names:
        return names.index(text)
    if not _NUMBER.fullmatch(text):
        raise InputError(
            f"the trace has the value {text[:40]!r}, which the model does not know", Place(source)
        )
    return int(text)
