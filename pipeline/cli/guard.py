"""The command `buchi`: runs the command line in a child, passes on what it prints, and ends with its exit code.

Whatever happens to the child, the exit code is one of those of `exits`, and with --json there is one object on
standard output. Only this process writes there: a reader that goes away, a full disk or a closed descriptor never
changes a verdict into another.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import time
from collections.abc import Sequence, Sized
from contextlib import suppress
from itertools import pairwise

from buchi.pipeline import isolation
from buchi.pipeline.cli.exits import BAD_INPUT, BUG, CODES, UNKNOWN
from buchi.pipeline.isolation import Child, Death

PIECE = select.PIPE_BUF
"""What can be written to a pipe that has room without waiting."""


def guarded(arguments: Sequence[str], asked: Sized = ()) -> int:
    """Run the command line in a child and return the exit code; `asked` are the interrupts up to now."""
    output = Output(wants_json(arguments))
    child = Child(lambda: _command(output))

    def interrupt() -> None:
        output.interrupt()
        child.interrupt()

    with isolation.interrupts_call(interrupt), _pauses(child):
        for _ in range(len(asked)):
            interrupt()
        code = _relay(child, output)
    death = child.end()
    if code is None:
        code = _obituary(child, death, output)
    elif death.reason is not None:
        tell(f"note: the output is not complete: {death}")
    return BAD_INPUT if output.failed else code


def wants_json(arguments: Sequence[str]) -> bool:
    """Is the output to be one JSON object? Known here too, since there may never be a child that tells."""
    return (
        "--json" in arguments or "--format=json" in arguments or ("--format", "json") in pairwise(arguments)
    )


def _command(output: Output) -> None:
    """Be the child: the command line, with its output handed to the parent."""
    from buchi.pipeline.cli import app as cli

    cli.run(output.as_json)


def _relay(child: Child, output: Output) -> int | None:
    """Pass on the output; return the exit code, None if there was none."""
    code = None
    while (heard := child.hear()) is not None:
        kind, content = heard
        if kind == isolation.CODE:
            code = content[0] if content[0] in CODES else BUG
        elif kind == isolation.PARTS:
            output.in_parts = bool(content[0])
        elif kind == isolation.OUTPUT:
            child.wait_longer(output.write(content))
            if output.as_json:
                child.let_finish()
    return code


def _obituary(child: Child, death: Death, output: Output) -> int:
    """Say how a child died without an exit code, and return one."""
    if death.reason is not None:
        code, more = UNKNOWN, ""
    elif death.stage.reads:
        code, more = BAD_INPUT, ": what it was given is not what it seems"
    else:
        code, more = BUG, "\nthis is a bug of buchi: please report it with the model and the command"
    tell(f"error: {death}{more}")
    if output.as_json and not output.begun:
        output.write(_last_words(child, death, f"{death}{more}") + b"\n")
    return code


def _last_words(child: Child, death: Death, message: str) -> bytes:
    """Return the JSON object: the result so far where there is one, else the error."""
    import json

    if death.reason is None or child.so_far is None:
        return json.dumps({"error": message}).encode()
    known = json.loads(child.so_far)
    return json.dumps({**known, "reason": death.reason, "seconds": round(death.seconds, 3)}).encode()


def tell(message: str) -> None:
    """Print a message beside the result, if anybody can read it."""
    with suppress(OSError):
        os.write(2, (message + "\n").encode(errors="replace"))


class Output:
    """Standard output; once it cannot be written, nothing is."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.begun = False
        self.in_parts = False
        """Is what is printed now only a part, each of which is worked for?"""
        self.failed = False
        self._gone = False
        self._interrupts = 0
        for number in range(3):  # a descriptor that is closed would be that of the next file opened
            with suppress(OSError):
                os.fstat(number)
                continue
            os.open(os.devnull, os.O_RDONLY)

    def write(self, content: bytes) -> float:
        """Write all; return the seconds that the reader made wait. Interrupts are heeded meanwhile."""
        self.begun = self.begun or bool(content)
        began = time.monotonic()
        rest = memoryview(content)
        room = select.poll()
        room.register(1, select.POLLOUT)
        while rest and not self._gone:
            try:
                if room.poll(isolation.TICK * 1000):
                    rest = rest[os.write(1, rest[:PIECE]) :]
            except OSError as error:
                self._give_up(error)
        return time.monotonic() - began

    def interrupt(self) -> None:
        """Stop writing; a JSON object is written to its end unless nobody seems to read it."""
        self._interrupts += 1
        if self.begun and not self.in_parts and (not self.as_json or self._interrupts > isolation.PATIENCE):
            self._gone = True

    def _give_up(self, error: OSError) -> None:
        """Let `buchi … | head` end with its own exit code; a result that is lost otherwise is no verdict."""
        self._gone = True
        if error.errno != errno.EPIPE:
            self.failed = True
            tell(f"error: cannot write the result: {error.strerror}")


class _pauses:  # noqa: N801  (a context manager)
    """Lets Ctrl-Z stop the child too: it is in a process group of its own."""

    def __init__(self, child: Child) -> None:
        self._child = child

    def __enter__(self) -> None:
        self._listen()

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    def _listen(self) -> None:
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._pause)

    def _pause(self, number: int, _frame: object) -> None:
        began = time.monotonic()
        self._child.pause(signal.SIGSTOP)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Here again after the shell's `fg`.
        self._listen()
        self._child.wait_longer(time.monotonic() - began)
        self._child.pause(signal.SIGCONT)
