"""How a run can end, what may end it before it is done, and how much it may use.

Nothing slow is imported here: a short command needs no more of the values than these.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Verdict(str, Enum):
    """The answer to "does the model have the property?"."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


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
