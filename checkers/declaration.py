"""What a checker declares, and the contract between a checker and the product it searches.

Capability is data: the dispatcher reads `Accepts` and nothing else. The search itself is either a kernel
of the engine (`KernelChecker`) or a Python method (`PythonChecker`); both see the same product, counters and
limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import ClassVar, NamedTuple, Protocol, TypeAlias, runtime_checkable

from buchi.common.graph import components, successors
from buchi.common.option_names import option
from buchi.common.words import counted
from buchi.schemas.automaton import MAX_NORMAL_FORM, Automaton, Clause, Letter
from buchi.schemas.claims import Claims
from buchi.schemas.testing import TA_ACCEPTANCE


class Strength(Enum):
    """How simple an automaton must be for a checker; each is a special case of the one before it."""

    GENERAL = "general"
    WEAK = "weak"
    TERMINAL = "terminal"


@dataclass(frozen=True)
class Accepts:
    """The automata that a checker decides.

    `max_sets` bounds the Inf sets, `max_clauses` the disjuncts of the acceptance condition; None is no bound.
    `on_states` asks that all edges of a state carry the same marks, `testing` for the table of a testing
    automaton and nothing else, `total` for a model in which every state has a successor. `further` tells whether
    several conditions are taken as they are and not as one disjunction, `workers` whether several threads may search
    together, `pairs` whether they may search different clauses at the same time.
    """

    letters: frozenset[Letter] = frozenset({Letter.SOURCE, Letter.DESTINATION})
    max_sets: int | None = None
    max_clauses: int | None = 1
    fin: bool = False
    strength: Strength = Strength.GENERAL
    on_states: bool = False
    testing: bool = False
    total: bool = False
    further: bool = False
    workers: bool = False
    pairs: bool = False

    def refusal(self, automaton: Automaton, *, total: bool = True) -> str | None:
        """Return why `automaton` cannot be checked, or None when it can.

        `total` tells whether every state of the model has a successor, be it itself.
        """
        refusal = self._automaton_refusal(automaton)
        if refusal is None and self.total and not total:
            never = option("deadlock", "drop")
            return f"needs a model in which every state has a successor, so not {never}"
        return refusal

    def _automaton_refusal(self, automaton: Automaton) -> str | None:
        if self.testing:
            return None if is_testing_table(automaton) else "needs a testing automaton"
        return (
            self._letter_refusal(automaton.letter)
            or self._acceptance_refusal(automaton)
            or self._states_refusal(automaton)
            or self._strength_refusal(automaton)
        )

    def _letter_refusal(self, letter: Letter) -> str | None:
        if letter in self.letters:
            return None
        known = " or ".join(sorted(known.value for known in self.letters))
        return f"reads {known} letters, not {letter.value} letters"

    def conditions(self, automaton: Automaton) -> tuple[tuple[Clause, ...], ...] | None:
        """Return the conditions of an automaton as they are taken; None where one disjunction is too long."""
        if self.further:
            return automaton.conditions
        acceptance = automaton.normal_form()
        return None if acceptance is None else (acceptance,)

    def _acceptance_refusal(self, automaton: Automaton) -> str | None:
        conditions = self.conditions(automaton)
        if conditions is None:
            return f"takes one disjunction of clauses; this one would have more than {MAX_NORMAL_FORM}"
        return next(filter(None, map(self._condition_refusal, conditions)), None)

    def _condition_refusal(self, acceptance: Sequence[Clause]) -> str | None:
        if not self.fin and any(clause.fin for clause in acceptance):
            return "needs an acceptance condition without Fin"
        if self.max_clauses is not None and len(acceptance) > self.max_clauses:
            return f"takes at most {counted(self.max_clauses, 'clause')} in the acceptance, not {len(acceptance)}"
        sets = max((clause.inf.bit_count() for clause in acceptance), default=0)
        if self.max_sets is not None and sets > self.max_sets:
            return f"takes at most {counted(self.max_sets, 'Inf set')}, not {sets}"
        return None

    def _states_refusal(self, automaton: Automaton) -> str | None:
        if not self.on_states:
            return None
        if automaton.step_sets:
            return "needs acceptance on states, but fairness is marked on steps"
        if has_acceptance_on_states(automaton):
            return None
        return "needs acceptance on states, but only some edges of a state are marked"

    def _strength_refusal(self, automaton: Automaton) -> str | None:
        if self.strength is Strength.GENERAL:
            return None
        if automaton.step_sets:
            return f"needs a {self.strength.value} automaton, which fairness makes a general one"
        found = automaton.observed(Claims(weak=True, terminal=True))
        if not (found.weak if self.strength is Strength.WEAK else found.terminal):
            return f"needs a {self.strength.value} automaton"
        if self.on_states and self.strength is Strength.TERMINAL and has_transient_acceptance(automaton):
            return "needs every accepting state to be on a cycle"
        return None


def is_testing_table(automaton: Automaton) -> bool:
    """Is this the table of a testing automaton?"""
    return automaton.letter is Letter.CHANGE and automaton.conditions == (TA_ACCEPTANCE,)


def has_acceptance_on_states(automaton: Automaton) -> bool:
    """Do all edges of a state agree on the marks that the acceptance condition names?"""
    named = 0
    for fin, inf in chain(*automaton.conditions):
        named |= fin | inf
    marks: dict[int, int] = {}
    return all(marks.setdefault(e.source, e.marks & named) == e.marks & named for e in automaton.edges)


def has_transient_acceptance(automaton: Automaton) -> bool:
    """Is an edge accepting that leaves a state on no cycle? Such marks say nothing about any run."""
    pairs = [(edge.source, edge.destination) for edge in automaton.edges]
    component = components(successors(automaton.states, pairs))
    cyclic = {component[a] for a, b in pairs if component[a] == component[b]}
    return any(
        component[e.source] not in cyclic and automaton.accepts_marks(e.marks) for e in automaton.edges
    )


class Lasso(NamedTuple):
    """An accepting run: product states, `prefix` once, then `cycle` for ever.

    Each state is a successor of the one before it, the first of `cycle` also of the last of `cycle`. The run
    begins in an initial state. Without a cycle it ends in a state of the model from which every way on is accepted.
    """

    prefix: list[int]
    cycle: list[int]


class Product(Protocol):
    """All that a checker sees. States are dense numbers from 0; marks are bit masks of acceptance sets.

    `post` counts, shows progress, and ends the search by an exception when a limit is reached or the user
    interrupts: a checker need not look at limits, and must not catch that exception.
    """

    def initial(self) -> list[int]:
        """Return the initial states."""
        ...

    def post(self, state: int) -> list[tuple[int, int]]:
        """Return the (destination, marks) of the edges that leave `state`."""
        ...

    def note_depth(self, depth: int) -> None:
        """Tell how deep the search is, for the counters."""
        ...


@runtime_checkable
class Checker(Protocol):
    """An emptiness check. Registered under the entry point `buchi.checkers`."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]
    accepts: ClassVar[Accepts]


@runtime_checkable
class KernelChecker(Checker, Protocol):
    """A checker that runs in the engine, as the kernel of this name."""

    kernel: ClassVar[str]


@runtime_checkable
class PythonChecker(Checker, Protocol):
    """A checker in plain Python: slower by two orders of magnitude, and quick to write."""

    def find(self, product: Product, acceptance: Sequence[Clause]) -> Lasso | None:
        """Return an accepting run of the product, or None when there is none.

        Called only with an acceptance that `accepts` allows. A run is accepting when it satisfies a clause.
        """
        ...


AnyChecker: TypeAlias = KernelChecker | PythonChecker
