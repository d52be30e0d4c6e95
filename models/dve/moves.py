"""Transitions of one process in guarded terms: names resolved, guards and effects lowered, channels found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lark import Token

from buchi.models import arithmetic
from buchi.models.dve import syntax
from buchi.models.dve.scope import Channel, Names, kind
from buchi.models.guarded import Assign, Const, Element, Expr, Read, Type, Variable

_SIZE_OF_A_COMMAND = 10
"""What a transition without anything in it counts, in parts of an expression."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process whose names are declared."""

    syntax: syntax.Process
    counter: int
    names: Names
    committed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Move:
    """A transition, without the other side of a rendezvous. `values` are sent, cast to the channel.

    `stores` are the assignments of what is received, each with a zero in place of the value. `size` tells how much
    there is to compute.
    """

    process: Process
    transition: syntax.Transition
    source: int
    target: int
    guard: Expr
    effects: tuple[Assign, ...]
    channel: Channel | None
    values: tuple[Expr, ...]
    stores: tuple[Assign, ...]
    size: int

    @property
    def name(self) -> str:
        """What a counterexample shows."""
        locations = self.process.syntax.locations
        return f"{self.process.syntax.name}: {locations[self.source]} -> {locations[self.target]}"

    @property
    def line(self) -> int:
        """Where it is written."""
        return (self.transition.source or self.transition.target).line or 1

    @property
    def at(self) -> tuple[int, int]:
        """The test of the program counter."""
        return (self.process.counter, self.source)

    @property
    def committed(self) -> bool:
        """Does it leave a committed location?"""
        return self.source in self.process.committed

    @property
    def step(self) -> tuple[Assign, ...]:
        """The change of the program counter, if it changes."""
        return (Assign(self.process.counter, None, Const(self.target)),) if self.source != self.target else ()

    @property
    def targets(self) -> Sequence[syntax.Target]:
        """What it receives into."""
        sync = self.transition.sync
        return sync.targets if isinstance(sync, syntax.Receive) else ()

    def receive(self, values: Sequence[Expr]) -> tuple[Assign, ...]:
        """Return the assignments of received values; without targets the values are dropped."""
        return tuple(
            Assign(store.variable, store.index, value)
            for store, value in zip(self.stores, values, strict=False)
        )


def with_sources(process: syntax.Process, names: Names) -> Iterator[tuple[int, syntax.Transition]]:
    """Yield the transitions with their source locations, which default to that of the one before."""
    source: Token | None = None
    for transition in process.transitions:
        source = transition.source or source
        if source is None:
            message = f"the first transition of {process.name} has no source location"
            raise names.source.error(message, transition.target)
        yield names.scope.location(source), transition


def moves(process: Process, variables: Sequence[Variable]) -> Iterator[Move]:
    """Yield the transitions of a process in order."""
    for source, transition in with_sources(process.syntax, process.names):
        yield _move(process, transition, source, variables)


def _move(
    process: Process, transition: syntax.Transition, source: int, variables: Sequence[Variable]
) -> Move:
    names, guard, sync = process.names, transition.guard, transition.sync
    before = names.size
    channel, values = _channel(sync, names, variables)
    stored = sync.targets if isinstance(sync, syntax.Receive) else ()
    return Move(
        process,
        transition,
        source=source,
        target=names.scope.location(transition.target),
        guard=Const(1) if guard is None else names.lower(guard.condition),
        effects=tuple(
            names.assign(effect.target, names.lower(effect.value)) for effect in transition.effects
        ),
        channel=channel,
        values=values,
        stores=tuple(names.assign(target, Const(0)) for target in stored),
        size=names.size - before + len(transition.effects) + len(stored) + _SIZE_OF_A_COMMAND,
    )


def _channel(
    sync: syntax.Send | syntax.Receive | None, names: Names, variables: Sequence[Variable]
) -> tuple[Channel | None, tuple[Expr, ...]]:
    """Return the channel of a transition and the values sent."""
    if sync is None:
        return None, ()
    channel = names.scope.find(sync.channel)
    if not isinstance(channel, Channel):
        raise names.source.error(f"{sync.channel} is {kind(channel)}, not a channel", sync.channel)
    _check_arity(sync, channel, names)
    if isinstance(sync, syntax.Receive):
        return channel, ()
    values = [names.lower(value) for value in sync.values]
    types = channel.types or ()
    casts = [cast(value, kind, variables) for value, kind in zip(values, types, strict=False)]
    return channel, tuple(casts or values)


def _check_arity(sync: syntax.Send | syntax.Receive, channel: Channel, names: Names) -> None:
    """A typed channel is given all its values; a receiver may drop a message as a whole."""
    if channel.types is None:
        return
    given = len(sync.values if isinstance(sync, syntax.Send) else sync.targets)
    if given != len(channel.types) and (given or isinstance(sync, syntax.Send)):
        message = f"channel {sync.channel} carries {len(channel.types)} values, not {given}"
        raise names.source.error(message, sync.channel)


def cast(value: Expr, kind: Type, variables: Sequence[Variable]) -> Expr:
    """Return `value` as a channel field of type `kind` carries it."""
    if _fits(value, kind, variables):
        return value
    if kind is Type.BYTE:
        return arithmetic.binary("&", value, Const(0xFF))
    shifted = arithmetic.binary("+", value, Const(0x8000))
    return arithmetic.binary("-", arithmetic.binary("&", shifted, Const(0xFFFF)), Const(0x8000))


def _fits(value: Expr, kind: Type, variables: Sequence[Variable]) -> bool:
    if isinstance(value, Const):
        return kind.low <= value.value <= kind.high
    if isinstance(value, Read | Element):
        stored = variables[value.variable].type
        return kind.low <= stored.low and stored.high <= kind.high
    return arithmetic.is_boolean(value)
