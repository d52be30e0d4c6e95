"""HPY: nested depth-first search of Holzmann, Peled & Yannakakis (1996), which SPIN uses."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Hpy:
    """Ends the red search at any state of the blue path; the kernel is `hpy.hpp`."""

    name: ClassVar[str] = "hpy"
    summary: ClassVar[str] = "nested, the red search ends at the blue path"
    paper: ClassVar[str] = "Holzmann, Peled & Yannakakis, On Nested Depth First Search, 1996"
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True)
    kernel: ClassVar[str] = "hpy"
