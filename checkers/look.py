"""A first look at the states near the start, before the check that `auto` chose."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts


class Look:
    """Finds accepting cycles among the first states, breadth first; the kernel is `look.hpp`.

    It is not registered: where it finds nothing, another check must go on.
    """

    name: ClassVar[str] = "look"
    summary: ClassVar[str] = "some states breadth first, and the accepting cycles among them"
    paper: ClassVar[str] = ""
    accepts: ClassVar[Accepts] = Accepts(max_clauses=None, fin=True)
    kernel: ClassVar[str] = "look"
