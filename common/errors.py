"""The exceptions of the project. Only the command line turns them into exit codes.

BuchiError
├── InputError             the user's input or usage is at fault (exit code 2)
│   └── ModelRuntimeError  the model divides by zero, leaves an array
│       └── AssertionFails a state breaks an assertion: who can show the way there has a counterexample
├── LimitReached           a limit or an interruption ended the work before it was done (exit code 3)
└── InternalError          a promise of ours is broken, such as a counterexample that does not replay
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from buchi.common.ends import Reason


class BuchiError(Exception):
    """Base of all."""


@dataclass(frozen=True)
class Place:
    """Where in a text something is: 1-based line and column, and the line itself for the caret."""

    source: str
    line: int | None = None
    column: int | None = None
    text: str | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)


class InputError(BuchiError):
    """What the user gave cannot be used; the message says what, where, and what to try."""

    def __init__(self, message: str, place: Place | None = None, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.suggestion = suggestion

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.message}" if self.place else self.message]
        if self.place and self.place.text is not None and self.place.column is not None:
            lines += [f"  {self.place.text}", "  " + " " * (self.place.column - 1) + "^"]
        if self.suggestion:
            lines.append(self.suggestion)
        return "\n".join(lines)


class ModelRuntimeError(InputError):
    """A step of the model fails; `state` shows the state that caused it."""

    def __init__(self, message: str, state: str) -> None:
        super().__init__(message, suggestion=f"in the state {state}")
        self.args = (message, state)  # an exception may have to go to another process
        self.state = state


class AssertionFails(ModelRuntimeError):
    """An assertion of the model does not hold in a state."""


class LimitReached(BuchiError):
    """The work was ended before it was done; the message may say more than the reason."""

    def __init__(self, reason: Reason, message: str | None = None) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message or reason.value

    def __str__(self) -> str:
        return self.message


class InternalError(BuchiError):
    """A bug of this tool, never a verdict."""


_MOST, _LONGEST = 2000, 100
"""Names that are looked at for a suggestion, and characters of the one that was given."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return a sentence that names what the user may have meant, or None; where there are very many, of the first."""
    short = islice((other for other in known if len(other) <= _LONGEST), _MOST)
    close = difflib.get_close_matches(name[:_LONGEST], list(short), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else None
