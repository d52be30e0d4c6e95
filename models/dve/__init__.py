"""DVE, the modelling language of DiVinE and of the BEEM benchmark."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

from buchi.common.interrupts import held_back
from buchi.models.frontend import Loaded


class DVE:
    """The DVE front-end."""

    name: ClassVar[str] = "dve"
    suffixes: ClassVar[tuple[str, ...]] = (".dve",)

    def load(self, text: str, source: str, *, overflow_is_error: bool = False) -> Loaded:
        """Translate a DVE model. Raises InputError."""
        return self.load_with({}, text, source, overflow_is_error=overflow_is_error)

    def load_with(
        self, constants: Mapping[str, int], text: str, source: str, *, overflow_is_error: bool = False
    ) -> Loaded:
        """Translate a DVE model in which constants have these values. Raises InputError."""
        with held_back():
            from buchi.models.dve.lower import lower
            from buchi.models.dve.parser import parse
            from buchi.models.source import Source

        document = Source(source, text)
        with _without_cycle_collection():
            system = parse(document)
            return lower(system, document, overflow_is_error=overflow_is_error, constants=constants)


@contextmanager
def _without_cycle_collection() -> Iterator[None]:
    """Pause Python's cycle collector: trees hold no cycle, and looking for one takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
