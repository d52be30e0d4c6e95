"""SE: the nested depth-first search of Schwoon & Esparza (2005), figure 3."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Se:
    """Has the early finds of `hpy` and `gmz` in four colours; the kernel is `se.hpp`."""

    name: ClassVar[str] = "se"
    summary: ClassVar[str] = "nested, four colours"
    paper: ClassVar[str] = "Schwoon & Esparza, A Note on On-the-Fly Verification Algorithms, 2005"
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True)
    kernel: ClassVar[str] = "se"
