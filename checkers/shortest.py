"""A counterexample of minimal total length, by breadth-first search; what `--shortest` uses."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts
from buchi.schemas.automaton import Letter


class Shortest:
    """Looks near the start, decides as `tgrp` does, then shortens the counterexample; the kernel is `shortest.hpp`."""

    name: ClassVar[str] = "shortest"
    summary: ClassVar[str] = "a counterexample of minimal length, breadth-first"
    paper: ClassVar[str] = "after Gastin, Moro & Zeitoun, Minimization of Counterexamples in SPIN, 2004"
    accepts: ClassVar[Accepts] = Accepts(letters=frozenset(Letter), max_clauses=None, fin=True)
    kernel: ClassVar[str] = "shortest"
