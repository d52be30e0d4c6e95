"""TGBA to TFLA: a generalized Büchi condition is a Fin-less condition with one clause."""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.forms import Tfla, Tgba
from buchi.schemas.kinds import Kind
from buchi.translators.spot_helpers.rebuild import rebuilt
from buchi.translators.translator import Options


class TgbaToTfla:
    """Only the name of the form changes."""

    name: ClassVar[str] = "tgba-tfla"
    source: ClassVar[Kind] = Kind.TGBA
    target: ClassVar[Kind] = Kind.TFLA
    summary: ClassVar[str] = "the same automaton, read as a Fin-less condition with one clause"
    paper: ClassVar[str] = ""
    options: ClassVar[type[Options]] = Options
    cost: ClassVar[int] = 2

    def run(self, value: Tgba, options: Options) -> Tfla:
        """Rename."""
        return rebuilt(value, Tfla)
