"""GV: Geldenhuys & Valmari (2004), as in Schwoon & Esparza (2005), figure 7."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Gv:
    """Tarjan's algorithm that reports as soon as a cycle is closed; the kernel is `gv.hpp`."""

    name: ClassVar[str] = "gv"
    summary: ClassVar[str] = "SCC-based, on the fly, one Inf set"
    paper: ClassVar[str] = (
        "Geldenhuys & Valmari, Tarjan's Algorithm Makes On-the-Fly LTL Verification More Efficient, 2004"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1)
    kernel: ClassVar[str] = "gv"
