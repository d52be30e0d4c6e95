"""Commands without which a model has no cycles, found without looking at its states.

A cycle brings every variable back to its value. Let some commands be kept such that, for each variable of which it is
always known from which value to which it goes, these steps make no cycle; and let each of them change such a variable.
Then they make no cycle together, and every cycle of the model has one of the other commands: these are returned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from buchi.models.command_facts import Facts, Location, moves


def breaking(facts: Sequence[Facts], exempt: Collection[int], weights: Sequence[int]) -> frozenset[int]:
    """Return commands such that every cycle has one of them or of the exempt ones; rather those that weigh much."""
    changes = moves(facts)
    graphs: dict[Location, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    found = []
    for number in sorted(range(len(facts)), key=lambda number: weights[number]):
        if number in exempt:
            continue
        own = changes[number]
        if not own or any(_leads(graphs[place], target, source) for place, source, target in own):
            found.append(number)
            continue
        for place, source, target in own:
            graphs[place][source].add(target)
    return frozenset(found)


def _leads(graph: Mapping[int, Collection[int]], source: int, target: int) -> bool:
    """Is there a way from one value to another?"""
    seen, pending = {source}, [source]
    while pending:
        value = pending.pop()
        if value == target:
            return True
        fresh = [other for other in graph.get(value, ()) if other not in seen]
        seen.update(fresh)
        pending += fresh
    return False
