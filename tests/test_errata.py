"""Where the papers' texts do not give what they promise: each test fails with the literal text."""

from __future__ import annotations

from dataclasses import replace

import pytest
import spot
from languages import Oracle, patterns, run

from buchi.common.graph import components, successors
from buchi.common.labels import letters
from buchi.schemas.automaton import Clause
from buchi.schemas.forms import Tfla
from buchi.schemas.slba import Slba
from buchi.schemas.testing import Start, TestingAutomaton
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.slba_ta import SlbaToTa, intermediate, without_stuttering
from buchi.translators.spot_helpers.view import as_spot
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba

A, B, C = 1, 2, 4
NAMES = ("a", "b", "c")


def slba(text):
    return run(TlbaToSlba, run(LtlToTlba, parse_ltl(text)))


def finished(made):
    return TestingAutomaton(
        propositions=made.propositions,
        states=made.states,
        initial=tuple(sorted(set(made.initial))),
        edges=made.edges,
        accepting=tuple(sorted(made.accepting)),
        livelock=tuple(sorted(made.livelock)),
    )


@pytest.mark.parametrize("text", ["a", "a U b", "G(a -> Fb)", "Ga"])
def test_an_slba_edge_needs_the_letter_of_its_source(text):
    """Seed 001, 3.1 asks for k2 in k; then the first letter of a word is never looked at."""
    tlba = run(LtlToTlba, parse_ltl(text))
    width = len(tlba.propositions)
    number = {(s, k): s << width | k for s in range(tlba.states) for k in range(1 << width)}
    literal = Slba(
        propositions=tlba.propositions,
        labels=tuple(k for _, k in number),
        initial=tuple(number[s, k] for _, s in tlba.initial for k in range(1 << width)),
        edges=tuple(
            (number[e.source, k1], number[e.destination, k2])
            for e in tlba.edges
            for k1 in range(1 << width)
            for k2 in letters(e.label, width)
        ),
        accepting=tuple(number[s, k] for s in tlba.accepting for k in range(1 << width)),
    )
    assert not Oracle(text).accepts(literal)
    assert Oracle(text).accepts(slba(text))


def one_pass(made):
    """Take the text of seed 001, 4.1 at its word: go once over the stuttering edges, in their order."""
    stuttering = [(e.source, e.destination) for e in made.edges if not e.change]
    component = components(successors(made.states, stuttering))
    cyclic = {component[a] for a, b in stuttering if component[a] == component[b]}
    chosen = cyclic & {component[s] for s in made.accepting}
    livelock = {s for s in range(made.states) if component[s] in chosen}
    for source, destination in stuttering:
        if destination in livelock:
            livelock.add(source)
    return replace(made, livelock=frozenset(livelock), edges=tuple(e for e in made.edges if e.change))


def test_livelock_acceptance_is_closed_backwards():
    """Seed 001, 4.1: with three equal letters before the cycle, one pass over the edges is not enough."""
    chain = Slba(
        propositions=("a",),
        labels=(1, 1, 1),
        initial=(0,),
        edges=((0, 1), (1, 2), (2, 2)),
        accepting=(2,),
    )
    word = spot.translate("Ga")
    assert spot.are_equivalent(as_spot(chain), word)
    assert as_spot(finished(one_pass(intermediate(chain)))).is_empty()
    assert spot.are_equivalent(as_spot(run(SlbaToTa, chain)), word)


def with_more_initial_states(made):
    """Seed 001, 4.1: where a stuttering edge leads to an initial state, make its source initial too."""
    starts = set(made.initial)
    while True:
        labels = {state: label for label, state in starts}
        more = {
            Start(labels[e.destination], e.source)
            for e in made.edges
            if not e.change and e.destination in labels
        }
        if more <= starts:
            return replace(made, initial=tuple(sorted(starts)))
        starts |= more


def test_initial_states_are_left_alone():
    """A run that begins in such a source need not be a run of the SLBA at all.

    0 (label a) is initial; by b it reaches 2 (label a), which can also go to c. So c comes after b only, but
    2 has a stuttering edge to 0, and as an initial state would allow c at once.
    """
    automaton = Slba(
        propositions=NAMES,
        labels=(A, B, A, C),
        initial=(0,),
        edges=((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0), (2, 1), (2, 3), (3, 3)),
        accepting=(0, 1, 2, 3),
    )
    assert spot.is_stutter_invariant(as_spot(automaton))
    literal = finished(without_stuttering(with_more_initial_states(intermediate(automaton))))
    word = spot.parse_word("a&!b&!c; cycle{!a&!b&c}")
    assert not word.intersects(as_spot(automaton))
    assert word.intersects(as_spot(literal))
    assert spot.are_equivalent(as_spot(run(SlbaToTa, automaton)), as_spot(automaton))


def test_more_initial_states_make_no_difference_for_spots_automata():
    """The initial state of a translated formula is entered again only where the whole formula holds again.

    So the sentence above adds words only to automata like the one made by hand.
    """
    for text in patterns("dac")[:20] + patterns("eh"):
        if spot.is_stutter_invariant(spot.formula(text)):
            made = intermediate(slba(text))
            assert Oracle(text).accepts(finished(without_stuttering(with_more_initial_states(made))))


@pytest.mark.parametrize("text", ["GFa & GF!a", "GFa & GFb & G(!a | !b)"])
def test_buchi_acceptance_of_a_ta_needs_changes(text):
    """Seed 001, 4: |inf(w)| > 1. Without it, staying in a Büchi-accepting state would be accepted."""
    made = run(SlbaToTa, slba(text))
    careless = made.model_copy(update={"livelock": tuple(sorted({*made.livelock, *made.accepting}))})
    assert not Oracle(text).accepts(careless)
    assert Oracle(text).accepts(made)


@pytest.mark.parametrize("text", ["FGa", "FG(a | Xb)"])
def test_a_pair_without_inf_needs_a_set(text):
    """Seed 003, proposition 1: an empty conjunction of Inf is true, also for runs that never jump."""
    tgra = run(LtlToTgra, parse_ltl(text), prefer="deterministic")
    assert tgra.acceptance == (Clause(fin=1, inf=0),)
    for method in ("literal", "reduced"):
        made = run(TgraToTfla, tgra, method=method)
        assert Oracle(text).accepts(made)
        edges = tuple(edge._replace(marks=0) for edge in made.edges)
        literal = Tfla(**{**dict(made), "edges": edges, "sets": 0, "acceptance": (Clause(0, 0),)})
        assert not Oracle(text).accepts(literal)


def test_a_jump_for_every_cycle_is_needed():
    """Seed 003, footnote 2: with no jump into one of the cycles, words are lost."""
    tgra = run(LtlToTgra, parse_ltl("FGa"), prefer="deterministic")
    made = run(TgraToTfla, tgra, method="reduced")
    without = tuple(e for e in made.edges if not e.source < tgra.states <= e.destination)
    assert not Oracle("FGa").accepts(Tfla(**{**dict(made), "edges": without}))


MODEL_STATES = 1000


def test_r1_as_printed_is_too_small_for_the_table():
    """Seed 001, table 2: 3619 product states for R(1) over 1000 model states need four TLBA states."""
    printed = run(LtlToTlba, parse_ltl("GFp1 | GFp2"))
    family = run(LtlToTlba, parse_ltl("GFp1 | FGp2"))
    assert printed.states * MODEL_STATES < 3619.32 <= family.states * MODEL_STATES


def test_u1_as_printed_is_too_small_for_the_table():
    """Seed 001, table 2: 1188 product states for U(1). Of p1 alone only the initial state is looked at twice."""
    printed = run(LtlToTlba, parse_ltl("p1"))
    start = printed.initial[0][1]
    assert printed.states == 2
    assert all(edge.destination != start for edge in printed.edges)
    assert run(LtlToTlba, parse_ltl("p1 U p2")).states * MODEL_STATES >= 1188.75
