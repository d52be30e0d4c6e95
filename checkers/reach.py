"""Reachability for terminal automata: Černá & Pelánek (2003)."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts, Strength


class Reach:
    """An accepting state that is reached is a violation; the kernel is `reach.hpp`."""

    name: ClassVar[str] = "reach"
    summary: ClassVar[str] = "reachability for terminal automata"
    paper: ClassVar[str] = (
        "Černá & Pelánek, Relating Hierarchy of Temporal Properties to Model Checking, 2003"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True, strength=Strength.TERMINAL, total=True)
    kernel: ClassVar[str] = "reach"
