"""Any Emerson-Lei acceptance: Baier, Blahoudek, Duret-Lutz, Klein, Müller & Strejček (2019)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts
from buchi.schemas.automaton import Letter


class Generic:
    """Takes components apart until their marks are accepted; the kernel is `generic.hpp`."""

    name: ClassVar[str] = "generic"
    summary: ClassVar[str] = "SCC-based, any acceptance, strong fairness included"
    paper: ClassVar[str] = (
        "Baier, Blahoudek, Duret-Lutz, Klein, Müller & Strejček, Generic Emptiness Check for Fun and Profit, 2019"
    )
    accepts: ClassVar[Accepts] = Accepts(letters=frozenset(Letter), max_clauses=None, fin=True, further=True)
    kernel: ClassVar[str] = "generic"
