"""The schemas refuse what is no automaton of the kind, and keep what is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
import spot
from hypothesis import given
from hypothesis import strategies as st
from languages import Oracle, forms, patterns, run
from pydantic import ValidationError

from buchi import _engine
from buchi.common.errors import InputError
from buchi.common.graph import back_edges, components, successors
from buchi.common.labels import EVERY_LETTER, Cube, covers_all, exactly, exclusive, letters
from buchi.common.pictures import rendered
from buchi.common.spelling import canonical_proposition
from buchi.schemas.automaton import Clause, Edge, Letter
from buchi.schemas.claims import Claims
from buchi.schemas.counted import Counted, MaybeCounted
from buchi.schemas.counters import Counters
from buchi.schemas.forms import BUCHI, Tela, Tfla, Tgba, Tgra, Tlba
from buchi.schemas.kind_schemas import ANY_FORM, SCHEMAS
from buchi.schemas.result import Counterexample, Step
from buchi.schemas.slba import Slba
from buchi.schemas.story import Story
from buchi.schemas.testing import Change, Start, TestingAutomaton
from buchi.translators.documents import read_automaton, read_json
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tela import LtlToTela
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.spot_helpers.automata import spot_claims, to_spot

A, NOT_A = (Cube(1, 0),), (Cube(0, 1),)


def loop(form=Tgba, label=EVERY_LETTER, marks=1, sets=1, acceptance=BUCHI, **more):
    """Return an automaton with one state and one loop."""
    fields = {
        "propositions": ("a",),
        "states": 1,
        "initial": ((EVERY_LETTER, 0),),
        "edges": (Edge(0, label, marks, 0),),
        "sets": sets,
        "acceptance": acceptance,
    }
    return form(**{**fields, **more})


def slba(**more):
    fields = {
        "propositions": ("a",),
        "labels": (0, 1),
        "initial": (0,),
        "edges": ((0, 1),),
        "accepting": (1,),
    }
    return Slba(**{**fields, **more})


def ta(**more):
    fields = {
        "propositions": ("a",),
        "states": 2,
        "initial": (Start(0, 0),),
        "edges": (Change(0, 1, 1),),
        "accepting": (1,),
        "livelock": (1,),
    }
    return TestingAutomaton(**{**fields, **more})


REFUSED = [
    (lambda: loop(edges=(Edge(0, A, 0, 1),)), "leaves the 1 state "),
    (lambda: loop(edges=(Edge(-1, A, 0, 0),)), "leaves the 1 state "),
    (lambda: loop(initial=((EVERY_LETTER, 3),)), "initial state 3"),
    (lambda: loop(initial=()), "at least 1 item"),
    (lambda: loop(states=0), "greater than or equal to 1"),
    (lambda: loop(marks=2), "marks beyond the 1 set"),
    (lambda: loop(form=Tela, acceptance=(Clause(0, 2),)), "marks beyond the 1 set"),
    (lambda: loop(sets=33), "less than or equal to 32"),
    (lambda: loop(label=(Cube(1, 1),)), "both true and false"),
    (lambda: loop(label=(Cube(2, 0),)), "more than the 1 proposition"),
    (lambda: loop(propositions=("a", "a")), "listed twice"),
    (lambda: loop(colour="red"), "Extra inputs"),
    (lambda: loop(letter=Letter.CHANGE), "reads the source state"),
    (lambda: loop(initial=((A, 0),)), "not on its initial states"),
    (lambda: loop(acceptance=(Clause(0, 1), Clause(0, 1))), "each of its sets"),
    (lambda: loop(acceptance=(Clause(1, 0),)), "each of its sets"),
    (lambda: loop(sets=2), "each of its sets"),
    (lambda: loop(form=Tgra, sets=2, acceptance=(Clause(3, 0),)), "more than one Fin set"),
    (lambda: loop(form=Tfla, acceptance=(Clause(1, 0),)), "uses Fin"),
    (lambda: loop(form=Tlba, sets=2, acceptance=(Clause(0, 3),)), "one acceptance set"),
    (lambda: loop(form=Tlba, edges=(Edge(0, A, 0, 0), Edge(0, NOT_A, 1, 0))), "only some edges of state 0"),
    (
        lambda: loop(edges=(Edge(0, A, 0, 0),) * 2, claims={"deterministic": True}),
        "claims to be deterministic",
    ),
    (lambda: loop(edges=(Edge(0, A, 0, 0), Edge(0, A, 1, 0)), claims={"weak": True}), "claims to be weak"),
    (lambda: loop(label=A, claims={"weak": True, "terminal": True}), "claims to be terminal"),
    (lambda: slba(labels=(0, 2)), "label of state 1"),
    (lambda: slba(labels=(0, -1)), "label of state 1"),
    (lambda: slba(initial=(2,)), "initial state 2"),
    (lambda: slba(accepting=(0, 0)), "listed twice"),
    (lambda: slba(edges=((0, 2),)), "leaves the 2 states"),
    (lambda: slba(edges=((0, 1), (0, 1)), claims={"deterministic": True}), "claims to be deterministic"),
    (lambda: ta(edges=(Change(0, 0, 1),)), "stuttering edge"),
    (lambda: ta(edges=(Change(0, 2, 1),)), "unknown propositions"),
    (lambda: ta(edges=(Change(0, 1, 2),)), "leaves the 2 states"),
    (lambda: ta(initial=((0,),)), "label|state|required|tuple"),
    (lambda: ta(initial=(Start(2, 0),)), "label of initial state 0"),
    (lambda: ta(livelock=(5,)), "livelock state 5"),
    (lambda: ta(claims={"stutter_invariant": False}), "is stutter-invariant"),
    (
        lambda: ta(
            edges=(Change(0, 1, 1), Change(0, 1, 0)),
            claims={"deterministic": True, "stutter_invariant": True},
        ),
        "claims to be deterministic",
    ),
]


@pytest.mark.parametrize(("make", "reason"), REFUSED)
def test_refused(make, reason):
    with pytest.raises(ValidationError, match=reason):
        make()


def test_values_are_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        loop().states = 2


@pytest.mark.parametrize("text", ["GFa & GFb", "a U b", "FGa | GFb", "0", '"x[1] >= 2" U P.s'])
def test_json_round_trip(text):
    for _, form in forms(text):
        assert SCHEMAS[form.kind].model_validate_json(form.model_dump_json()) == form
        assert ANY_FORM.validate_json(form.model_dump_json()) == form
        assert read_automaton(form.model_dump_json()) == form


def test_propositions_that_are_never_tested_are_removed():
    for name, form in forms("F(a & (b | !b)) & G(c | 1)"):
        assert form.propositions == ("a",), name


def test_a_false_claim_in_a_file_is_found():
    claimed = loop(label=A, claims={"stutter_invariant": True})
    assert read_json(claimed.model_dump_json()) == claimed
    second = loop(
        states=2, edges=(Edge(0, EVERY_LETTER, 0, 1), Edge(1, A, 1, 1)), claims={"stutter_invariant": True}
    )
    with pytest.raises(InputError, match="not stutter-invariant"):
        read_json(second.model_dump_json())


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{}", "kind"), ('{"kind": "ta"}', "propositions"), ("{", "JSON"), ('{"kind": "dfa"}', "dfa|kind")],
)
def test_bad_json(text, reason):
    with pytest.raises(InputError, match=reason):
        read_automaton(text, "file.json")


CUBES = st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda t: Cube(t[0] & ~t[1], t[1]))
LABELS = st.lists(CUBES, max_size=4).map(tuple)


def satisfied(label, letter):
    return any(letter & true == true and not letter & false for true, false in label)


@given(LABELS)
def test_letters_and_coverage_of_a_label(label):
    expected = [letter for letter in range(8) if satisfied(label, letter)]
    assert letters(label, 3) == expected
    assert covers_all(label) == (len(expected) == 8)


@given(st.lists(LABELS, max_size=4))
def test_exclusive_labels(labels):
    most = max(sum(satisfied(label, letter) for label in labels) for letter in range(8))
    assert exclusive(labels) == (most <= 1)


@given(st.integers(0, 7))
def test_exactly_one_letter(letter):
    assert letters(exactly(letter, 3), 3) == [letter]


GRAPHS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20)


@given(GRAPHS)
def test_components_are_mutually_reachable_states(pairs):
    following = successors(7, pairs)
    reach = [_closure(following, state) for state in range(7)]
    component = components(following)
    for a in range(7):
        for b in range(7):
            assert (component[a] == component[b]) == (b in reach[a] and a in reach[b])
    assert all(component[b] <= component[a] for a, b in pairs)


@given(GRAPHS)
def test_every_cycle_has_a_back_edge(pairs):
    rest = [pair for pair in pairs if pair not in back_edges(successors(7, pairs))]
    component = components(successors(7, rest))
    assert not [(a, b) for a, b in rest if component[a] == component[b]]


def _closure(following, start):
    seen = {start}
    for _ in range(7):
        seen |= {b for a in seen for b in following[a]}
    return seen


@pytest.mark.parametrize("translator", [LtlToTgba, LtlToTlba, LtlToTela, LtlToTgra])
def test_structure_is_what_spot_sees(translator):
    """Spot decides determinism and strength with code of its own."""
    everything = Claims(deterministic=True, weak=True, terminal=True)
    for text in patterns("eh") + patterns("sb") + patterns("dac"):
        form = run(translator, parse_ltl(text))
        assert form.observed(everything) == spot_claims(to_spot(form), False)


@pytest.mark.parametrize(
    "spelling", ['P_1!="p9"', "P_1!='p9'", 'P_1 != "p9"', "P_1 != p9", " P_1  !=p9 ", 'P_1!=\\"p9\\"']
)
def test_one_spelling_of_a_proposition(spelling):
    assert canonical_proposition(spelling) == "P_1!=p9"


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("t\\[1\\]!=0", "t[1]!=0"),
        ("a [ 0 ] <= 2", "a[0]<=2"),
        ("a - -1 > 0", "a- -1>0"),
        ("a and b", "a and b"),
    ],
)
def test_spellings(spelling, canonical):
    assert canonical_proposition(spelling) == canonical
    assert canonical_proposition(canonical) == canonical


def test_pictures():
    for _, form in forms('"x[1] >= 2" U P.s'):
        dot = form.picture().dot()
        assert dot.startswith("digraph")
        ends = {(edge[0], edge[-1]) for edge in form.edges}
        starts = {initial if isinstance(initial, int) else initial[-1] for initial in form.initial}
        assert dot.count("->") == len(ends) + len(starts)


def test_notebooks_show_svg_where_graphviz_is(tmp_path, monkeypatch):
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho '<svg/>'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert loop()._repr_svg_() is not None
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert loop()._repr_svg_() is None
    with pytest.raises(InputError, match="there is no program `dot`"):
        rendered("digraph {}")


def test_an_automaton_without_states_is_the_empty_language():
    empty = slba(labels=(), initial=(), edges=(), accepting=())
    from buchi.translators.spot_helpers.view import as_spot

    assert as_spot(empty).is_empty()
    assert spot.are_equivalent(as_spot(empty), spot.translate("0"))


@pytest.mark.parametrize(("page", "text"), [("testing-automata", "FGp"), ("automata", "G(a -> Fb)")])
def test_the_examples_of_the_docs(page, text):
    document = (Path(__file__).parent.parent / "docs" / f"{page}.md").read_text()
    example = document.partition("```json\n")[2].partition("```")[0]
    assert Oracle(text).accepts(read_automaton(example))


def test_a_counterexample_in_short():
    steps = [Step(command=name, state={"x": x, "y": y}) for name, x, y in ("a00", "b10", "c11")]
    found = Counterexample(prefix=tuple(steps[:1]), cycle=tuple(steps[1:]))
    assert Story.of(found).kept() == {
        "first": {"x": "0", "y": "0"},
        "prefix": [{"command": "a", "changes": {"x": "1"}}],
        "cycle": [{"command": "b", "changes": {"y": "1"}}, {"command": "c", "changes": {"y": "0"}}],
    }


def test_all_list_the_counters_alike():
    """Those of a search, of results and of tables; the engine has them too."""
    names = [field.name for field in fields(Counters)]
    assert list(Counted.model_fields) == list(MaybeCounted.model_fields) == names
    assert all(hasattr(_engine.Counters, name) for name in names)
