"""SD: simple depth-first search for weak automata, Schwoon & Esparza (2005), section 5.1."""

from __future__ import annotations

from typing import ClassVar

from buchi.checkers.declaration import Accepts, Strength


class Sd:
    """Every cycle through an accepting state is accepting; the kernel is `sd.hpp`."""

    name: ClassVar[str] = "sd"
    summary: ClassVar[str] = "simple search for weak automata"
    paper: ClassVar[str] = (
        "Černá & Pelánek, Relating Hierarchy of Temporal Properties to Model Checking, 2003"
    )
    accepts: ClassVar[Accepts] = Accepts(max_sets=1, on_states=True, strength=Strength.WEAK)
    kernel: ClassVar[str] = "sd"
