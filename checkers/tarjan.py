"""Tarjan's components (1972): a component is looked at when it is complete."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Tarjan:
    """The plain algorithm, to compare with; the kernel is `tarjan.hpp`."""

    name: ClassVar[str] = "tarjan"
    summary: ClassVar[str] = "SCC-based, reports complete components"
    paper: ClassVar[str] = "Tarjan, Depth-First Search and Linear Graph Algorithms, 1972"
    accepts: ClassVar[Accepts] = Accepts()
    kernel: ClassVar[str] = "tarjan"
