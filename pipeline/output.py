"""What the command line prints and how it ends: results on standard output, all else on standard error.

Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 unknown, 4 a bug of buchi. No exception ends in a
traceback, whose exit code 1 would read as `violated`; BUCHI_DEBUG=1 shows the traceback of a bug.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from buchi.schemas.errors import InputError, InternalError, LimitReached

HOLDS, VIOLATED, BAD_INPUT, UNKNOWN, BUG = range(5)

_MORE = "BUCHI_DEBUG=1 shows more"

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


class _ToStandardError(logging.Handler):
    """Shows what the pipeline has to say beside its result."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one message."""
        label = "warning" if record.levelno >= logging.WARNING else "note"
        err.print(Text.assemble((f"{label}: ", "yellow"), record.getMessage()))


def show_messages() -> None:
    """Send the messages of the pipeline to standard error."""
    logger = logging.getLogger("buchi")
    logger.setLevel(logging.INFO)
    logger.handlers[:] = [_ToStandardError()]


def warn(message: str) -> None:
    """Show a message beside the result."""
    logging.getLogger("buchi").warning(message)


def print_lines(lines: Iterable[Text | Table]) -> None:
    """Print lines for people."""
    with _written():
        for line in lines:
            out.print(line)
        out.file.flush()


def print_json(text: str) -> None:
    """Print the one JSON object of a run."""
    with _written():
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


@contextmanager
def _written() -> Iterator[None]:
    """Let `buchi … | head` end with its own exit code: nobody reads the rest, and that is fine.

    Where the result cannot be written for another reason, such as a full disk, the exit code must not tell it.
    """
    try:
        yield
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            err.print(Text.assemble(("error: ", "bold red"), f"cannot write the result: {error.strerror}"))
            raise typer.Exit(BAD_INPUT) from None


@contextmanager
def reported(as_json: bool = False) -> Iterator[None]:
    """Turn exceptions into one message and an exit code; with `as_json` it is the JSON object as well."""
    try:
        yield
    except InputError as error:
        raise _failed(error, str(error), BAD_INPUT, as_json) from None
    except LimitReached as error:
        raise _failed(error, f"the limit was reached: {error.reason}", UNKNOWN, as_json) from None
    except KeyboardInterrupt as error:
        raise _failed(error, "interrupted", UNKNOWN, as_json) from None
    except MemoryError as error:
        raise _failed(error, "memory ran out", UNKNOWN, as_json) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        raise _failed(error, _bug_message(error), BUG, as_json) from None


def _failed(error: BaseException, message: str, code: int, as_json: bool) -> typer.Exit:
    err.print(Text.assemble(("error: ", "bold red"), message))
    if code == BUG and os.environ.get("BUCHI_DEBUG"):
        err.print(Text("".join(traceback.format_exception(error))))
    if as_json:
        print_json(json.dumps({"error": message}))
    return typer.Exit(code)


def _bug_message(error: Exception) -> str:
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    return f"{what}\nthis is a bug of buchi: please report it with the model and the command ({_MORE})"
