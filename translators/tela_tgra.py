"""TELA to TGRA: in disjunctive normal form, the Fin sets of one clause are united.

Paper: Bloemen, Duret-Lutz & van de Pol (2019), section 2. The states and edges stay as they are.
"""

from __future__ import annotations

from typing import ClassVar

from buchi.schemas.automaton import Clause
from buchi.schemas.forms import Tela, Tgra
from buchi.schemas.kinds import Kind
from buchi.translators.spot_helpers.rebuild import normal_form, rebuilt
from buchi.translators.translator import Options


class TelaToTgra:
    """Unites the Fin sets of each clause."""

    name: ClassVar[str] = "tela-tgra"
    source: ClassVar[Kind] = Kind.TELA
    target: ClassVar[Kind] = Kind.TGRA
    summary: ClassVar[str] = "one Fin set a pair: the union of those of the clause"
    paper: ClassVar[str] = "Bloemen, Duret-Lutz & van de Pol 2019, section 2"
    options: ClassVar[type[Options]] = Options

    def run(self, value: Tela, options: Options) -> Tgra:
        """Number a new set for each union; unions that are equal share one."""
        clauses = normal_form(value)
        unions = {fin: value.sets + i for i, fin in enumerate(dict.fromkeys(_unions(clauses)))}
        edges = tuple(edge._replace(marks=_with_unions(edge.marks, unions)) for edge in value.edges)
        acceptance = tuple(Clause(1 << unions[fin] if fin in unions else fin, inf) for fin, inf in clauses)
        return rebuilt(value, Tgra, edges=edges, acceptance=acceptance)


def _unions(acceptance: tuple[Clause, ...]) -> list[int]:
    return [fin for fin, _ in acceptance if fin & (fin - 1)]


def _with_unions(marks: int, unions: dict[int, int]) -> int:
    """Add the marks of the unions that an edge belongs to."""
    for fin, number in unions.items():
        if marks & fin:
            marks |= 1 << number
    return marks
