"""What the command line prints: results on standard output, all else on standard error.

No exception ends in a traceback; BUCHI_DEBUG=1 shows the one of a bug. Text that comes from files can hold escape
sequences: none reaches a terminal.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from typing import TYPE_CHECKING, TextIO

import typer

from buchi.common.errors import InputError, InternalError, LimitReached
from buchi.common.interrupts import held_back
from buchi.pipeline import isolation
from buchi.pipeline.cli.exits import BAD_INPUT, BUG, HOLDS, UNKNOWN, VIOLATED
from buchi.pipeline.cli.lines import Line, line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from buchi.common.ends import Verdict
    from buchi.pipeline.search import Watch

__all__ = ["BAD_INPUT", "BUG", "HOLDS", "UNKNOWN", "VIOLATED", "err", "out", "reported"]

_MORE = "BUCHI_DEBUG=1 shows more"
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that a terminal takes for commands; tabs and ends of lines are text."""
_PIECE = 1 << 16


def printable(text: str) -> str:
    """Return a text in which control characters are only to be seen."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def is_plain(stream: TextIO | None) -> bool:
    """Is there nothing to colour or to wrap, so that rich need not be loaded? Its own variables ask for it too."""
    asked = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE")
    return not asked and not (stream is not None and stream.isatty())


@cache
def out() -> Console:
    """Return standard output for what rich renders."""
    from buchi.pipeline.cli.consoles import HarmlessConsole

    return HarmlessConsole(highlight=False, soft_wrap=True)


@cache
def err() -> Console:
    """Return standard error for what rich renders."""
    from buchi.pipeline.cli.consoles import HarmlessConsole

    return HarmlessConsole(stderr=True, highlight=False, soft_wrap=True)


def terminal_width() -> int | None:
    """Return the columns of the terminal that standard output is; None where it is none."""
    return None if is_plain(sys.stdout) or not out().is_terminal else out().width


class _ToParent(io.TextIOBase):
    """Standard output in a child: the parent writes it."""

    def __init__(self, instead_of: TextIO | None) -> None:
        self._encoding = instead_of.encoding if instead_of is not None else "utf-8"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return os.isatty(1)

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        isolation.say(isolation.OUTPUT, text.encode(self._encoding, errors="replace"))
        return len(text)


class _Forgiving(io.TextIOBase):
    """Standard error that nobody needs to read: a full disk or a closed pipe changes nothing."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None else io.StringIO()
        if isinstance(self._stream, io.TextIOWrapper):
            self._stream.reconfigure(errors="replace")

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
        return len(text)


def hand_to_parent(as_json: bool) -> None:
    """Print through the parent from now on. Beside a JSON object, nothing else may come to standard output."""
    sys.stderr = _Forgiving(sys.stderr)
    if as_json:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
    else:
        sys.stdout = _ToParent(sys.stdout)


class _ToStandardError(logging.Handler):
    """Shows what the pipeline has to say beside its result."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one message."""
        label = "warning" if record.levelno >= logging.WARNING else "note"
        print_message(line((f"{label}: ", "yellow"), record.getMessage()))


def show_messages() -> None:
    """Send the messages of the pipeline to standard error."""
    logger = logging.getLogger("buchi")
    logger.setLevel(logging.INFO)
    logger.handlers[:] = [_ToStandardError()]


def warn(message: str) -> None:
    """Show a message beside the result."""
    logging.getLogger("buchi").warning(message)


def warn_of(messages: Iterable[object]) -> None:
    """Show what a result warns of; in JSON it is part of the result."""
    for message in messages:
        warn(str(message))


def exit_code(verdict: Verdict) -> int:
    """Return the exit code of a verdict."""
    return {"holds": HOLDS, "violated": VIOLATED, "unknown": UNKNOWN}[verdict.value]


def decide(code: int) -> None:
    """Tell the parent the exit code; said before a long text is printed, it stays where the text is cut."""
    isolation.say(isolation.CODE, bytes([code]))


def print_lines(lines: Iterable[Line | RenderableType]) -> None:
    """Print lines for people."""
    plain = is_plain(sys.stdout)
    for one in lines:
        if not isinstance(one, Line):
            out().print(one)
        elif plain:
            sys.stdout.write(_as_text(one))
        else:
            out().print(one.styled())


def print_message(message: Line) -> None:
    """Print a line beside the result."""
    if is_plain(sys.stderr):
        sys.stderr.write(_as_text(message))
    else:
        err().print(message.styled())


def _as_text(message: Line) -> str:
    return printable(message.plain).expandtabs() + "\n"


def watching() -> AbstractContextManager[Watch]:
    """Give a watch that shows the progress of a search; nobody sees it where standard error is no terminal."""
    from buchi.pipeline.search import nobody

    if is_plain(sys.stderr):
        return nullcontext(nobody)
    from buchi.pipeline.cli.progress import shown_progress

    return shown_progress(err())


def print_json(*chunks: str) -> None:
    """Print the one JSON object of a run."""
    print_json_chunks(chunks)


def print_json_chunks(chunks: Iterable[str]) -> None:
    """Print the one JSON object of a run, which may be far longer than what memory is left.

    All of it is made, and kept compressed, before the first character is printed: from there on nothing keeps it from
    being whole.
    """
    packer = zlib.compressobj(1)
    packed = [packer.compress(_escaped(chunk)) for chunk in chunks]
    packed.append(packer.compress(b"\n") + packer.flush())
    unpacker = zlib.decompressobj()
    _print_bytes(piece for part in packed for piece in _pieces(unpacker, part))


def _escaped(text: str) -> bytes:
    return _CONTROLS.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode(errors="backslashreplace")


def _pieces(unpacker: zlib._Decompress, part: bytes) -> Iterator[bytes]:
    while part:
        yield unpacker.decompress(part, _PIECE)
        part = unpacker.unconsumed_tail


def print_document(text: str) -> None:
    """Print a text for programs, as it is; on a terminal, without control characters."""
    shown = printable(text) if sys.stdout is not None and sys.stdout.isatty() else text
    content = f"{shown}\n".encode(errors="backslashreplace")
    _print_bytes(content[start : start + _PIECE] for start in range(0, len(content), _PIECE))


def _print_bytes(pieces: Iterable[bytes]) -> None:
    if not isolation.is_isolated():
        sys.stdout.write(b"".join(pieces).decode())
        return
    with held_back(for_good=True):
        for piece in pieces:
            isolation.say(isolation.OUTPUT, piece)


@contextmanager
def reported(as_json: bool = False) -> Iterator[None]:
    """Turn exceptions into one message and an exit code; with `as_json` it is the JSON object as well."""
    try:
        yield
    except InputError as error:
        raise _failed(error, str(error), BAD_INPUT, as_json) from None
    except LimitReached as error:
        raise _failed(error, f"the limit was reached: {error}", UNKNOWN, as_json) from None
    except KeyboardInterrupt as error:
        raise _failed(error, "interrupted", UNKNOWN, as_json) from None
    except MemoryError as error:
        with isolation.memory_is_metered():
            raise _failed(error, "memory ran out", UNKNOWN, as_json) from None
    except SystemExit as error:
        message = f"a plugin tried to end the program (sys.exit({error.code!r}))"
        raise _failed(error, message, BAD_INPUT, as_json) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if hasattr(error, "format_message"):  # of Typer: the arguments are wrong
            raise
        raise _failed(error, _bug_message(error), BUG, as_json) from None


def _failed(error: BaseException, message: str, code: int, as_json: bool) -> typer.Exit:
    print_message(line(("error: ", "bold red"), message))
    if code == BUG and os.environ.get("BUCHI_DEBUG"):
        import traceback

        print_message(line("".join(traceback.format_exception(error))))
    if as_json:
        print_error(message)
    return typer.Exit(code)


def print_error(message: str) -> None:
    """Print the JSON object of a command that failed."""
    print_json(json.dumps({"error": message}))


def _bug_message(error: Exception) -> str:
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    return f"{what}\nthis is a bug of buchi: please report it with the model and the command ({_MORE})"
