"""Explicit Kripke structures in YAML or JSON; `kripke_document` has the format and is loaded with the first file."""

from __future__ import annotations

from typing import ClassVar

from buchi.common.interrupts import held_back
from buchi.models.frontend import Loaded


class KripkeFiles:
    """The front-end for explicit structures."""

    name: ClassVar[str] = "kripke"
    suffixes: ClassVar[tuple[str, ...]] = (".kripke.yaml", ".kripke.yml", ".kripke.json")

    def load(self, text: str, source: str, *, overflow_is_error: bool = False) -> Loaded:
        """Read a structure; nothing in it can overflow. Raises InputError."""
        with held_back():
            from buchi.models.documents import read_document
            from buchi.models.kripke_document import KripkeDocument

        return read_document(text, source, KripkeDocument).kripke().loaded(source)
