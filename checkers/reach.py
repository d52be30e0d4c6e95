"""Reachability for terminal automata, breadth-first: Černá & Pelánek (2003)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts, Strength


class Reach:
    """The first state from which every way on is accepted is a violation; the kernel is `reach.hpp`."""

    name: ClassVar[str] = "reach"
    summary: ClassVar[str] = "reachability for terminal automata, breadth-first: a shortest run that ends"
    paper: ClassVar[str] = (
        "Černá & Pelánek, Relating Hierarchy of Temporal Properties to Model Checking, 2003"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True, strength=Strength.TERMINAL, total=True)
    kernel: ClassVar[str] = "reach"
