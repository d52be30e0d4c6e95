"""Names in formulas mean what they say: whatever a proposition or state is called, it is read as that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import spot
from hypothesis import given
from hypothesis import strategies as st
from runner import buchi

from buchi.common.errors import InputError
from buchi.common.spelling import canonical_proposition
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.kripke import Kripke
from buchi.models.kripke_files import KripkeFiles
from buchi.models.propositions import parse_proposition
from buchi.translators.ltl import formula_text, parse_ltl

NASTY = [
    *[
        "U",
        "W",
        "R",
        "M",
        "V",
        "F",
        "G",
        "X",
        "GF",
        "XX",
        "FGX",
        "xor",
        "first_match",
        "true",
        "false",
        "TRUE",
    ],
    *[
        "False",
        "not",
        "and",
        "or",
        "implies",
        "1",
        "0",
        "01",
        "1a",
        "F1",
        "X0",
        "GF1",
        "Fast",
        "ast",
        "Gready",
    ],
    *[
        "p0",
        "p1",
        "p10",
        "t",
        "f",
        "a.b",
        "Fork.free",
        "x!=1",
        "P==p9",
        "a b",
        "s=='a b'",
        "a'b c",
        "é",
        "£",
        "[]",
    ],
    *[
        "<>",
        "a->b",
        "a[1]",
        "#",
        ";",
        "{",
        "|",
        "%f",
        "$(x)",
        "`x`",
        "(",
        ")",
        "X[2]",
        'state=="it\'s"',
        "=x",
    ],
]


def ap(name: str) -> spot.formula:
    return spot.formula.ap(name)


def formulas(names: st.SearchStrategy[str]) -> st.SearchStrategy[spot.formula]:
    unary = [spot.formula.Not, spot.formula.F, spot.formula.G, spot.formula.X]
    binary = [
        *[spot.formula.U, spot.formula.R, spot.formula.W, spot.formula.M],
        *[spot.formula.Implies, spot.formula.Equiv, spot.formula.Xor],
    ]

    def larger(smaller: st.SearchStrategy[spot.formula]) -> st.SearchStrategy[spot.formula]:
        several = st.lists(smaller, min_size=2, max_size=3)
        return st.one_of(
            st.tuples(st.sampled_from(unary), smaller).map(lambda t: t[0](t[1])),
            st.tuples(st.sampled_from(binary), smaller, smaller).map(lambda t: t[0](t[1], t[2])),
            several.map(spot.formula.And),
            several.map(spot.formula.Or),
        )

    return st.recursive(st.one_of(names.map(ap), st.just(spot.formula.tt())), larger, max_leaves=8)


def printable(name: str) -> bool:
    name = canonical_proposition(name)
    return bool(name) and "\\" not in name and name.isprintable()


random_names = st.text(alphabet="aFGXUV01_.' \"=<!()[]é", min_size=1, max_size=5).filter(printable)


@given(formulas(st.one_of(st.sampled_from(NASTY), random_names.map(canonical_proposition))))
def test_what_is_printed_is_read_alike_by_spot_and_by_us(formula: spot.formula) -> None:
    text = formula_text(formula)
    names = tuple(sorted(p.ap_name() for p in spot.atomic_prop_collect(formula) or ()))
    assert spot.formula(text) == formula
    for read in (parse_ltl(text), parse_ltl(text, names=names), parse_ltl(text, names=())):
        assert (read.formula, read.propositions) == (text, names)
        assert spot.formula(read.negated().formula) == spot.formula.Not(formula)


@given(st.text(alphabet="ab1 '\"<=!-()[].\\", max_size=10))
def test_the_canonical_spelling_is_its_own(text: str) -> None:
    once = canonical_proposition(text)
    assert canonical_proposition(once) == once


@pytest.mark.parametrize("name", NASTY)
def test_a_quoted_name_is_one_proposition(name: str) -> None:
    quoted = name.replace('"', '\\"')
    assert parse_ltl(f'G "{quoted}"').propositions == (name,)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("s == 'a  -  b'", "s=='a  -  b'"),
        ('s == "a b" and  x', "s=='a b' and x"),
        ('s == "it\'s"', 's=="it\'s"'),
        ("'a''b'", "'a''b'"),
        ("not 'a'", "not a"),
        ("s=='1'", "s==1"),
    ],
)
def test_what_stands_in_quotes_stays(spelling: str, canonical: str) -> None:
    assert canonical_proposition(spelling) == canonical


class TestOperatorsWrittenTogether:
    @pytest.mark.parametrize(
        ("text", "names", "meaning"),
        [
            ("G Fast", ("Fast", "ast"), 'G "Fast"'),
            ("G Fast", ("Fast",), 'G "Fast"'),
            ("G Fast", ("ast",), "GF ast"),
            ("GFast", ("ast",), "GF ast"),
            ("GFast", ("Fast",), 'G "Fast"'),
            ("GFa", (), "GFa"),
            ("GFa", None, "GFa"),
            ("GFp_1 & Xp2", None, "GFp_1 & Xp2"),
            ("GFtrue | FALSE", None, "1"),
            ("GF (a)", ("GF", "a"), "GFa"),
            ("F1", None, '"F1"'),
            ("GF1", None, 'G "F1"'),
            ("Ua U aUb", None, '"Ua" U "aUb"'),
            ("GFa", ("GFa", "Fa", "a"), '"GFa"'),
            ("()a", None, "Xa"),
            ("□(a → ◇b)", None, "G(a -> Fb)"),
        ],
    )
    def test_names_of_the_model_win(self, text: str, names: tuple[str, ...] | None, meaning: str) -> None:
        assert spot.formula(parse_ltl(text, names=names).formula) == spot.formula(meaning)

    @pytest.mark.parametrize(
        ("text", "names", "column", "suggestion"),
        [
            ("G Fast", None, 3, 'write F "ast" or "Fast"'),
            ("GFa", ("Fa", "a"), 1, 'write G "Fa" or G F "a"'),
            ("F true", ("true",), 3, 'write "true" for the name, 1 for the constant'),
            ("G V", ("V",), 3, 'write "V" in quotes for what the model calls so'),
            ("a & XX", ("XX", "a"), 7, None),
        ],
    )
    def test_two_readings_are_told(self, text, names, column, suggestion) -> None:
        with pytest.raises(InputError) as caught:
            parse_ltl(text, names=names)
        assert caught.value.place is not None
        assert (caught.value.place.column, caught.value.suggestion) == (column, suggestion)

    def test_prefix_notation_is_no_second_reading(self) -> None:
        with pytest.raises(InputError, match="unexpected until operator"):
            parse_ltl("U a b")


NUMBERED = """
states:
  3: {to: [1], holds: [three]}
  1: {to: ["007"], holds: [one]}
  "007": {to: [-1], holds: [bond]}
  -1: {to: ["true"], holds: [negative]}
  "true": {to: [2147483648], holds: [truth]}
  2147483648: {to: ["a  b"], holds: [large]}
  "a  b": {to: ["a b"], holds: [wide]}
  "a b": {to: ["it's"], holds: [narrow]}
  "it's": {to: ["p' or state == '3"], holds: [apostrophe]}
  "p' or state == '3": {to: [3], holds: [quotes]}
"""


class TestStatesCalledByNumbers:
    @pytest.fixture
    def model(self) -> Model:
        return KripkeFiles().load(NUMBERED, "a.kripke.yaml").model

    @pytest.mark.parametrize(
        ("formula", "proposition"),
        [
            ("state == 3", "three"),
            ("state == 1", "one"),
            ("1 == state", "one"),
            ('state == "1"', "one"),
            ("state == '1'", "one"),
            ("state == (1)", "one"),
            ("state.1", "one"),
            ("!(state != 1)", "one"),
            ("state == 007", "bond"),
            ("state == -1", "negative"),
            ('state == "-1"', "negative"),
            ("state == true", "truth"),
            ('state == "true"', "truth"),
            ("state == 2147483648", "large"),
            ('state == "a  b"', "wide"),
            ('state == "a b"', "narrow"),
            ('state == "it\'s"', "apostrophe"),
            ("state == \"p' or state == '3\"", "quotes"),
        ],
    )
    def test_a_number_is_the_name_of_a_state(self, model: Model, formula: str, proposition: str) -> None:
        (name,) = parse_ltl(formula).propositions
        evaluator = Evaluator(model)
        number = tuple(model.constants).index(proposition)
        for state in range(len(model.variables[0].values)):
            told = evaluator.evaluate(parse_proposition(name, model), (state,))
            assert bool(told) is ((state == number) is ("!=" not in name)), model.variables[0].values[state]

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("state == 0", "has no location 0"),
            ("state == 2", "has no location 2"),
            ("state == 7", "has no location 7"),
            ("state == 1+1", "has no location 2"),
            ("state == one+one", "compared with the names"),
            ("state < 3", "no order"),
            ("3 >= state", "no order"),
            ("state == " + "9" * 5000, "has no location 9"),
            ("state == -" + "9" * 5000, "must be below"),
        ],
    )
    def test_other_numbers_are_none(self, model: Model, text: str, told: str) -> None:
        with pytest.raises(InputError, match=told):
            parse_proposition(text, model)

    def test_without_names_a_state_is_its_number(self) -> None:
        model = KripkeFiles().load("states: {0: {to: [1]}, 1: {}, 2: {}}", "a.kripke.yaml").model
        evaluator = Evaluator(model)
        assert evaluator.evaluate(parse_proposition("state == 1", model), (1,))
        assert evaluator.evaluate(parse_proposition("state < 2", model), (1,))

    def test_two_states_of_one_name_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"same name|comes twice"):
            KripkeFiles().load('states: {1: {}, "1": {}}', "a.kripke.yaml")

    def test_a_check_speaks_of_the_state_that_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "a.kripke.json"
        path.write_text(json.dumps({"states": {"1": {"to": ["2"]}, "2": {"to": ["2"]}, "3": {}}}))
        assert buchi("check", path, "--ltl", "state == 1 & X G state == 2").code == 0


class TestPropositionsCalledByKeywords:
    @pytest.mark.parametrize(
        "name", ["true", "false", "and", "or", "not", "imply", "V", "U", "F", "xor", "Fast"]
    )
    def test_a_name_of_the_model_wins(self, name: str) -> None:
        model = Kripke((name, "other"), [[1], [0]], [frozenset(), frozenset([name])]).model()
        (proposition,) = parse_ltl(f'"{name}"', names=model.constants).propositions
        evaluator = Evaluator(model)
        meant = parse_proposition(proposition, model)
        assert [evaluator.evaluate(meant, (state,)) for state in (0, 1)] == [0, 1]

    def test_it_wins_inside_an_expression(self) -> None:
        model = STRUCTURE.model()
        assert Evaluator(model).evaluate(parse_proposition("true or V", model), (0,)) == 0

    @pytest.mark.parametrize("name", ["V", "xor", "first_match", "U", "true"])
    def test_translate_and_check(self, name: str, tmp_path: Path) -> None:
        made = buchi("translate", f'G "{name}"', "--to", "tgba", "--format", "hoa")
        assert f'AP: 1 "{name}"' in made.out
        path = tmp_path / "a.kripke.json"
        states = {"a": {"to": ["b"], "holds": [name]}, "b": {"to": ["b"], "holds": []}}
        path.write_text(json.dumps({"states": states}))
        assert buchi("check", path, "--ltl", f'G "{name}"').code == 1
        assert buchi("check", path, "--ltl", f'"{name}" & X G !"{name}"').code == 0


STRUCTURE = Kripke(("p", "true", "V", "not"), [[0]], [frozenset({"p"})])
