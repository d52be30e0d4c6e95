"""How a result came about that several searches worked for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from buchi.schemas.counted import Count
from buchi.schemas.steps import Value


class Entrant(Value):
    """One of the searches; `clause` is the part of the acceptance that it was for, None where it was for all."""

    kind: str
    checker: str
    workers: Annotated[int, Field(ge=1)]
    order: str
    restarts: bool = False
    """Does it begin again and again, with the next seed? The order is then the last that is known."""
    clause: Count | None = None

    def __str__(self) -> str:
        team = f" with {self.workers} workers" if self.workers > 1 else ""
        order = "" if self.order == "model" else f", order {self.order}"
        again = " (restarted)" if self.restarts else ""
        return f"{self.checker}{team} on a {self.kind}{order}{again}"


class Contest(Value):
    """Searches in processes of their own: the first verdict wins (`any`), or each is for a clause (`all`).

    `winner` is the number of the one whose verdict it is; None where all had to agree, or none had a verdict.
    """

    rule: Literal["any", "all"]
    entrants: tuple[Entrant, ...]
    winner: Count | None = None

    def words(self) -> str:
        """Return it as a sentence for people."""
        number = len(self.entrants)
        if self.rule == "all":
            if number == 1:
                return "in a process of its own"
            by = "" if self.winner is None else f"; clause {self.winner} decided"
            return f"{number} clauses of the acceptance, each in a process of its own{by}"
        if self.winner is None:
            return f"{number} raced, and none came to a verdict"
        others = "; ".join(str(one) for i, one in enumerate(self.entrants) if i != self.winner)
        return f"{self.entrants[self.winner]} won a race of {number}; the others: {others}"
