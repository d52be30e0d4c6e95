"""Chooses the emptiness check for an automaton, by what the checkers declare and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from buchi.checkers.declaration import AnyChecker
from buchi.pipeline import registry
from buchi.schemas.automaton import Automaton
from buchi.schemas.errors import InputError

AUTO = "auto"


def choose_checker(name: str, automaton: Automaton) -> AnyChecker:
    """Return the checker called `name`, or for `auto` the first that takes `automaton`. Raises InputError."""
    if name == AUTO:
        return _first_that_takes(automaton, registry.checkers())
    checker = registry.checker(name)
    refusal = checker.accepts.refusal(automaton)
    if refusal is not None:
        raise InputError(
            f"the checker {name} cannot check this automaton: it {refusal}", suggestion=_others(automaton)
        )
    return checker


def _first_that_takes(automaton: Automaton, checkers: Mapping[str, AnyChecker]) -> AnyChecker:
    refusals = []
    for checker in checkers.values():
        refusal = checker.accepts.refusal(automaton)
        if refusal is None:
            return checker
        refusals.append(f"{checker.name} {refusal}")
    why = "; ".join(refusals) or "no checker is installed"
    raise InputError(f"no checker takes this automaton: {why}")


def _others(automaton: Automaton) -> str:
    names = [c.name for c in registry.checkers().values() if c.accepts.refusal(automaton) is None]
    return f"try --checker {' or '.join(names)}" if names else "no installed checker can check it"
