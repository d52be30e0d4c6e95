"""Renault, Duret-Lutz, Kordon & Poitrenaud (2015), the Dijkstra strategy."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class RenaultDijkstra:
    """Workers with potential roots share sets of states when they join them; the kernel is `renault_dijkstra.hpp`."""

    name: ClassVar[str] = "renault-dijkstra"
    summary: ClassVar[str] = "SCC-based, several workers, any clauses without Fin: potential roots"
    paper: ClassVar[str] = (
        "Renault, Duret-Lutz, Kordon & Poitrenaud, "
        "Parallel Explicit Model Checking for Generalized Büchi Automata, 2015"
    )
    accepts: ClassVar[Accepts] = Accepts(max_clauses=None, workers=True)
    kernel: ClassVar[str] = "renault-dijkstra"
