"""TLBA to TGBA: one set on states is one set on edges."""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.forms import Tgba, Tlba
from buchi.schemas.kinds import Kind
from buchi.translators.spot_helpers.rebuild import rebuilt
from buchi.translators.translator import Options


class TlbaToTgba:
    """Only the name of the form changes."""

    name: ClassVar[str] = "tlba-tgba"
    source: ClassVar[Kind] = Kind.TLBA
    target: ClassVar[Kind] = Kind.TGBA
    summary: ClassVar[str] = "the same automaton, read as a generalized one with one set"
    paper: ClassVar[str] = ""
    options: ClassVar[type[Options]] = Options
    cost: ClassVar[int] = 2

    def run(self, value: Tlba, options: Options) -> Tgba:
        """Rename."""
        return rebuilt(value, Tgba)
