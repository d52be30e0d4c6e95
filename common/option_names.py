"""How messages name an option: `--max-states` on the command line, `max_states` in Python.

The command line is the default; the functions of `buchi` say that they speak to Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONGEST = 60
"""What is shown of a value: the user knows it, and it may be anything."""
_in_python: ContextVar[bool] = ContextVar("_in_python", default=False)


def option(name: str, value: object = None) -> str:
    """Return an option, by the name of its argument, as the user would write it; with its value if one is given."""
    in_python = _in_python.get()
    spelt = name if in_python else f"--{name.replace('_', '-')}"
    if value is None:
        return spelt
    shown = f"={value!r}" if in_python else f" {value}"
    return spelt + (shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…")


@contextmanager
def as_arguments() -> Iterator[None]:
    """Let messages speak of arguments meanwhile."""
    token = _in_python.set(True)
    try:
        yield
    finally:
        _in_python.reset(token)
