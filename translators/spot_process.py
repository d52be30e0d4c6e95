"""Run a translation where it can be stopped.

Spot holds the interpreter's lock while it translates and no signal handler of Python runs meanwhile, so a
formula that blows up can only be ended from outside. With a limit, the translation runs in a forked child,
which sends back the JSON of the result; without one it runs here, since a fork costs more than most
formulas.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from buchi.schemas.errors import BuchiError, InternalError, LimitReached
from buchi.schemas.interrupts import held_back
from buchi.schemas.registry import SCHEMAS
from buchi.translators.translator import Options, Translator


class Limits(NamedTuple):
    """What a translation may use; None is no limit."""

    seconds: float | None = None
    bytes: int | None = None


NO_LIMITS = Limits()
_GRACE = 0.2
_TICK = 0.1


def translate(
    translator: Translator, value: Any, options: Options | None = None, limits: Limits = NO_LIMITS
) -> Any:
    """Run a translator within limits.

    Raise `LimitReached` when one is met, and what the translator raises.
    """
    options = translator.options() if options is None else options
    if limits == NO_LIMITS:
        return translator.run(value, options)
    with _child(translator, value, options, limits) as (process, receiver):
        answer = _wait(process, receiver, limits.seconds)
    return _result(answer, type_of_result(translator))


def type_of_result(translator: Translator) -> Any:
    """Return the schema of what a translator makes."""
    return SCHEMAS[translator.target]


@contextmanager
def _child(
    translator: Translator, value: Any, options: Options, limits: Limits
) -> Iterator[tuple[BaseProcess, Connection]]:
    """Start the child; whatever happens, it is dead at the end."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(translator, value, options, limits, sender), daemon=True)
    try:
        with warnings.catch_warnings(), held_back():
            # The child runs nothing but Spot; that other threads exist here does not concern it.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        sender.close()
        yield process, receiver
    finally:
        _kill(process)
        receiver.close()


def _kill(process: BaseProcess) -> None:
    """End the child and the programs it may have started, which are in its process group."""
    if process.pid is None:
        return
    with suppress(ProcessLookupError):  # it may not have made its group yet
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _work(translator: Translator, value: Any, options: Options, limits: Limits, sender: Connection) -> None:
    """Translate, in the child."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # Spot's libraries print before they abort
    if limits.bytes is not None:
        _limit_memory(limits.bytes)
    answer: tuple[str, Any]
    try:
        answer = ("done", translator.run(value, options).model_dump_json())
    except MemoryError:
        answer = ("failed", LimitReached("translation: memory"))
    except BuchiError as error:
        answer = ("failed", error)
    except Exception as error:
        answer = ("failed", InternalError(f"{translator.name}: {type(error).__name__}: {error}"))
    sender.send_bytes(pickle.dumps(answer))


def _limit_memory(extra: int) -> None:
    """Allow `extra` bytes beyond what the process has."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        pages = int(statm.read().split()[0])
    limit = pages * resource.getpagesize() + extra
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _wait(process: BaseProcess, receiver: Connection, seconds: float | None) -> bytes:
    """Return the child's answer; an interrupt ends the wait, since Python polls in ticks."""
    end = None if seconds is None else time.monotonic() + seconds
    while not receiver.poll(_TICK if end is None else max(0.0, min(_TICK, end - time.monotonic()))):
        if end is not None and time.monotonic() >= end:
            raise LimitReached(f"translation: time ({seconds:g} s)")
    try:
        return receiver.recv_bytes()
    except EOFError:
        process.join(_GRACE)
        raise _crash(process.exitcode) from None


def _crash(code: int | None) -> BuchiError:
    """Return the error for a child that died without an answer."""
    if code == -signal.SIGKILL:
        return LimitReached("translation: killed, probably for its memory")
    if code == -signal.SIGABRT:
        return LimitReached("translation: memory")
    name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
    return InternalError(f"the translation crashed ({name})")


def _result(answer: bytes, schema: Any) -> Any:
    status, content = pickle.loads(answer)
    if status == "failed":
        raise content
    return schema.model_validate_json(content)
