"""TGBA to TGRA: a generalized Büchi condition is a Rabin pair without Fin."""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.forms import Tgba, Tgra
from buchi.schemas.kinds import Kind
from buchi.translators.spot_helpers.rebuild import rebuilt
from buchi.translators.translator import Options


class TgbaToTgra:
    """Only the name of the form changes."""

    name: ClassVar[str] = "tgba-tgra"
    source: ClassVar[Kind] = Kind.TGBA
    target: ClassVar[Kind] = Kind.TGRA
    summary: ClassVar[str] = "the same automaton, read as a Rabin pair without Fin"
    paper: ClassVar[str] = ""
    options: ClassVar[type[Options]] = Options
    cost: ClassVar[int] = 2

    def run(self, value: Tgba, options: Options) -> Tgra:
        """Rename."""
        return rebuilt(value, Tgra)
