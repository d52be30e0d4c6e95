"""GMZ: nested depth-first search of Gastin, Moro & Zeitoun (2004).

Requires: at most one Inf set, on states.  Memory: three bits a state, in four.
Differs from the paper: its search for a shortest counterexample is left out (see `shortest`); a state that
the red search has left is black, too.
"""

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
