"""Work in a child process that another one watches over: whatever the work does, it can be limited and ended.

The child tells the parent what it is doing, what it may use and what it has found so far. The parent looks at the
child's time and memory, ends it when it must, and can then say what the work was and why it ended. A child whose
parent dies, dies with it.

Nothing slow is imported here: the command line begins with this folder.
"""

from __future__ import annotations

from buchi.pipeline.isolation.calls import Calls, Ended, call
from buchi.pipeline.isolation.inside import (
    be_silent,
    begin_apart,
    end_with,
    heed_interrupts,
    heeded,
    is_isolated,
    join_terminal,
    limit,
    memory_is_metered,
    memory_left,
    say,
    so_far,
    stage,
)
from buchi.pipeline.isolation.messages import CODE, OUTPUT, PARTS
from buchi.pipeline.isolation.outside import PATIENCE, TICK, Child, Death, fork
from buchi.pipeline.isolation.processes import descendants, resident, signal_name
from buchi.pipeline.isolation.signals import interrupts_call

__all__ = [
    "CODE",
    "OUTPUT",
    "PARTS",
    "PATIENCE",
    "TICK",
    "Calls",
    "Child",
    "Death",
    "Ended",
    "be_silent",
    "begin_apart",
    "call",
    "descendants",
    "end_with",
    "fork",
    "heed_interrupts",
    "heeded",
    "interrupts_call",
    "is_isolated",
    "join_terminal",
    "limit",
    "memory_is_metered",
    "memory_left",
    "resident",
    "say",
    "signal_name",
    "so_far",
    "stage",
]
