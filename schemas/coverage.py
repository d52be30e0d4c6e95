"""What of a model never occurs in an exploration."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from buchi.common.ends import Reason
from buchi.schemas.counted import Count
from buchi.schemas.steps import Value


class NamedCommand(Value):
    """A command by its name, with the processes that take part; `number` tells it from others of the same name."""

    name: str
    processes: tuple[str, ...]
    number: Annotated[int, Field(ge=1)] = 1
    """Which it is of those with this name, in the order of the model."""
    of: Annotated[int, Field(ge=1)] = 1
    """How many have this name."""

    def __str__(self) -> str:
        return self.name if self.of == 1 else f"{self.name} ({self.number} of {self.of})"


class Coverage(Value):
    """What never occurs in the states that were seen: all that are reachable, unless `reason` tells what ended it."""

    states: Count
    reason: Reason | None = None
    locations: tuple[str, ...] = ()
    """Locations of processes that were never reached, as `P.wait`; of a net, places that never had a token."""
    commands: tuple[NamedCommand, ...] = ()
    """Commands that were never enabled."""
    unread: tuple[str, ...] = ()
    """Variables that no guard, effect, assertion or proposition reads."""
    unwritten: tuple[str, ...] = ()
    """Variables that no command writes which was enabled."""

    @property
    def is_full(self) -> bool:
        """Did everything occur?"""
        return not (self.locations or self.commands or self.unread or self.unwritten)
