"""GMZ: nested depth-first search of Gastin, Moro & Zeitoun (2004)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Gmz:
    """Finds some cycles in the blue search, and paints states black that are on none; the kernel is `gmz.hpp`."""

    name: ClassVar[str] = "gmz"
    summary: ClassVar[str] = "nested, finds cycles early, black states"
    paper: ClassVar[str] = "Gastin, Moro & Zeitoun, Minimization of Counterexamples in SPIN, 2004"
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True)
    kernel: ClassVar[str] = "gmz"
