"""What happens in a step, in the words of the model: who takes it, where that is written, what is sent."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

from pydantic import ConfigDict

MESSAGES = 1 << 16
"""Different values of messages that a run keeps; those of further ones are not told."""
EDGES = 200
"""Edges of an automaton that a run keeps: nobody reads a larger one."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is passed on. Without a sender it comes out of a buffer, without a receiver it goes into one."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    channel: str
    sender: str | None
    receiver: str | None
    values: tuple[int, ...] = ()

    def words(self) -> str:
        """Return it as DVE writes it: `data!1`, `data?{1, 2}`."""
        sign = "!" if self.sender is not None else "?"
        values = ", ".join(map(str, self.values))
        return self.channel + sign + (f"{{{values}}}" if len(self.values) > 1 else values)


@dataclass(frozen=True, slots=True)
class Told:
    """A step. `lines` are those of its processes; `propositions` are those that it changes, with their new values."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    command: str | None
    changes: dict[str, str]
    processes: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    message: Message | None = None
    propositions: dict[str, bool] = field(default_factory=dict)
    automaton: int | None = None
    """The state of the automaton that it leads to."""


class Known(NamedTuple):
    """What is known of a command beside its name."""

    processes: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    channel: str | None = None
    way: Literal["passed", "sent", "received"] = "passed"

    def message(self, values: tuple[int, ...]) -> Message | None:
        """Return what it passes on, given the values."""
        if self.channel is None:
            return None
        first, last = self.processes[0], self.processes[-1]
        sender = None if self.way == "received" else first
        return Message(self.channel, sender, None if self.way == "sent" else last, values)


@dataclass(frozen=True, eq=False)
class Notes:
    """What is known of packed steps beside states and commands, in a few bytes for each.

    `sent` has for each step the place of its values among `messages`, or -1; `letters` the propositions that hold in
    its state, as bits, and `automaton` the state of the automaton there. Either may be empty, and the letters may lack
    the last one, where they speak of a step that is not taken.
    """

    commands: Sequence[Known]
    messages: Sequence[tuple[int, ...]]
    sent: array[int]
    propositions: tuple[str, ...] = ()
    letters: array[int] = field(default_factory=lambda: array("B"))
    automaton: array[int] = field(default_factory=lambda: array("B"))
    edges: tuple[tuple[int, str, str, int], ...] = ()
    """Of the automaton, if it is small: source, label, marks, destination."""

    def part(self, where: slice) -> Notes:
        """Return the notes of some of the steps."""
        sent, letters, automaton = self.sent[where], self.letters[where], self.automaton[where]
        return replace(self, sent=sent, letters=letters, automaton=automaton)

    def message(self, index: int, command: int) -> Message | None:
        """Return what a step passes on."""
        place = self.sent[index]
        return self.commands[command].message(self.messages[place] if place >= 0 else ())

    def holding(self, index: int) -> dict[str, bool]:
        """Return the values of the propositions in a state, as far as they are known."""
        if index >= len(self.letters):
            return {}
        return {name: bool(self.letters[index] >> bit & 1) for bit, name in enumerate(self.propositions)}


class _Taken(Protocol):
    @property
    def command(self) -> str | None: ...


def stuck_from(prefix: Sequence[_Taken], cycle: Sequence[_Taken]) -> int | None:
    """Return the number of the state in which no command is enabled, which the run never leaves; None if it goes on."""
    if not cycle or cycle[0].command is not None:
        return None
    first = len(prefix)
    while first and prefix[first - 1].command is None:
        first -= 1
    return first


def compact(numbers: array[int]) -> array[int]:
    """Return numbers that are not negative in as few bytes as the largest of them needs."""
    largest = max(numbers, default=0)
    return array("B" if largest < 1 << 8 else "H" if largest < 1 << 16 else "Q", numbers)
