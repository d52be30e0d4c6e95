"""Propositions about steps: `enabled(P)`, `moved(P, Q)` and `deadlock`.

They are read at a step, like all propositions in the state that the step leaves. `enabled(…)` says that a command of
one of these is enabled in that state, `moved(…)` that one of them takes the step, `deadlock` that no command is
enabled.
A name is that of a process, `P.wait` for the commands with which it leaves the location `wait`, or that of a command
as counterexamples show it, in quotes where it is no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from buchi.common.errors import InputError, Place, nearest
from buchi.models.guarded import Model, StepTest

_CALL = re.compile(r"(?P<what>enabled|moved)\s*\((?P<names>.*)\)", re.DOTALL)
_NAME = re.compile(
    r"""\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[^\s,'"][^,'"]*?))\s*(?:,|\Z)"""
)


def parse_step_proposition(text: str, model: Model) -> StepTest | None:
    """Return what a proposition says of steps; None if it is none of those. Raises InputError."""
    if text.strip() == "deadlock":
        return StepTest("enabled", tuple(range(len(model.commands))), negated=True)
    call = _CALL.fullmatch(text.strip())
    if call is None:
        return None
    what: Literal["enabled", "moved"] = "moved" if call["what"] == "moved" else "enabled"
    numbers = {number for name in _names(call["names"], text) for number in _commands(name, model)}
    return StepTest(what, tuple(sorted(numbers)))


def _names(text: str, whole: str) -> Iterator[str]:
    at = 0
    while True:
        found = _NAME.match(text, at)
        if found is None:
            raise _error(
                f"{whole.strip()} needs names of processes or commands", "write enabled(P) or moved(P, Q)"
            )
        yield next(name for name in found.groups() if name is not None)
        at = found.end()
        if not found.group().endswith(","):
            return


def _commands(name: str, model: Model) -> tuple[int, ...]:
    """Return the commands that a name stands for, by their numbers."""
    if name in model.processes:
        return model.processes[name]
    named = tuple(i for i, command in enumerate(model.commands) if command.name == name)
    named = named or _leaving(*name.rpartition(".")[::2], model)
    if named:
        return named
    known = [*model.processes, *model.named_commands]
    raise _error(f"the model has no process or command {name}", nearest(name, known))


def _leaving(process: str, location: str, model: Model) -> tuple[int, ...]:
    """Return the commands with which a process leaves a location."""
    counter = model.index.get(process)
    if counter is None or location not in model.variables[counter].values:
        return ()
    test = (counter, model.variables[counter].values.index(location))
    return tuple(i for i in model.processes.get(process, ()) if test in model.commands[i].at)


def _error(message: str, suggestion: str | None) -> InputError:
    return InputError(message, Place("proposition"), suggestion)
