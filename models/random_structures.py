"""Random Kripke structures, by the procedure of Tauriainen (1999) that Geldenhuys & Hansen (2006) use.

A state has one successor at random and each other one with the probability `density`; a proposition is true in
a state with the probability `truth`. States are worked off in random order from those reached so far; when
none is left, an edge of the last one goes to a state not reached yet, so that all are in the end. Own
implementation: equal parameters and seeds give equal structures, but not those of other tools.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from buchi.models.kripke import Kripke

Probability = Annotated[float, Field(ge=0, le=1)]


class RandomDocument(BaseModel):
    """The parameters of a random structure, and the file that asks for one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    states: Annotated[int, Field(ge=1, le=10_000_000)]
    density: Probability
    """With what probability a state leads to another one, besides the one successor of `total`."""
    truth: Probability = 0.5
    propositions: tuple[str, ...] = ("p", "q")
    seed: int = 0
    connected: bool = True
    """Can every state be reached?"""
    total: bool = True
    """Has every state a successor?"""

    def expected_edges(self) -> float:
        """Return how many edges there are in the mean."""
        return self.states * (1 + self.density * (self.states - 1))


def random_structure(wanted: RandomDocument) -> Kripke:
    """Return the structure; equal parameters give equal structures."""
    rng = random.Random(wanted.seed)
    edges = _connected_edges(wanted, rng) if wanted.connected else _free_edges(wanted, rng)
    labels = [
        frozenset(p for p in wanted.propositions if rng.random() < wanted.truth) for _ in range(wanted.states)
    ]
    return Kripke(wanted.propositions, edges, labels)


def _free_edges(wanted: RandomDocument, rng: random.Random) -> list[list[int]]:
    return [_targets(wanted, rng) for _ in range(wanted.states)]


def _connected_edges(wanted: RandomDocument, rng: random.Random) -> list[list[int]]:
    edges: list[list[int]] = [[] for _ in range(wanted.states)]
    reached, pending = [False] * wanted.states, [0]
    reached[0] = True
    fresh = list(range(1, wanted.states))
    rng.shuffle(fresh)
    while pending:
        state = _take(pending, rng)
        targets = _targets(wanted, rng)
        while fresh and reached[fresh[-1]]:
            fresh.pop()
        if not pending and fresh and all(reached[target] for target in targets):
            targets[-1:] = [fresh[-1]]
        for target in targets:
            if not reached[target]:
                reached[target] = True
                pending.append(target)
        edges[state] = targets
    return edges


def _take(items: list[int], rng: random.Random) -> int:
    """Remove an element at random."""
    index = rng.randrange(len(items))
    items[index], items[-1] = items[-1], items[index]
    return items.pop()


def _targets(wanted: RandomDocument, rng: random.Random) -> list[int]:
    """Return different successors of a state in random order."""
    if wanted.total:
        first = rng.randrange(wanted.states)
        others = list(_sample(wanted.states - 1, wanted.density, rng))
        targets = [first, *(target + (target >= first) for target in others)]
    else:
        targets = list(_sample(wanted.states, wanted.density, rng))
    rng.shuffle(targets)
    return targets


def _sample(size: int, probability: float, rng: random.Random) -> Iterator[int]:
    """Yield each number below `size` with the probability, skipping the others in one step."""
    if probability < 1e-15:
        return
    if probability >= 1:
        yield from range(size)
        return
    scale = math.log1p(-probability)
    chosen = int(math.log(1 - rng.random()) / scale)
    while chosen < size:
        yield chosen
        chosen += 1 + int(math.log(1 - rng.random()) / scale)
