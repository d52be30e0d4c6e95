"""Tarjan+ for testing automata: Geldenhuys & Hansen (2006), section 4.2.

Requires: the table of a testing automaton.  Memory: 12 bytes and a bit a state, eight more on the
path and four more in an open component; two bits a state for the second pass.
Differs from the paper, which only outlines it: no second pass when no livelock can have been missed.
"""

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
