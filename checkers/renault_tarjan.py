"""Renault, Duret-Lutz, Kordon & Poitrenaud (2015), the Tarjan strategy."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class RenaultTarjan:
    """Workers with lowlinks share sets of states at each edge inside; the kernel is `renault_tarjan.hpp`."""

    name: ClassVar[str] = "renault-tarjan"
    summary: ClassVar[str] = "SCC-based, several workers, any clauses without Fin: lowlinks"
    paper: ClassVar[str] = (
        "Renault, Duret-Lutz, Kordon & Poitrenaud, "
        "Parallel Explicit Model Checking for Generalized Büchi Automata, 2015"
    )
    accepts: ClassVar[Accepts] = Accepts(max_clauses=None, workers=True)
    kernel: ClassVar[str] = "renault-tarjan"
