"""Formulas that say nothing, by themselves or of a model: what is warned of, and what is not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import spot
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nets import CONTEST_NET
from products import random_kripke
from runner import COUNTER, PETERSON, buchi

import buchi as api
from buchi.models.frontend import Loaded
from buchi.models.kripke import Kripke
from buchi.pipeline import second_look
from buchi.pipeline.check import check
from buchi.schemas.comparison import Comparison
from buchi.schemas.result import CheckResult
from buchi.translators.spot_helpers.satisfiability import MAX_TEMPORAL

REQUEST = """
byte load, lost;
process Client {
    state idle, waiting, gone;
    init idle;
    trans
        idle -> waiting { guard load < 1; effect load = load + 1; },
        waiting -> idle { effect load = load - 1; },
        waiting -> gone { guard load > 1; effect lost = 1; };
}
system async;
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "request.dve"
    path.write_text(REQUEST)
    return path


def told(result: CheckResult | Comparison) -> list[tuple[str, str]]:
    return [(caution.kind, caution.about) for caution in result.warnings]


@pytest.mark.parametrize(
    ("formula", "warnings"),
    [
        ("F lost || G !lost", [("tautology", "F lost | G !lost")]),
        ("G (Client.idle -> F Client.idle)", [("tautology", 'G("Client.idle" -> F"Client.idle")')]),
        ("F lost && G !lost", [("contradiction", "F lost & G !lost")]),
        ("G F lost && F G !lost", [("contradiction", "GF lost & FG !lost")]),
        ("G (Client.gone -> F Client.idle)", [("vacuous", '"Client.gone" -> F"Client.idle"')]),
        ("G (Client.idle -> X !Client.gone)", [("constant", '"Client.gone"')]),
        ("G F (load == 0 || lost)", [("constant", "lost")]),
        ("G (Client.waiting -> G (lost && load == 1 -> F Client.idle))", [
            ("vacuous", 'lost & "load==1" -> F"Client.idle"'), ("constant", "lost")]),
        ("G (!(lost xor lost) && !(Client.idle && Client.waiting) -> F load == 0)", []),
        ("G (load <= 1)", []),
        ("G (load <= 1 && !lost)", []),
        ("G (Client.gone -> lost) && G !Client.gone && G !lost", []),
        ("G (Client.waiting -> F Client.idle)", []),
        ("G F Client.idle", []),
        ("F lost", []),
        ("G (moved(Client) && lost -> F Client.idle)", [("constant", "lost")]),
        ("G (enabled(Client) -> F Client.idle)", []),
    ],
)  # fmt: skip
def test_formulas(model: Path, formula: str, warnings: list[tuple[str, str]]) -> None:
    def alike(text: str) -> str:
        return str(spot.formula(text))

    found = api.check(model, formula)
    assert [(kind, alike(about)) for kind, about in told(found)] == [(k, alike(a)) for k, a in warnings]
    compared = api.compare(model, formula, checker="ascc")
    assert compared.warnings == found.warnings


def test_sentences(model: Path) -> None:
    """They go to standard error; the verdict and the exit code stay."""
    ended = buchi("check", model, "--ltl", "G (Client.gone -> F Client.idle)")
    assert ended.code == 0
    assert ended.err == (
        'warning: "Client.gone" is false in all 2 reachable states,'
        ' so that "Client.gone" -> F"Client.idle" says nothing\n'
    )
    assert "warning" not in ended.out
    ended = buchi("check", model, "--ltl", "F lost && G !lost")
    assert ended.code == 1
    assert ended.err == "warning: the formula is a contradiction: no run of any model satisfies it\n"
    ended = buchi("compare", model, "--ltl", "F lost || G !lost", "--checker", "ascc", "--csv")
    assert ended.code == 0
    assert ended.err == "warning: the formula is a tautology: it holds for every run of every model\n"


def test_json(model: Path) -> None:
    ended = buchi("check", model, "--ltl", "G (load <= 1 || lost)", "--json")
    assert ended.json["warnings"] == [
        {"kind": "constant", "about": '"load<=1"', "message": '"load<=1" is true in all 2 reachable states'},
        {"kind": "constant", "about": "lost", "message": "lost is false in all 2 reachable states"},
    ]
    assert "warning" not in ended.err
    assert buchi("check", model, "--ltl", "G F Client.idle", "--json").json["warnings"] == []
    compared = buchi("compare", model, "--ltl", "F lost || G !lost", "--checker", "ascc", "--json")
    assert [one["kind"] for one in compared.json["warnings"]] == ["tautology"]


def test_a_notebook_shows_them(model: Path) -> None:
    page = api.check(model, "G (Client.gone -> F Client.idle)")._repr_html_()
    assert "<p>warning: &quot;Client.gone&quot; is false in all 2 reachable states" in page


def test_a_net(tmp_path: Path) -> None:
    net = tmp_path / "net.pnml"
    net.write_text(CONTEST_NET)
    result = api.check(net, "G (a >= 3 -> F d >= 1)")
    assert told(result) == [("vacuous", '"a>=3" -> F"d>=1"')]
    assert told(api.check(net, "G (a >= 2 -> tokens(a, c) >= 2)")) == []


def test_what_is_violated_is_looked_at_where_coverage_is_asked_for(model: Path) -> None:
    assert told(api.check(model, "F lost")) == []
    assert told(api.check(model, "F lost", coverage=True)) == [("constant", "lost")]


def test_large_models_only_where_coverage_is_asked_for(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formula = "G (Client.gone -> F Client.idle)"
    monkeypatch.setattr(second_look, "FEW", 1)
    assert told(api.check(model, formula)) == []
    assert [kind for kind, _ in told(api.check(model, formula, coverage=True))] == ["vacuous"]


def test_a_search_that_needs_few_states_of_a_large_model(tmp_path: Path) -> None:
    """The model is not visited to its end, and nothing is said of the part."""
    path = tmp_path / "counter.dve"
    path.write_text(COUNTER)
    result = api.check(path, "x == 1 -> G F x == 300")
    assert result.states < 10
    assert result.warnings == ()


def test_a_part_says_nothing(model: Path) -> None:
    result = api.check(model, "G (Client.gone -> F Client.idle)", coverage=True, max_states=1)
    assert result.verdict is api.Verdict.UNKNOWN
    assert result.warnings == ()


def test_a_proposition_that_fails_where_no_search_asks(tmp_path: Path) -> None:
    """It is an error of the search if the search needs it, and of no account if not."""
    path = tmp_path / "index.dve"
    path.write_text(
        "byte x, data[2]; process P { state a; init a; trans a -> a { guard x < 5; effect x = x + 1; }; }"
        " system async;"
    )
    formula = "data[x] == 1 -> G F data[x] == 1"
    assert api.check(path, formula).warnings == ()
    result = api.check(path, formula, coverage=True)
    assert result.warnings == ()
    assert result.coverage is not None
    assert result.coverage.states == 6


def test_long_formulas_are_skipped(model: Path) -> None:
    """They are not looked at part by part, nor translated once more."""
    long = " && ".join(
        ["G (Client.gone -> F Client.idle)"]
        + [f"G (load <= {i} || load > {j})" for i in range(1, 7) for j in range(9)]
    )
    assert api.check(model, long, via="tgba").warnings == ()
    many = " || ".join(f"F load == {i}" for i in range(3, 12))
    assert told(api.check(model, f"F lost || G !lost || {many}")) == []


def test_an_automaton_has_no_formula(model: Path) -> None:
    never = api.translate("F Client.gone", "tgba")
    assert api.check(model, automaton=never).warnings == ()


def test_the_examples_are_sound() -> None:
    formulas = ["G !(A.critical && B.critical)", "G (A.hungry -> F A.critical)"]
    assert [told(api.check(PETERSON, formula)) for formula in formulas] == [[], []]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(["{}", "G(({}) -> F q)"]))
def test_random_formulas_of_random_structures(seed: int, size: int, shape: str) -> None:
    """Warnings are those that follow from the labels of the reachable states and from Spot's containment."""
    structure = random_kripke(random.Random(seed), size, 0.3, total=True)
    inner = next(iter(spot.randltl(["p", "q"], 1, tree_size=7, seed=seed, simplify=0)))
    formula = spot.formula(shape.format(inner))
    assume(sum(str(formula).count(operator) for operator in "XFGURWM") < MAX_TEMPORAL)
    result = check(Loaded(structure.model()), ltl=str(formula))
    kinds = [kind for kind, _ in told(result)]
    if spot.contains("0", formula) or spot.contains(formula, "1"):
        assert kinds == ["contradiction" if spot.contains("0", formula) else "tautology"]
        return
    assume(result.verdict is api.Verdict.HOLDS)
    letters = {letter(structure, state) for state in reachable(structure)}

    def never(part: str) -> bool:
        """Is there no letter with it, though the formula allows for one?"""
        occurs = any(spot.contains(part, one) for one in letters)
        return not occurs and not spot.contains(f"G !({part})", formula)

    triggers = {str(spot.formula(about)[0]) for kind, about in told(result) if kind == "vacuous"}
    assert all(map(never, triggers))
    if formula.kind() == spot.op_G and formula[0].kind() == spot.op_Implies and formula[0][0].is_boolean():
        assert (str(formula[0][0]) in triggers) == never(str(formula[0][0]))
    for proposition in map(str, spot.atomic_prop_collect(formula) or ()):
        constant = never(proposition) or never(f"!{proposition}")
        covered = {proposition, f"!{proposition}"} & triggers
        assert (("constant", proposition) in told(result)) == (constant and not covered)


def letter(structure: Kripke, state: int) -> str:
    return " & ".join(p if p in structure.labels[state] else f"!{p}" for p in structure.propositions)


def reachable(structure: Kripke) -> set[int]:
    found, pending = {structure.initial}, [structure.initial]
    while pending:
        new = set(structure.edges[pending.pop()]) - found
        found |= new
        pending += new
    return found
