"""The judge of counterexamples agrees with Spot's own words, and a long way to the cycle costs nothing."""

from __future__ import annotations

import random
import resource

import pytest
import spot

from buchi.pipeline.judge import Word, judge_automaton, judge_formula, judge_hoa
from buchi.schemas.forms import Tela
from buchi.translators.ltl import parse_ltl
from buchi.translators.spot_helpers.automata import from_spot

NAMES = ("a", "b", "c")
FORMULAS = [str(f).replace('"', "") for f in spot.randltl(list(NAMES), 60, seed=7, tree_size=(5, 14))]


def as_text(letters: list[int]) -> list[str]:
    return ["&".join(n if letter >> i & 1 else f"!{n}" for i, n in enumerate(NAMES)) for letter in letters]


def spots_word(word: Word) -> spot.twa_graph:
    cycle = f"cycle{{{';'.join(as_text(list(word.cycle)))}}}"
    return spot.parse_word(";".join([*as_text(list(word.prefix)), cycle]))


def random_words(seed: int) -> list[Word]:
    chosen = random.Random(seed)
    lengths = [(chosen.randrange(6), chosen.randrange(1, 5)) for _ in range(12)]
    return [Word(NAMES, chosen.choices(range(8), k=m), chosen.choices(range(8), k=n)) for m, n in lengths]


@pytest.mark.parametrize("formula", FORMULAS)
def test_every_judge_agrees_with_spot(formula):
    """Whether the automaton comes as a formula, as text, or as a value with several runs of a word."""
    ltl = parse_ltl(formula)
    loose = spot.translate(ltl.formula, "generic", "any", "low")
    judges = [judge_formula(ltl), judge_hoa(loose.to_str("hoa")), judge_automaton(from_spot(loose, Tela))]
    for word in random_words(len(formula)):
        expected = spots_word(word).intersects(spot.translate(ltl.formula))
        assert [judge(word) for judge in judges] == [expected] * 3


def test_a_long_prefix_takes_no_memory():
    judge = judge_formula(parse_ltl("a & F G b"))
    assert judge(Word(NAMES, [1], [2]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert judge(Word(NAMES, [1, 2, 3, 0] * 50_000, [2, 3]))
    assert not judge(Word(NAMES, [2, 2, 3, 0] * 50_000, [2, 3]))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10_000
