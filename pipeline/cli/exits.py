"""The exit codes. Nothing else ends a command: 1 means violated, whatever happens."""

from __future__ import annotations

CODES = HOLDS, VIOLATED, BAD_INPUT, UNKNOWN, BUG = range(5)
