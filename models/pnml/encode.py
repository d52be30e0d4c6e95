"""A net as guarded commands, one for each transition.

A unit, of whose places at most one is marked, is a program counter: zero where none is, else the number of the place.
It has as few bits as these numbers need. A place of no unit is a count of tokens, as narrow as the marking lets it
begin; it is widened where it gets too small.
What a file claims of a unit is looked at wherever a token comes to it: a second one is an overflow.

Transitions are filed under the test that the fewest of them make, so that a state looks at few of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from buchi.common.errors import InputError
from buchi.models.guarded import (
    Assign,
    Binary,
    BinaryOperator,
    Command,
    Const,
    Expr,
    Model,
    Read,
    Type,
    Variable,
)
from buchi.models.pnml.invariants import find_units
from buchi.models.pnml.net import Net, Transition

EMPTY: Final = "-"
"""What the value of a unit is called that has no token."""
_COUNTS: Final = (Type.BYTE, Type.WORD, Type.COUNT32)
_NUMBERS: Final = (Type.BIT, Type.PAIR, Type.NIBBLE, *_COUNTS)
_NEVER: Final = -(1 << 30)
"""What no variable of a net can hold, and no wider one either."""


def encode(net: Net) -> Model:
    """Return the model of a net, with the units that it claims to have, else with those that can be proved."""
    proved = not net.units
    layout = _Layout.of(net, find_units(net) if proved else net.units, proved)
    commands = [layout.command(transition) for transition in net.transitions]
    return Model(
        name=net.name,
        variables=layout.variables,
        commands=tuple(_filed(commands)),
        constants=layout.constants(),
        widens=True,
    )


def tokens(model: Model) -> list[Expr]:
    """Return the tokens of each place, or of a unit, which has one or none. Raises InputError where it is no net."""
    if not model.widens:
        raise InputError("only Petri nets have tokens")
    return [
        Binary("!=", Read(number), Const(0)) if variable.values else Read(number)
        for number, variable in enumerate(model.variables)
    ]


@dataclass(frozen=True)
class _Layout:
    """Where each place is: its variable, and for one of a unit the value that stands for it."""

    net: Net
    variables: tuple[Variable, ...]
    of_place: tuple[tuple[int, int | None], ...]
    proved: bool
    """Is it proved that no unit gets a second token?"""

    @classmethod
    def of(cls, net: Net, units: Sequence[tuple[int, ...]], proved: bool) -> _Layout:
        counted = set(range(len(net.places))).difference(*units)
        most = _most_put(net)
        parts = [(_unit(net, unit, number), unit) for number, unit in enumerate(units)]
        parts += [(_count(net, place, most[place]), (place,)) for place in sorted(counted)]
        parts.sort(key=lambda part: -min(part[0].type.bits, 8))
        where = {
            place: (number, None if place in counted else value)
            for number, (_, places) in enumerate(parts)
            for value, place in enumerate(places, 1)
        }
        variables = tuple(variable for variable, _ in parts)
        return cls(net, variables, tuple(where[place] for place in range(len(net.places))), proved)

    def constants(self) -> dict[str, Expr]:
        """Return what the places are that are not variables."""
        return {
            name: Binary("==", Read(variable), Const(value))
            for name, (variable, value) in zip(self.net.places, self.of_place, strict=True)
            if value is not None and self.variables[variable].values
        }

    def command(self, transition: Transition) -> Command:
        """Return the command of a transition; one that needs two tokens of a unit is never enabled."""
        at: dict[int, int] = {}
        least: list[tuple[int, int]] = []
        guard = None
        for place, weight in transition.inputs.items():
            variable, value = self.of_place[place]
            if value is None:
                least.append((variable, weight))
            elif weight > 1 or at.setdefault(variable, value) != value:
                guard = Const(0)
        effects = (*self._counts(transition), *self._moves(transition, at))
        return Command(transition.name, tuple(at.items()), guard, (), effects, least=tuple(least))

    def _counts(self, transition: Transition) -> Iterator[Assign]:
        for place, change in transition.change.items():
            variable, value = self.of_place[place]
            if value is None:
                operator: BinaryOperator = "+" if change > 0 else "-"
                yield Assign(variable, None, Binary(operator, Read(variable), Const(abs(change))))

    def _moves(self, transition: Transition, at: dict[int, int]) -> Iterator[Assign]:
        """Yield what becomes of the units; one that would get two tokens gets a number that it cannot hold."""
        after: dict[int, int] = {}
        for place, weight in transition.outputs.items():
            variable, value = self.of_place[place]
            if value is not None:
                after[variable] = value if weight == 1 and variable not in after else _NEVER
        for variable in {**at, **after}:
            value = after.get(variable, 0)
            if variable not in at and not self.proved:
                taken = Binary("*", Binary("!=", Read(variable), Const(0)), Const(_NEVER))
                yield Assign(variable, None, Binary("+", taken, Const(value)))
            elif value != at.get(variable):
                yield Assign(variable, None, Const(value))


def _unit(net: Net, unit: tuple[int, ...], number: int) -> Variable:
    """Return the program counter of a unit; one of a single place goes by its name."""
    marked = next((value for value, place in enumerate(unit, 1) if net.marking[place]), 0)
    if len(unit) == 1:
        return Variable(net.places[unit[0]], Type.BIT, initial=(marked,))
    values = (EMPTY, *(net.places[place] for place in unit))
    return Variable(f"unit {number}", _narrowest(len(unit), _NUMBERS), initial=(marked,), values=values)


def _count(net: Net, place: int, most: int) -> Variable:
    """Return the tokens of a place, to which a transition brings so many at most."""
    kind = _narrowest(max(net.marking[place], most), _COUNTS)
    return Variable(net.places[place], kind, initial=(net.marking[place],))


def _most_put(net: Net) -> list[int]:
    """Return for each place the largest number of tokens that one transition puts there."""
    most = [0] * len(net.places)
    for transition in net.transitions:
        for place, weight in transition.outputs.items():
            most[place] = max(most[place], weight)
    return most


def _narrowest(most: int, kinds: Sequence[Type]) -> Type:
    """Return the smallest type that has a number."""
    return next(kind for kind in kinds if most <= kind.high)


def _filed(commands: list[Command]) -> list[Command]:
    """Put the rarest test of each command first, and bring those together that begin with the same variable."""
    users = Counter(test for command in commands for test in command.at)
    takers = Counter(variable for command in commands for variable, _ in command.least)
    filed = [
        replace(
            command,
            at=tuple(sorted(command.at, key=lambda test: users[test])),
            least=tuple(sorted(command.least, key=lambda test: takers[test[0]])),
        )
        for command in commands
    ]
    return sorted(filed, key=lambda command: (command.at[:1], command.least[:1]))
