"""A check for testing automata in one pass, our own."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class TaScc:
    """ASCC, and a search for livelocks within each component; the kernel is `ta_scc.hpp`."""

    name: ClassVar[str] = "ta-scc"
    summary: ClassVar[str] = "testing automata in one pass"
    paper: ClassVar[str] = (
        "after Geldenhuys & Hansen, Larger Automata and Less Work for LTL Model Checking, 2006"
    )
    accepts: ClassVar[Accepts] = Accepts(testing=True)
    kernel: ClassVar[str] = "ta-scc"
