"""A function that is called in a child."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from buchi.pipeline.isolation.inside import heed_interrupts, say
from buchi.pipeline.isolation.messages import RESULT
from buchi.pipeline.isolation.outside import FAREWELL, Child, Death
from buchi.pipeline.isolation.signals import interrupts_call

Result = TypeVar("Result")


class Ended(Exception):  # noqa: N818  (it is an end, not an error)
    """A call that was isolated had no answer; `so_far` is what it had left for this case."""

    def __init__(self, death: Death, so_far: bytes | None) -> None:
        super().__init__(str(death))
        self.death = death
        self.so_far = so_far


def call(work: Callable[[], Result], farewell: float = FAREWELL) -> Result:
    """Return what `work` returns, or raise what it raises, after it ran in a child. Raises Ended where it did not.

    Nothing that `work` does to this process is seen here. An interrupted child has `farewell` seconds to end.
    """
    _flush()
    child = Child(lambda: _answer(work), farewell)
    answer = None
    try:
        with interrupts_call(child.interrupt):
            while (heard := child.hear()) is not None:
                answer = heard[1] if heard[0] == RESULT else answer
    finally:
        death = child.end()
    if answer is None:
        raise Ended(death, child.so_far)
    returned, value = pickle.loads(answer)
    if not returned:
        raise value
    return value  # type: ignore[no-any-return]


def _answer(work: Callable[[], Any]) -> None:
    try:
        heed_interrupts()
        answer = pickle.dumps((True, work()))
    except BaseException as error:  # it belongs to the one who called
        answer = pickle.dumps((False, _sendable(error)))
    say(RESULT, answer)


def _sendable(error: BaseException) -> BaseException:
    """Return an exception that survives the way to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _flush() -> None:
    """Leave nothing in buffers that parent and child would both write."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
