"""Asks Spot whether an automaton accepts an ultimately periodic word: the judge of every counterexample.

Independent of the engine and of our own automata: what is forbidden comes to Spot as a formula or HOA text. The
automaton runs through the prefix, of which nothing is kept; Spot decides whether it accepts the cycle from there, or
where the word ends, whether it accepts whatever may follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import Any

from buchi.common.ends import Reason
from buchi.common.errors import LimitReached
from buchi.common.spelling import canonical_proposition
from buchi.readers.hoa import join_starts, parse_hoa
from buchi.schemas.kind_schemas import Form
from buchi.schemas.ltl import Ltl

MEMORY = 1 << 12
"""Steps of sets of states that are kept: a long prefix repeats few, or takes many once."""
LARGEST = 1 << 16
"""States of a complement that a finite word is judged by, where no state of the automaton itself accepts everything."""


@dataclass(frozen=True)
class Word:
    """The word `prefix · cycle^ω`; a letter is the bit mask of the propositions that are true.

    Without a cycle it is a finite word, which is forbidden where every word that begins with it is.
    """

    propositions: tuple[str, ...]
    prefix: Sequence[int]
    cycle: Sequence[int]


Judge = Callable[[Word], bool]
"""Tells whether a word is a forbidden behaviour."""


def judge_formula(ltl: Ltl) -> Judge:
    """Judge by a formula of the forbidden behaviours, which Spot translates anew."""
    return _Judge(lambda: _spot().translate(_spot().formula(ltl.formula)))


def judge_hoa(hoa: str) -> Judge:
    """Judge by an automaton of the forbidden behaviours, which Spot reads by itself."""
    return _Judge(lambda: parse_hoa(hoa, "automaton"))


def judge_automaton(form: Form) -> Judge:
    """Judge by an automaton of the forbidden behaviours that was given as a value."""

    def make() -> Any:
        from buchi.translators.spot_helpers.view import as_spot

        return as_spot(form)

    return _Judge(make)


def _spot() -> Any:
    """Return the module: slow to load, and needed only when there is a counterexample."""
    import spot

    return spot


class _Judge:
    """Judges by an automaton of Spot, which is made when the first word comes, and once."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def _automaton(self) -> Any:
        automaton = self._make()
        automaton.remove_unused_ap()
        return automaton

    def __call__(self, word: Word) -> bool:
        formulas = _formulas(self._automaton, word.propositions, {*word.prefix, *word.cycle})
        starts = _states_after(self._automaton, word.prefix, formulas)
        if not starts:
            return False
        after = _spot().make_twa_graph(self._automaton, _spot().twa_prop_set.all())
        after.prop_reset()  # what was known of it was known from its own initial state
        join_starts(after, sorted(starts))
        if not word.cycle:
            return self._accepts_everything(starts) or _is_universal(after)
        cycle = _cycle_automaton(after, [formulas[letter] for letter in word.cycle])
        return bool(cycle.intersects(after))

    def _accepts_everything(self, states: Iterable[int]) -> bool:
        """Is one of the states in a component that accepts whatever comes? Of a terminal automaton one is."""
        components = _spot().scc_info(self._automaton)
        return any(_spot().is_terminal_scc(components, components.scc_of(state)) for state in states)


def _is_universal(automaton: Any) -> bool:
    """Does an automaton accept every word? Raises LimitReached where that is too much to find out."""
    others = _spot().complement(automaton, _spot().output_aborter(LARGEST))
    if others is None:
        raise LimitReached(Reason.MEMORY, "the automaton is too large to judge the counterexample by")
    return bool(others.is_empty())


def _states_after(automaton: Any, letters: Iterable[int], formulas: Mapping[int, Any]) -> frozenset[int]:
    """Return the states in which the automaton may be when it has read the letters."""
    import buddy  # can be imported only once `spot` has been

    @lru_cache(MEMORY)
    def step(states: frozenset[int], letter: int) -> frozenset[int]:
        edges = (edge for state in states for edge in automaton.out(state))
        return frozenset(edge.dst for edge in edges if edge.cond & formulas[letter] != buddy.bddfalse)

    return reduce(step, letters, frozenset([automaton.get_init_state_number()]))


def _cycle_automaton(automaton: Any, formulas: Sequence[Any]) -> Any:
    """Build the automaton that accepts the word of these letters, again and again, and nothing else."""
    graph = _spot().make_twa_graph(automaton.get_dict())
    graph.copy_ap_of(automaton)
    graph.new_states(len(formulas))
    graph.set_init_state(0)
    for position, formula in enumerate(formulas):
        graph.new_edge(position, (position + 1) % len(formulas), formula)
    return graph


def _formulas(automaton: Any, propositions: Sequence[str], letters: set[int]) -> dict[int, Any]:
    """Return each letter as a BDD; a file has its own spellings, so propositions meet by canonical name."""
    positions = {canonical_proposition(name): bit for bit, name in enumerate(propositions)}
    names = [proposition.ap_name() for proposition in automaton.ap()]
    bits = [positions[canonical_proposition(name)] for name in names]
    variables = [automaton.register_ap(name) for name in names]
    return {letter: _conjunction(variables, [letter >> bit & 1 for bit in bits]) for letter in letters}


def _conjunction(variables: Sequence[int], values: Sequence[int]) -> Any:
    import buddy  # can be imported only once `spot` has been

    result = buddy.bddtrue
    for variable, value in zip(variables, values, strict=True):
        result &= buddy.bdd_ithvar(variable) if value else buddy.bdd_nithvar(variable)
    return result
