"""AND: the amended nested depth-first search of Gaiser & Schwoon (2009), figure 1."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class AmendedNested:
    """Paints a state red without a red search when its successors are; the kernel is `amended_nested.hpp`."""

    name: ClassVar[str] = "and"
    summary: ClassVar[str] = "nested, four colours, fewer red searches"
    paper: ClassVar[str] = (
        "Gaiser & Schwoon, Comparison of Algorithms for Checking Emptiness on Büchi Automata, 2009"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True)
    kernel: ClassVar[str] = "and"
