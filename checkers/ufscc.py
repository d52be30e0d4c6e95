"""UFSCC: Bloemen, Laarman & van de Pol (2016), as in Bloemen, Duret-Lutz & van de Pol (2019)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Ufscc:
    """Workers share what they know of components, also of those that are not complete; the kernel is `ufscc.hpp`."""

    name: ClassVar[str] = "ufscc"
    summary: ClassVar[str] = "SCC-based, on the fly, several workers, any clauses without Fin"
    paper: ClassVar[str] = (
        "Bloemen, Duret-Lutz & van de Pol, Model checking with generalized Rabin and Fin-less automata, 2019"
    )
    accepts: ClassVar[Accepts] = Accepts(max_clauses=None, workers=True)
    kernel: ClassVar[str] = "ufscc"
