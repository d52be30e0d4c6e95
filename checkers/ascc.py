"""ASCC: the amended SCC-based check of Gaiser & Schwoon (2009), figure 2, after Couvreur."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Ascc:
    """Reports as soon as the edges seen so far hold an accepting cycle; the kernel is `ascc.hpp`."""

    name: ClassVar[str] = "ascc"
    summary: ClassVar[str] = "SCC-based, on the fly, any number of Inf sets"
    paper: ClassVar[str] = (
        "Gaiser & Schwoon, Comparison of Algorithms for Checking Emptiness on Büchi Automata, 2009"
    )
    accepts: ClassVar[Accepts] = Accepts()
    kernel: ClassVar[str] = "ascc"
