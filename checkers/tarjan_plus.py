"""Tarjan+ for testing automata: Geldenhuys & Hansen (2006), section 4.2."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class TarjanPlus:
    """One pass, and a second one where livelocks may be missed; the kernel is `tarjan_plus.hpp`."""

    name: ClassVar[str] = "tarjan+"
    summary: ClassVar[str] = "testing automata, a second pass if needed"
    paper: ClassVar[str] = "Geldenhuys & Hansen, Larger Automata and Less Work for LTL Model Checking, 2006"
    accepts: ClassVar[Accepts] = Accepts(testing=True)
    kernel: ClassVar[str] = "tarjan+"
