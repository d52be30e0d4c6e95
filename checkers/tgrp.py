"""TGRP: Rabin pairs in turn, Bloemen, Duret-Lutz & van de Pol (2019), algorithms 1 and 3."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts
from buchi.schemas.automaton import Letter


class Tgrp:
    """One search for each pair, around its Fin edges; the kernels are `tgrp.hpp` and `tgrp_team.hpp`."""

    name: ClassVar[str] = "tgrp"
    summary: ClassVar[str] = "SCC-based, Rabin pairs one after the other or together, several workers"
    paper: ClassVar[str] = (
        "Bloemen, Duret-Lutz & van de Pol, Model checking with generalized Rabin and Fin-less automata, 2019"
    )
    accepts: ClassVar[Accepts] = Accepts(
        letters=frozenset(Letter), max_clauses=None, fin=True, workers=True, pairs=True
    )
    kernel: ClassVar[str] = "tgrp"
