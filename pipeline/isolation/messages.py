"""What a child says to the process that watches over it, and how it is written on the line between them."""

from __future__ import annotations

import struct
from typing import NamedTuple

STAGE, LIMIT, SO_FAR, PARTS, OUTPUT, CODE, RESULT, HEEDED = b"SLUPOCRH"
"""What a child can say."""
HEAD = struct.Struct("<BI")
"""Before each message: what it says, and how long it is."""
LIMITS = struct.Struct("<dQ")
"""Seconds and bytes that a child may have."""
FOREVER = -1.0
"""The seconds of a child that has no limit of time."""


class Stage(NamedTuple):
    """What a child is doing.

    A crash while it reads is the fault of what it reads. One that has processes of its own to end is given the time.
    """

    what: str
    reads: bool = False
    has_others: bool = False
