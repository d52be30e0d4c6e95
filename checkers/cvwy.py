"""CVWY: nested depth-first search of Courcoubetis, Vardi, Wolper & Yannakakis (1992)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Cvwy:
    """Looks for the seed itself in the red search; the kernel is `cvwy.hpp`."""

    name: ClassVar[str] = "cvwy"
    summary: ClassVar[str] = "nested, the original"
    paper: ClassVar[str] = (
        "Courcoubetis, Vardi, Wolper & Yannakakis, Memory-Efficient Algorithms for the Verification of"
        " Temporal Properties, 1992"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True)
    kernel: ClassVar[str] = "cvwy"
