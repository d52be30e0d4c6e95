"""What a route is made of, so that seventy of them can be read: a kind of automaton and a checker."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from buchi.pipeline.options import AUTO
from buchi.schemas.kinds import AUTOMATA
from buchi.schemas.run import RunRecord

_KINDS = {kind.value: place for place, kind in enumerate(AUTOMATA)}
_GENERAL = "ascc"
"""The checker that `auto` takes of an automaton that has nothing special."""


class Family(NamedTuple):
    """The kind of automaton and the checker of a route, and its threads."""

    kind: str
    checker: str
    workers: int


def families(runs: Iterable[RunRecord]) -> dict[str, Family]:
    """Return the family of each route, as its first run tells it."""
    found: dict[str, Family] = {}
    for run in runs:
        if run.route not in found:
            found[run.route] = Family(run.kind, _checker(run), run.workers)
    return found


def _checker(run: RunRecord) -> str:
    """Return the checker of a route; where the route leaves that open, it may be another one for each case."""
    route = run.configuration.get("route")
    asked = route.get("checker") if isinstance(route, Mapping) else None
    return AUTO if asked == AUTO else run.checker


def in_order(routes: Iterable[str], known: Mapping[str, Family]) -> list[str]:
    """Return routes by kind, then by checker."""
    return sorted(routes, key=lambda route: (_rank(known[route].kind), known[route][1:], route))


def kinds_in_order(kinds: Collection[str]) -> list[str]:
    """Return kinds of automata, each once."""
    return sorted(set(kinds), key=_rank)


def _rank(kind: str) -> tuple[int, str]:
    return _KINDS.get(kind, len(_KINDS)), kind


def likely_baseline(
    runs: Iterable[RunRecord], known: Mapping[str, Family], decided: Callable[[RunRecord], bool]
) -> str:
    """Return a route to compare the others with: `tgba`, else one of those that decided the most cases.

    A ratio to a route that gave up on most cases would say little. Of equals it is one that people know: a TGBA, the
    general check, one worker.
    """
    if "tgba" in known:
        return "tgba"
    answers = Tally(run.route for run in runs if decided(run))
    return min(
        known,
        key=lambda route: (
            -answers[route],
            known[route].kind != "tgba",
            known[route].checker not in (AUTO, _GENERAL),
            known[route].workers,
            route,
        ),
    )
