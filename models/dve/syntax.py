"""The syntax tree of a DVE text. Names are tokens of the parser, so that each of them knows its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lark import Token

from buchi.models.expressions import Postfix


@dataclass(slots=True)
class Braces:
    """The initial values of an array."""

    values: list[Postfix]


@dataclass(slots=True)
class Item:
    """A declared variable or constant."""

    name: Token
    size: Postfix | None
    initial: Postfix | Braces | None


@dataclass(slots=True)
class Variables:
    """A declaration of variables, or of constants."""

    constant: bool
    type: Token
    items: list[Item]


@dataclass(slots=True)
class Channels:
    """A declaration of channels; without `types` they are untyped rendezvous and have no capacity."""

    types: list[Token] | None
    items: list[tuple[Token, Postfix | None]]


Declaration: TypeAlias = Variables | Channels


@dataclass(slots=True)
class Target:
    """What a value is stored in."""

    name: Token
    index: Postfix | None


@dataclass(slots=True)
class Effect:
    """An assignment."""

    target: Target
    value: Postfix


@dataclass(slots=True)
class Guard:
    """A guard, and the text it was written as."""

    condition: Postfix
    start: int
    end: int


@dataclass(slots=True)
class Send:
    """`sync channel!values`."""

    channel: Token
    values: list[Postfix]


@dataclass(slots=True)
class Receive:
    """`sync channel?targets`."""

    channel: Token
    targets: list[Target]


@dataclass(slots=True)
class Transition:
    """A transition; without a source it leaves from where the one before it left."""

    source: Token | None
    target: Token
    guard: Guard | None
    sync: Send | Receive | None
    effects: list[Effect]


@dataclass(slots=True)
class Assertion:
    """A condition that must hold in a location; it stands in the text from `start` to `end`."""

    location: Token
    condition: Postfix
    start: int
    end: int


@dataclass(slots=True)
class Assertions:
    """A section of assertions."""

    assertions: list[Assertion]


@dataclass(slots=True)
class Committed:
    """Locations whose processes move before all others."""

    locations: list[Token]


@dataclass(slots=True)
class Accepting:
    """Accepting locations; they mean something in a property process only."""

    locations: list[Token]


@dataclass(slots=True)
class Process:
    """A process."""

    name: Token
    declarations: list[Variables]
    locations: list[Token]
    initial: Token
    committed: list[Token]
    accepting: list[Token]
    assertions: list[Assertion]
    transitions: list[Transition]


@dataclass(slots=True)
class System:
    """A whole text. `mode` is `async` or `sync`."""

    declarations: list[Declaration]
    processes: list[Process]
    mode: Token
    property: Token | None
