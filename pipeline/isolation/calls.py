"""Functions that are called in a child: one, or several one after the other."""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from buchi.pipeline.isolation.inside import begin_anew, heed_interrupts, say
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
    try:
        answer = _heard(child)
    finally:
        death = child.end()
    if answer is None:
        raise Ended(death, child.so_far)
    return _opened(answer)  # type: ignore[no-any-return]


class Calls:
    """Calls functions in a child that stays for the next one; where one of them ends it, there will be another.

    What a function does to its process is seen by those that are called after it, as long as the child lives.
    """

    def __init__(self, works: Sequence[Callable[[], Any]]) -> None:
        self._works = works
        self._child: Child | None = None
        self._questions = -1

    def __call__(self, number: int) -> Any:
        """Return what a function returns, or raise what it raises. Raises Ended where it did neither."""
        child = self._child = self._child or self._start()
        child.let_finish()  # the time of the call before is no concern of this one
        with suppress(BrokenPipeError):  # a child that is gone does not answer
            os.write(self._questions, _NUMBER.pack(number))
        answer = _heard(child)
        if answer is None:
            raise Ended(self.end(), child.so_far)
        return _opened(answer)

    def end(self) -> Death:
        """End the child; return how it died, if it did."""
        assert self._child is not None, "there is no child"
        child, self._child = self._child, None
        os.close(self._questions)
        return child.end()

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self.end()

    def _start(self) -> Child:
        _flush()
        asked, self._questions = os.pipe()
        child = Child(lambda: self._serve(asked), farewell=0)
        os.close(asked)
        return child

    def _serve(self, asked: int) -> None:
        """Be the child."""
        os.close(self._questions)
        while question := os.read(asked, _NUMBER.size):
            begin_anew()
            _answer(self._works[_NUMBER.unpack(question)[0]])


_NUMBER = struct.Struct("<I")


def _heard(child: Child) -> bytes | None:
    """Return the answer of a child, None if it ended without one; an interrupt is for the child."""
    with interrupts_call(child.interrupt):
        while (heard := child.hear()) is not None:
            if heard[0] == RESULT:
                return heard[1]
    return None


def _opened(answer: bytes) -> Any:
    returned, value = pickle.loads(answer)
    if not returned:
        raise value
    return value


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
