"""The tables of `buchi translate`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table

from buchi.common.words import milliseconds
from buchi.pipeline.routes import Stage
from buchi.schemas.claims import Claims
from buchi.schemas.kinds import Kind
from buchi.schemas.slba import Slba
from buchi.schemas.testing import TestingAutomaton

_EVERYTHING = Claims(deterministic=True, weak=True, terminal=True)
_NUMBERS = ("states", "edges", "ms")
_COLUMNS = ("states", "edges", "acceptance", "deterministic", "strength", "ms")


def stage_table(value: Any, stages: Iterable[Stage]) -> Table:
    """Return one row for each stage of a route."""
    table = _empty(value, "stage", "kind")
    for stage in stages:
        table.add_row(
            stage.translator, str(Kind(stage.value.kind)), *features(stage.value), milliseconds(stage.seconds)
        )
    return table


def kinds_table(value: Any, found: Mapping[Kind, list[Stage] | str]) -> Table:
    """Return one row for each kind: the automaton, or why there is none."""
    table = _empty(value, "kind", "route")
    for kind, stages in found.items():
        if isinstance(stages, str):
            table.add_row(str(kind), "none, see below")
        else:
            last = stages[-1].value if stages else value
            route = " ".join(stage.translator for stage in stages)
            table.add_row(
                str(kind), route, *features(last), milliseconds(sum(stage.seconds for stage in stages))
            )
    return table


def _empty(value: Any, *first: str) -> Table:
    title = str(value) if value.kind is Kind.LTL else f"a given {Kind(value.kind)}"
    table = Table(title=title.replace("[", "\\["), title_justify="left", box=None, pad_edge=False)
    for name in (*first, *_COLUMNS):
        table.add_column(name, justify="right" if name in _NUMBERS else "left", overflow="fold")
    return table


def features(automaton: Any) -> tuple[str, ...]:
    """Return states, edges, acceptance, determinism and strength as words."""
    observed = automaton.observed(_EVERYTHING)
    size = (str(automaton.states), str(len(automaton.edges)))
    return (
        *size,
        acceptance(automaton),
        "yes" if observed.deterministic else "no",
        strength(automaton, observed),
    )


def acceptance(automaton: Any) -> str:
    """Return the acceptance condition in words."""
    if isinstance(automaton, Slba):
        return f"{len(automaton.accepting)} accepting"
    if isinstance(automaton, TestingAutomaton):
        return f"{len(automaton.accepting)} accepting, {len(automaton.livelock)} livelock"
    return str(automaton.acceptance_words())


def strength(automaton: Any, observed: Claims) -> str:
    """Return how hard the emptiness check can be; it is not defined for testing automata."""
    if isinstance(automaton, TestingAutomaton):
        return "-"
    return "terminal" if observed.terminal else "weak" if observed.weak else "strong"
