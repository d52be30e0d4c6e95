"""A counterexample of minimal total length, by breadth-first search; what `--shortest` uses.

No run of the product is shorter; the product with another automaton for the same formula may have a shorter one.

Requires: nothing: any clauses over any letters.  Memory: 16 bytes a state, and a search over (state, marks).
Cost: `tgrp` decides, so a property that holds costs what it costs there. For one that is violated the whole
product is explored once more for each clause, then in the worst case each state of an accepting component
begins a search of that component: the square of its size times two to the number of Inf sets. Bounds on the
length keep it far below that as a rule.
Differs from the minimization of Gastin, Moro & Zeitoun (2004): breadth-first, which is polynomial.
"""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts
from buchi.schemas.automaton import Letter


class Shortest:
    """Decides as `tgrp` does, then shortens the counterexample; the kernel is `shortest.hpp`."""

    name: ClassVar[str] = "shortest"
    summary: ClassVar[str] = "a counterexample of minimal length, breadth-first"
    paper: ClassVar[str] = "after Gastin, Moro & Zeitoun, Minimization of Counterexamples in SPIN, 2004"
    accepts: ClassVar[Accepts] = Accepts(letters=frozenset(Letter), max_clauses=None, fin=True)
    kernel: ClassVar[str] = "shortest"
