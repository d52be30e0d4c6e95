"""Chooses the emptiness check for an automaton, by what the checkers declare and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from buchi.checkers.declaration import AnyChecker
from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.pipeline import registry
from buchi.pipeline.options import AUTO, AUTO_SHORTEST
from buchi.schemas.automaton import Automaton

PREFERRED: Mapping[str, str] = {
    "reach": "the automaton is terminal: a run that reaches an accepting state is accepted",
    "sd": "the automaton is weak: a cycle through an accepting state is accepting",
    "ascc": "the acceptance is one generalized Büchi condition",
    "tfla": "the acceptance has several clauses and no Fin",
    "tarjan+": "it is a testing automaton",
    "tgrp": "the acceptance has Fin",
    "generic": "the acceptance is a conjunction of several conditions",
}
"""What `auto` takes, and why: the first of these that accepts the automaton.

Terminal before weak before general is the advice of Černá & Pelánek (2003) and of Schwoon & Esparza (2005,
section 5.3); ASCC for the rest that of Gaiser & Schwoon (2009); Fin-less automata at once that of Bloemen,
Duret-Lutz & van de Pol (2019), so `kind_to_check` makes them where it may; Tarjan+ that of Geldenhuys & Hansen
(2006).
"""

FOR_SEVERAL: Mapping[str, str] = {"generic": PREFERRED["generic"], **PREFERRED}
"""The same where there are several conditions, such as strong fairness: as one disjunction they are exponential."""

FOR_WORKERS: Mapping[str, str] = {
    "ufscc": "several workers search: they share the work within components, too",
    "tgrp": "several workers search, and the acceptance has Fin",
}
"""The same where there are several workers: UFSCC is the only check that repeats little work in large components."""


WITHOUT_NUMBERS = frozenset({"sd"})
"""Preferred checks whose place another takes where a certificate is wanted: one that knows the components."""

SHORTEST = ("reach", "shortest")
"""What finds a shortest counterexample: of a terminal automaton one that ends, of any other a lasso."""


class NoTeamError(InputError):
    """No checker that may be taken is for several workers and this automaton."""


@dataclass(frozen=True)
class Choice:
    """A checker, and why `auto` took it; None where the user did."""

    checker: AnyChecker
    why: str | None = None


def choose_checker(
    name: str, automaton: Automaton, *, total: bool = True, workers: int = 1, numbered: bool = False
) -> Choice:
    """Return the checker called `name`, or for `auto` the one that suits `automaton` best. Raises InputError.

    `total` tells whether every state of the model has a successor, be it itself, `workers` how many threads search,
    `numbered` whether the numbers of components are needed.
    """
    if name == AUTO:
        return _best(automaton, total, workers, numbered)
    if name == AUTO_SHORTEST:
        reach, lassos = SHORTEST
        name = lassos if _refusal(registry.checker(reach), automaton, total, 1) else reach
    checker = registry.checker(name)
    refusal = _refusal(checker, automaton, total, workers)
    if refusal is not None:
        raise (InputError if workers == 1 else NoTeamError)(
            f"the checker {name} cannot check this automaton: it {refusal}",
            suggestion=_others(automaton, total, workers),
        )
    return Choice(checker)


def _refusal(checker: AnyChecker, automaton: Automaton, total: bool, workers: int) -> str | None:
    if workers > 1 and not checker.accepts.workers:
        return f"searches with one worker, not {workers}"
    return checker.accepts.refusal(automaton, total=total)


def _best(automaton: Automaton, total: bool, workers: int, numbered: bool) -> Choice:
    refusals = []
    able = {name: c for name, c in registry.checkers().items() if workers == 1 or c.accepts.workers}
    if numbered:
        able = {name: c for name, c in able.items() if name not in WITHOUT_NUMBERS}
    alone = FOR_SEVERAL if automaton.further else PREFERRED
    for checker, why in _candidates(able, alone if workers == 1 else FOR_WORKERS):
        refusal = _refusal(checker, automaton, total, workers)
        if refusal is None:
            return Choice(checker, why)
        refusals.append(f"{checker.name} {refusal}")
    reasons = "; ".join(refusals) or "no checker is installed"
    raise (InputError if workers == 1 else NoTeamError)(f"no checker takes this automaton: {reasons}")


def _candidates(
    known: Mapping[str, AnyChecker], preferred: Mapping[str, str]
) -> Iterator[tuple[AnyChecker, str]]:
    """Yield the checkers in the order in which `auto` tries them, each with the reason to take it."""
    yield from ((known[name], why) for name, why in preferred.items() if name in known)
    others = (checker for name, checker in known.items() if name not in preferred)
    yield from ((checker, "it is the first that takes this automaton") for checker in others)


def _others(automaton: Automaton, total: bool, workers: int) -> str:
    known = registry.checkers().values()
    names = [c.name for c in known if _refusal(c, automaton, total, workers) is None]
    return f"try {option('checker')} {' or '.join(names)}" if names else "no installed checker can check it"
