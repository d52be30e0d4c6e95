"""C99: Couvreur (1999) without a stack of active states, Schwoon & Esparza (2005), figure 5."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class C99:
    """Removes a complete component by a second search; the kernel is `c99.hpp`."""

    name: ClassVar[str] = "c99"
    summary: ClassVar[str] = "SCC-based, on the fly, edges visited twice"
    paper: ClassVar[str] = "Couvreur, On-the-Fly Verification of Linear Temporal Logic, 1999"
    accepts: ClassVar[Accepts] = Accepts()
    kernel: ClassVar[str] = "c99"
