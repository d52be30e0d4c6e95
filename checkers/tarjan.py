"""Tarjan's components (1972): a component is looked at when it is complete.

Requires: any number of Inf sets, no Fin.  Memory: eight bytes a state, eight more on the path and four more
in an open component.
Differs from the paper: gathers the marks of a component's edges with the lowlinks.
"""

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
