"""What of a model never occurs in the states that an exploration saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from buchi.models.bytecode import TYPES
from buchi.models.guarded import Assign, Command, Expr, Meaning, Model, StepTest, footprint, variables_read
from buchi.pipeline.ended import Ended
from buchi.schemas.coverage import Coverage, NamedCommand


class Places(NamedTuple):
    """The locations that a variable stands for: the name of each value, None for one that is no location."""

    variable: int
    names: tuple[str | None, ...]


def places(model: Model) -> list[Places]:
    """Return the locations of a model; those of a net are its places, whether they are counts or share a variable."""
    return [
        Places(number, names)
        for number, variable in enumerate(model.variables)
        if variable.length is None and (names := tuple(_names(model, number)))
    ]


def _names(model: Model, number: int) -> Iterator[str | None]:
    variable = model.variables[number]
    if not model.widens:
        yield from (f"{variable.name}.{value}" for value in variable.values)
        yield from (None,) if variable.values else ()  # whatever else it may be
    elif variable.values:
        yield from (value if value in model.constants else None for value in variable.values)
    else:
        yield from (None, variable.name)


def watched(model: Model) -> list[tuple[int, int, int]]:
    """Return the variables whose values an exploration is to note, as the engine takes them."""
    return [
        (TYPES[model.variables[variable].type], model.offsets[variable], len(names))
        for variable, names in places(model)
    ]


def covered(model: Model, ended: Ended, propositions: Iterable[Meaning] = ()) -> Coverage | None:
    """Return what never occurred in an exploration that watched the variables; None if that is not known."""
    if not ended.seen:
        return None
    commands, *values = ended.seen
    of_states = [meaning for meaning in propositions if not isinstance(meaning, StepTest)]
    return Coverage(
        states=ended.counters.post_calls,
        reason=ended.reason,
        locations=tuple(_locations(model, values)),
        commands=tuple(_commands(model, commands)),
        unread=tuple(_unread(model, of_states)),
        unwritten=tuple(_unwritten(model, commands)),
    )


def _locations(model: Model, values: Iterable[Sequence[int]]) -> Iterator[str]:
    for (_, names), row in zip(places(model), values, strict=True):
        yield from (name for name, seen in zip(names, row, strict=True) if name is not None and not seen)


def _commands(model: Model, seen: Sequence[int]) -> Iterator[NamedCommand]:
    total = Counter(command.name for command in model.commands)
    met = Counter[str]()
    for command, enabled in zip(model.commands, seen, strict=True):
        name = command.name
        met[name] += 1
        if not enabled:
            yield NamedCommand(name=name, processes=command.processes, number=met[name], of=total[name])


def _unread(model: Model, propositions: Iterable[Expr]) -> Iterator[str]:
    """Yield the variables that nothing looks at."""
    conditions = [*model.shared, *(assertion.condition for assertion in model.assertions), *propositions]
    read = {variable for expr in conditions for variable in variables_read(model, expr)}
    read.update(variable for assertion in model.assertions for variable, _ in assertion.at)
    return _without(model, read.union(*(footprint(model, command).reads for command in model.commands)))


def _unwritten(model: Model, seen: Sequence[int]) -> Iterator[str]:
    """Yield the variables that no command wrote; what a program counter does is told by its locations."""
    enabled = [command for command, was in zip(model.commands, seen, strict=True) if was]
    written = {assign.variable for command in enabled for assign in _assigns(command)}
    return _without(model, written | {number for number, v in enumerate(model.variables) if v.values})


def _assigns(command: Command) -> Sequence[Assign]:
    return command.transfer + command.effects


def _without(model: Model, numbers: set[int]) -> Iterator[str]:
    """Yield the other variables by name; how the places of a net are kept in variables is nobody's concern."""
    variables = () if model.widens else model.variables
    return (variable.name for number, variable in enumerate(variables) if number not in numbers)
