"""Speed of the translators: the chain LTL -> TA on the dac patterns, and how each stage of our own grows.

    python benchmarks/translation.py

A stage is given automata whose number of edges doubles; the growth printed is the factor of its CPU time from
one size to the next: 2 is linear, 4 is quadratic.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from spot import gen

from buchi.common.labels import EVERY_LETTER, Cube
from buchi.schemas.automaton import Clause, Edge
from buchi.schemas.forms import BUCHI, Tela, Tgra, Tlba
from buchi.schemas.slba import Slba
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.tela_tgra import TelaToTgra
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba

FIRST, DOUBLINGS = 2_000, 5
NAMES = ("a", "b", "c")


def run(translator: Any, value: Any, **options: Any) -> Any:
    return translator().run(value, translator.options(**options))


def patterns() -> None:
    """The chain on the 55 dac patterns; those with X that are not stutter-invariant end before the TA."""
    formulas = [str(f) for f in gen.ltl_patterns(gen.LTL_DAC_PATTERNS)]
    total, finished = 0.0, 0
    for text in formulas:
        start = time.process_time()
        slba = run(TlbaToSlba, run(LtlToTlba, parse_ltl(text)))
        if slba.claims.stutter_invariant:
            run(SlbaToTa, slba)
            finished += 1
        total += time.process_time() - start
    print(
        f"LTL -> TA: {len(formulas)} dac patterns, {finished} stutter-invariant, {total:.2f} s of CPU time in all"
    )


def random_edges(count: int, seed: int, sets: int) -> tuple[int, tuple[Edge, ...]]:
    """Return a ring of states with three more edges each."""
    draw = random.Random(seed)
    states = max(count // 4, 1)
    edges = []
    for state in range(states):
        ends = [(state + 1) % states, *(draw.randrange(states) for _ in range(3))]
        for end in ends:
            true = draw.randrange(8)
            label = (Cube(true, ~true & draw.randrange(8)),)
            edges.append(Edge(state, label, draw.randrange(1 << sets), end))
    return states, tuple(edges)


def tlba(count: int) -> Tlba:
    states, edges = random_edges(count // 32, 1, 1)
    marked = tuple(edge._replace(marks=int(edge.source % 5 == 0)) for edge in edges)
    return _automaton(Tlba, states, marked, 1, BUCHI)


def tela(count: int) -> Tela:
    states, edges = random_edges(count, 2, 4)
    return _automaton(Tela, states, edges, 4, (Clause(fin=3, inf=4), Clause(fin=6, inf=8)))


def tgra(count: int) -> Tgra:
    states, edges = random_edges(count, 3, 4)
    return _automaton(Tgra, states, edges, 4, (Clause(fin=1, inf=4), Clause(fin=2, inf=8)))


def _automaton(
    form: Any, states: int, edges: tuple[Edge, ...], sets: int, acceptance: tuple[Clause, ...]
) -> Any:
    initial = ((EVERY_LETTER, 0),)
    return form(
        propositions=NAMES, states=states, initial=initial, edges=edges, sets=sets, acceptance=acceptance
    )


def slba(count: int) -> Slba:
    """Return a ring with chords whose labels only tell apart states that are far from each other."""
    states, edges = random_edges(count, 4, 0)
    return Slba(
        propositions=NAMES,
        labels=tuple(7 if state == 0 else state % 2 for state in range(states)),
        initial=(0,),
        edges=tuple(sorted({(e.source, e.destination) for e in edges})),
        accepting=(0,),
        claims={"stutter_invariant": True},
    )


def chain_slba(count: int) -> Slba:
    """Return a long chain, on which refinement by rounds would take as many rounds as there are states."""
    return Slba(
        propositions=NAMES,
        labels=tuple(state % 2 for state in range(count)),
        initial=(0,),
        edges=(*((i, i + 1) for i in range(count - 1)), (count - 1, count - 1)),
        accepting=(count - 1,),
        claims={"stutter_invariant": True},
    )


STAGES: list[tuple[str, Callable[[int], Any], Any, dict[str, Any]]] = [
    ("tlba-slba", tlba, TlbaToSlba, {"max_edges": 10**9}),
    ("slba-ta", slba, SlbaToTa, {}),
    ("slba-ta, chain", chain_slba, SlbaToTa, {}),
    ("tela-tgra", tela, TelaToTgra, {}),
    ("tgra-tfla literal", tgra, TgraToTfla, {"method": "literal"}),
    ("tgra-tfla reduced", tgra, TgraToTfla, {"method": "reduced"}),
]


def growth() -> None:
    """Print the time of each stage while the number of edges of its input (or product) doubles."""
    for name, make, translator, options in STAGES:
        times = [timed(translator, make(FIRST << doubling), options) for doubling in range(DOUBLINGS)]
        factors = " ".join(f"{b / a:.1f}" for a, b in pairwise(times))
        print(f"{name:20} {' '.join(f'{t:.3f}' for t in times)} s   growth {factors}")


def timed(translator: Any, value: Any, options: dict[str, Any]) -> float:
    """Return the best of three times."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        run(translator, value, **options)
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    patterns()
    growth()
