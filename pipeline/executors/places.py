"""Places for threads: a job with several takes several, so that no more threads run than there are places."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Places:
    """A number of places that jobs take, one after the other: a large one is not overtaken for ever by small ones."""

    def __init__(self, count: int) -> None:
        self._count = self._free = count
        self._turn = threading.Lock()
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, wanted: int) -> Iterator[None]:
        """Wait for so many places, or for all where there are fewer, and have them meanwhile."""
        number = min(wanted, self._count)
        with self._turn, self._changed:
            self._changed.wait_for(lambda: self._free >= number)
            self._free -= number
        try:
            yield
        finally:
            with self._changed:
                self._free += number
                self._changed.notify_all()
