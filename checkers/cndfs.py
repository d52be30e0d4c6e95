"""CNDFS: Evangelista, Laarman, Petrucci & van de Pol (2012)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Cndfs:
    """Workers share colours, and wait for each other where they meet; the kernel is `cndfs.hpp`."""

    name: ClassVar[str] = "cndfs"
    summary: ClassVar[str] = "nested, several workers, shared colours"
    paper: ClassVar[str] = (
        "Evangelista, Laarman, Petrucci & van de Pol, Improved Multi-Core Nested Depth-First Search, 2012"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True, workers=True)
    kernel: ClassVar[str] = "cndfs"
