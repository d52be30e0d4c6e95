"""How much a run may use, and what ends it before it is done.

Nothing slow is imported here: a short command needs no more of the values than these.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Reason(str, Enum):
    """What ended a search before it was done."""

    INTERRUPTED = "interrupted"
    TIME = "time"
    STATES = "states"
    MEMORY = "memory"


class Limits(NamedTuple):
    """How much a run may use; None is no limit, except that `bytes` then follows the memory that is free."""

    seconds: float | None = None
    states: int | None = None
    bytes: int | None = None
