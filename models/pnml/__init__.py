"""PNML, the language of Petri nets of the Model Checking Contest."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar

from buchi.common.interrupts import held_back
from buchi.models.frontend import Loaded


class PNML:
    """The front-end of place/transition nets."""

    name: ClassVar[str] = "pnml"
    suffixes: ClassVar[tuple[str, ...]] = (".pnml",)

    def load(self, text: str, source: str, *, overflow_is_error: bool = False) -> Loaded:
        """Translate a net. A count of tokens never wraps, whatever `overflow_is_error` says. Raises InputError."""
        with held_back():
            from buchi.models.pnml.encode import encode
            from buchi.models.pnml.reader import read_pnml

        net = read_pnml(text, source, PurePath(source).name.removesuffix(".pnml"))
        return Loaded(encode(net))
