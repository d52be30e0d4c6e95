"""TFLA: the check for TGBAs extended to Fin-less automata, Bloemen, Duret-Lutz & van de Pol (2019)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Tfla:
    """Checks all clauses at once; the kernel is `tfla.hpp`."""

    name: ClassVar[str] = "tfla"
    summary: ClassVar[str] = "SCC-based, on the fly, all Fin-less clauses at once"
    paper: ClassVar[str] = (
        "Bloemen, Duret-Lutz & van de Pol, Model checking with generalized Rabin and Fin-less automata, 2019"
    )
    accepts: ClassVar[Accepts] = Accepts(max_clauses=None)
    kernel: ClassVar[str] = "tfla"
