"""Renault, Duret-Lutz, Kordon & Poitrenaud (2015), the Mixed strategy."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class RenaultMixed:
    """Half of the workers have potential roots, half lowlinks; the kernel is `renault_mixed.hpp`."""

    name: ClassVar[str] = "renault-mixed"
    summary: ClassVar[str] = (
        "SCC-based, several workers, any clauses without Fin: half potential roots, half lowlinks"
    )
    paper: ClassVar[str] = (
        "Renault, Duret-Lutz, Kordon & Poitrenaud, "
        "Parallel Explicit Model Checking for Generalized Büchi Automata, 2015"
    )
    accepts: ClassVar[Accepts] = Accepts(max_clauses=None, workers=True)
    kernel: ClassVar[str] = "renault-mixed"
