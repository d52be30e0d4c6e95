"""The translators between automata, on automata that no formula made: Spot compares before and after."""

from __future__ import annotations

import spot
from hypothesis import given, settings
from hypothesis import strategies as st
from languages import UNREDUCED, run

from buchi.common.labels import EVERY_LETTER, Cube
from buchi.schemas.automaton import Clause, Edge
from buchi.schemas.claims import Claims
from buchi.schemas.forms import Tela, Tgba, Tgra, Tlba
from buchi.translators.bisimulation import coarsest_partition
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.spot_helpers.automata import from_spot, spot_claims, to_spot
from buchi.translators.spot_helpers.view import as_spot
from buchi.translators.tela_tgra import TelaToTgra
from buchi.translators.tgba_tlba import TgbaToTlba
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba

STATES, SETS = 4, 3
CUBES = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda t: Cube(t[0] & ~t[1], t[1]))
EDGES = st.lists(
    st.builds(
        Edge,
        st.integers(0, STATES - 1),
        st.lists(CUBES, min_size=1, max_size=2).map(tuple),
        st.integers(0, (1 << SETS) - 1),
        st.integers(0, STATES - 1),
    ),
    max_size=10,
).map(tuple)
MASKS = st.integers(0, (1 << SETS) - 1)
THOROUGHLY = settings(max_examples=150, deadline=None)


def equivalent(one, other):
    """Ask Spot, whose complement trips over marks that no condition names."""
    return spot.are_equivalent(spot.cleanup_acceptance(one), spot.cleanup_acceptance(other))


def automaton(form, edges, sets, acceptance):
    fields = {"propositions": ("a", "b"), "states": STATES, "initial": ((EVERY_LETTER, 0),)}
    return form(**fields, edges=edges, sets=sets, acceptance=acceptance)


def tlba(edges, accepting):
    marked = tuple(edge._replace(marks=int(edge.source in accepting)) for edge in edges)
    return automaton(Tlba, marked, 1, (Clause(0, 1),))


TLBAS = st.builds(tlba, EDGES, st.sets(st.integers(0, STATES - 1)))
CLAUSES = st.lists(st.builds(Clause, MASKS, MASKS), min_size=1, max_size=3).map(tuple)
PAIRS = st.lists(st.builds(Clause, st.sampled_from([0, 1, 2, 4]), MASKS), min_size=1, max_size=3).map(tuple)


@THOROUGHLY
@given(EDGES, CLAUSES)
def test_one_fin_set_a_pair(edges, acceptance):
    tela = automaton(Tela, edges, SETS, acceptance)
    tgra = run(TelaToTgra, tela)
    assert equivalent(to_spot(tgra), to_spot(tela))


@THOROUGHLY
@given(EDGES, PAIRS, st.sampled_from(["literal", "reduced", "spot"]))
def test_fin_removal(edges, acceptance, method):
    tgra = automaton(Tgra, edges, SETS, acceptance)
    assert equivalent(to_spot(run(TgraToTfla, tgra, method=method)), to_spot(tgra))


@THOROUGHLY
@given(EDGES)
def test_degeneralization(edges):
    tgba = automaton(Tgba, edges, SETS, (Clause(0, (1 << SETS) - 1),))
    assert equivalent(to_spot(run(TgbaToTlba, tgba)), to_spot(tgba))


@THOROUGHLY
@given(TLBAS, st.sampled_from([{}, UNREDUCED, {"dead": False}, {"unreachable": False}, {"bisimilar": False}]))
def test_labels_on_states(given_tlba, options):
    assert equivalent(as_spot(run(TlbaToSlba, given_tlba, **options)), to_spot(given_tlba))


@THOROUGHLY
@given(TLBAS, st.sampled_from([{}, UNREDUCED, {"dead": False}, {"unreachable": False}, {"bisimilar": False}]))
def test_changes_instead_of_labels(given_tlba, options):
    """The language is first closed under stuttering, by Spot."""
    closed = spot.closure(spot.sl(to_spot(given_tlba)))
    start = from_spot(spot.postprocess(closed, "Buchi", "SBAcc", "low"), Tlba)
    made = run(SlbaToTa, run(TlbaToSlba, start, **options), **options)
    assert equivalent(as_spot(made), closed)


@THOROUGHLY
@given(EDGES, CLAUSES)
def test_structure_is_what_spot_claims(edges, acceptance):
    """Determinism is the same. Of a condition that is trivially true Spot knows more than we."""
    tela = automaton(Tela, edges, SETS, acceptance)
    found = tela.observed(Claims(deterministic=True, weak=True, terminal=True))
    claimed = spot_claims(to_spot(tela), False)
    assert found.deterministic == claimed.deterministic
    if Clause(0, 0) not in acceptance and not any(fin & inf for fin, inf in acceptance):
        assert found.weak == claimed.weak
        assert found.terminal >= claimed.terminal
    read = from_spot(to_spot(tela), Tela)
    assert equivalent(to_spot(read), to_spot(tela))


@THOROUGHLY
@given(EDGES.filter(bool))
def test_terminal_is_what_accepts_whatever_follows(edges):
    """Of one accepting state: it is terminal where its loops read every letter, and then it accepts every word."""
    loops = tlba(tuple(edge._replace(source=0, destination=0) for edge in edges), {0})
    everything = equivalent(to_spot(loops), spot.translate("1"))
    assert loops.observed(Claims(terminal=True)).terminal == everything


STEPS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1), st.integers(0, 7)), max_size=20)


@settings(max_examples=300)
@given(st.lists(st.integers(0, 1), min_size=8, max_size=8), STEPS)
def test_the_partition_is_the_coarsest_bisimulation(colours, steps):
    """Compare with refinement by rounds, which is slow and obvious."""
    block = list(colours)
    for _ in range(len(colours)):
        block = [
            (block[s], frozenset((action, block[d]) for source, action, d in steps if source == s))
            for s in range(len(colours))
        ]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(block))}
        block = [numbers[name] for name in block]
    found = coarsest_partition(colours, steps)
    for a in range(len(colours)):
        for b in range(len(colours)):
            assert (found[a] == found[b]) == (block[a] == block[b])
