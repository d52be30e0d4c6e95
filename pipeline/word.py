"""Asks Spot whether an automaton accepts an ultimately periodic word: the judge of every counterexample.

Independent of the engine and of our own automata: what is forbidden comes to Spot as a formula or HOA text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from buchi.readers.hoa import parse_hoa
from buchi.schemas.ltl import Ltl, canonical_proposition


@dataclass(frozen=True)
class Word:
    """The word `prefix · cycle^ω`; a letter is the bit mask of the propositions that are true."""

    propositions: tuple[str, ...]
    prefix: Sequence[int]
    cycle: Sequence[int]


Judge = Callable[[Word], bool]
"""Tells whether a word is a forbidden behaviour."""


def judge_formula(ltl: Ltl) -> Judge:
    """Judge by a formula of the forbidden behaviours, which Spot translates anew."""
    return lambda word: _accepts(_spot().translate(_spot().formula(ltl.formula)), word)


def judge_hoa(hoa: str) -> Judge:
    """Judge by an automaton of the forbidden behaviours, which Spot reads by itself."""
    return lambda word: _accepts(parse_hoa(hoa, "automaton"), word)


def _spot() -> Any:
    """Return the module: slow to load, and needed only when there is a counterexample."""
    import spot

    return spot


def _accepts(automaton: Any, word: Word) -> bool:
    automaton.remove_unused_ap()
    return bool(_word_automaton(automaton, word).intersects(automaton))


def _word_automaton(automaton: Any, word: Word) -> Any:
    """Build the automaton that accepts `word` over the propositions of `automaton`, and nothing else."""
    graph = _spot().make_twa_graph(automaton.get_dict())
    letters = [*word.prefix, *word.cycle]
    formulas = _formulas(graph, automaton, word.propositions, set(letters))
    graph.new_states(len(letters))
    graph.set_init_state(0)
    for position, letter in enumerate(letters[:-1]):
        graph.new_edge(position, position + 1, formulas[letter])
    graph.new_edge(len(letters) - 1, len(word.prefix), formulas[letters[-1]])
    return graph


def _formulas(graph: Any, automaton: Any, propositions: Sequence[str], letters: set[int]) -> dict[int, Any]:
    """Return each letter as a BDD; a file has its own spellings, so propositions meet by canonical name."""
    positions = {canonical_proposition(name): bit for bit, name in enumerate(propositions)}
    names = [proposition.ap_name() for proposition in automaton.ap()]
    bits = [positions[canonical_proposition(name)] for name in names]
    variables = [graph.register_ap(name) for name in names]
    return {letter: _conjunction(variables, [letter >> bit & 1 for bit in bits]) for letter in letters}


def _conjunction(variables: Sequence[int], values: Sequence[int]) -> Any:
    import buddy  # can be imported only once `spot` has been

    result = buddy.bddtrue
    for variable, value in zip(variables, values, strict=True):
        result &= buddy.bdd_ithvar(variable) if value else buddy.bdd_nithvar(variable)
    return result
