"""Loads what every check needs, in a process that will have many: Spot and the plugins."""

from __future__ import annotations

from functools import cache

from buchi.pipeline import registry, routes


@cache
def warm_up() -> None:
    """Do now what the first check would pay for."""
    from buchi.translators.ltl import parse_ltl

    parse_ltl("a")
    for load in (registry.frontends, registry.checkers, routes.translators):
        load()
