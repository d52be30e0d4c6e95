"""Safety: `reach` finds a shortest run that ends in a violation, by a plain breadth-first search in Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest
import spot
from differential import Oracle, formulas, letter, routes, structure
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from products import cases, search
from runner import PETERSON, buchi

import buchi as library
from buchi import _engine
from buchi.common.errors import LimitReached
from buchi.models.bytecode import interpreted
from buchi.models.evaluate import Evaluator
from buchi.models.kripke import Kripke
from buchi.models.propositions import parse_proposition
from buchi.pipeline import judge, registry
from buchi.pipeline import search as searching
from buchi.pipeline.judge import Word, judge_formula, judge_hoa
from buchi.pipeline.loading import load_model
from buchi.pipeline.product import build_automaton
from buchi.schemas.automaton import Automaton, Letter
from buchi.schemas.story import Story
from buchi.translators.ltl import parse_ltl

REACH = registry.checker("reach")
EXAMPLES = PETERSON.parent
Node = TypeVar("Node", bound=Hashable)


def distance(
    start: Node, post: Callable[[Node], Iterable[Node]], wanted: Callable[[Node], bool]
) -> int | None:
    """Return how many steps lead to a wanted node at least."""
    level, seen, steps = [start], {start}, 0
    while level:
        if any(map(wanted, level)):
            return steps
        following = dict.fromkeys(node for one in level for node in post(one) if node not in seen)
        seen.update(following)
        level, steps = list(following), steps + 1
    return None


def nearest(kripke: Kripke, wanted: set[int]) -> int | None:
    return distance(kripke.initial, lambda state: kripke.edges[state] or [state], wanted.__contains__)


def counter(bits: int) -> str:
    """A model that counts to 4 and then goes round a cycle of all numbers of so many bits, an even number."""
    half = 1 << bits // 2
    return f"""
int a, b, c;
process P {{
    state go;
    init go;
    trans
        go -> go {{ guard a < 4; effect a = a + 1; }},
        go -> go {{ guard a == 4; effect c = (c + b / {half - 1}) % {half}, b = (b + 1) % {half}; }};
}}
system async;
"""


class Searched:
    """What `reach` finds in the product of a structure and an automaton, and the word of it."""

    def __init__(self, kripke: Kripke, automaton: Automaton) -> None:
        model = kripke.model()
        built = build_automaton(automaton, model, dict(model.constants))
        product = _engine.Product(interpreted(model), built, True, None)
        self.found = search(REACH, product, automaton.acceptance)
        numbers = [int.from_bytes(product.model_state(state), "little") for state in self.found.prefix]
        self.states, self.word = numbers, [letter(kripke.labels[number]) for number in numbers]


def is_bad(oracle: Oracle, word: list[int]) -> bool:
    return oracle.forbids(word, ())


def least_bad_prefix(kripke: Kripke, oracle: Oracle) -> int | None:
    """Return the steps of a shortest run after which the formula cannot hold, by the sets of states that Spot is in."""
    automaton = oracle.allowed
    variables = [automaton.register_ap(name) for name in ("p", "q")]

    def read(states: frozenset[int], state: int) -> frozenset[int]:
        cube = spot.buddy.bddtrue
        for i, variable in enumerate(variables):
            is_true = letter(kripke.labels[state]) >> i & 1
            cube &= spot.buddy.bdd_ithvar(variable) if is_true else spot.buddy.bdd_nithvar(variable)
        edges = (edge for one in states for edge in automaton.out(one))
        return frozenset(edge.dst for edge in edges if edge.cond & cube != spot.buddy.bddfalse)

    def post(node: tuple[int, frozenset[int]]) -> Iterable[tuple[int, frozenset[int]]]:
        state, left = node
        return [(target, read(left, target)) for target in kripke.edges[state] or [state]]

    first = (kripke.initial, read(frozenset([automaton.get_init_state_number()]), kripke.initial))
    return distance(first, post, lambda node: not node[1])


INVARIANTS = ["p", "!q", "p | q", "p -> q", "p <-> q", "!(p & q)"]


@pytest.mark.parametrize("invariant", INVARIANTS)
def test_an_invariant_is_violated_as_near_as_it_can_be(invariant: str) -> None:
    """By every kind of automaton that it takes, one that reads destinations among them."""
    letters, violated = set(), 0
    allowed = {read for read in range(4) if is_true(invariant, read)}
    ways = [route for route in routes(f"G ({invariant})") if REACH in route.checkers]
    for seed in range(150):
        kripke = structure(seed)
        labels = [letter(label) for label in kripke.labels]
        expected = nearest(kripke, {state for state, read in enumerate(labels) if read not in allowed})
        for route in ways:
            searched = Searched(kripke, route.automaton)
            letters.add(route.automaton.letter)
            assert searched.found.accepting == (expected is not None)
            if expected is not None:
                violated += 1
                assert (len(searched.states), searched.found.cycle) == (expected + 1, [])
                assert labels[searched.states[-1]] not in allowed
                assert searched.found.counters.max_depth <= expected + 1
    assert letters == {Letter.SOURCE, Letter.DESTINATION}
    assert violated > 100


def is_true(invariant: str, read: int) -> bool:
    python = invariant.replace("!", " not ").replace("<->", "==").replace("->", "<=")
    return bool(eval(python, {"p": bool(read & 1), "q": bool(read & 2)}))


SAFETY = [
    text
    for text in dict.fromkeys(formula for seed in range(8) for formula in formulas(seed, 100))
    if spot.mp_class(spot.formula(text)) in "S" and any(REACH in route.checkers for route in routes(text))
][:60]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SAFETY), st.integers(0, 10_000))
def test_safety_is_violated_where_nothing_can_be_well_any_more(formula: str, seed: int) -> None:
    kripke, oracle = structure(seed), Oracle(formula)
    least = least_bad_prefix(kripke, oracle)
    for route in routes(formula):
        if REACH not in route.checkers or not route.automaton.acceptance:
            continue
        searched = Searched(kripke, route.automaton)
        assert searched.found.accepting == (least is not None) == oracle.violated(kripke, True)
        if least is not None:
            steps = [*zip(searched.states, searched.states[1:], strict=False)]
            assert all(after in (kripke.edges[before] or [before]) for before, after in steps)
            assert is_bad(oracle, searched.word)
            assert len(searched.word) >= least + 1


def test_most_automata_see_it_at_once() -> None:
    """That a run is bad may be seen later than it is so; of the automata that `check` makes, hardly any does."""
    late = total = 0
    for formula in SAFETY:
        automaton, oracle = routes(formula)[0].automaton, Oracle(formula)
        if REACH.accepts.refusal(automaton) is not None:
            continue
        for seed in range(20):
            kripke = structure(seed)
            least = least_bad_prefix(kripke, oracle)
            if least is not None:
                total += 1
                late += len(Searched(kripke, automaton).states) > least + 1
    assert total > 200
    assert late < total / 50


def test_of_several_ways_it_is_the_shortest_by_the_product_too() -> None:
    """On automata that no formula has, and in every order of the successors."""
    violated = 0
    for case in cases("terminal", 300, "reach", most=20):
        if not case.is_for(REACH):
            continue
        found = [case.search(REACH, seed) for seed in (None, 1, 2)]
        lengths = {len(one.prefix) for one in found}
        assert len(lengths) == 1
        violated += found[0].accepting
    assert violated > 50


def test_it_needs_a_product_of_its_own() -> None:
    case = next(case for case in cases("terminal", 300, "reach") if case.is_for(REACH))
    product = case.product()
    search(registry.checker("tgrp"), product, case.automaton.acceptance)
    with pytest.raises(RuntimeError, match="a product of its own"):
        search(REACH, product, case.automaton.acceptance)


class TestModels:
    """With models of a language, replayed."""

    @pytest.mark.parametrize(
        ("model", "proposition"),
        [
            ("peterson.dve", "B.critical"),
            ("peterson.dve", "gave_way == 1 && A.critical"),
            ("leader_extinction_1.dve", None),
            ("leader_extinction_2.dve", None),
        ],
    )
    def test_the_depth_is_that_of_the_evaluator(self, model: str, proposition: str | None) -> None:
        loaded = load_model(EXAMPLES / model).model
        text = proposition or f"{loaded.variables[0].name} == {self._second(loaded)}"
        evaluator = Evaluator(loaded)
        meaning = parse_proposition(text, loaded)
        expected = distance(
            evaluator.initial(),
            lambda state: [after for _, after in evaluator.successors(state)],
            lambda state: bool(evaluator.evaluate(meaning, state)),
        )
        found = library.check(EXAMPLES / model, f'G !("{text}")').counterexample
        assert (found is None) == (expected is None)
        assert found is None or (found.length, len(found.cycle)) == (expected, 0)

    @staticmethod
    def _second(model: Any) -> int:
        """Return a value of the first variable that is not its first one."""
        evaluator = Evaluator(model)
        state = evaluator.initial()
        for _ in range(50):
            state = evaluator.successors(state)[0][1]
            if state[0] != evaluator.initial()[0]:
                return state[0]
        return state[0]

    @pytest.mark.parametrize("bits", [20, 24])
    def test_what_comes_after_a_violation_is_not_looked_at(self, bits: int, tmp_path: Path) -> None:
        (tmp_path / "m.dve").write_text(counter(bits))
        ended = buchi("check", tmp_path / "m.dve", "--ltl", "G a <= 3", "--json")
        run = ended.json["counterexample"]
        assert (ended.code, len(run["prefix"]), run["cycle"]) == (1, 5, [])
        assert run["violation"] == {"propositions": {"a<=3": False}, "assertion": None}
        assert [step["state"]["a"] for step in run["prefix"]] == ["0", "1", "2", "3", "4"]
        assert run["prefix"][-1]["command"] is None
        assert ended.json["states"] < 10

    def test_nor_is_it_by_a_team(self, tmp_path: Path) -> None:
        """Which takes a first look alone."""
        (tmp_path / "m.dve").write_text(counter(24))
        ended = buchi("check", tmp_path / "m.dve", "--ltl", "G a <= 3", "--workers", "2", "--json")
        assert (ended.code, len(ended.json["counterexample"]["prefix"]), ended.json["states"]) == (1, 5, 6)
        assert "a first look was enough" in ended.err

    def test_the_text_ends_with_what_is_violated(self, tmp_path: Path) -> None:
        (tmp_path / "m.dve").write_text(counter(4))
        ended = buchi("check", tmp_path / "m.dve", "--ltl", "G (a > 2 -> !P.go)")
        lines = ended.out.splitlines()
        assert "counterexample: 3 steps to a state that violates the property" in lines
        assert lines[-1].strip() == "✗ the property is violated here: P.go, a>2"

    def test_the_initial_state_may_violate_it(self, tmp_path: Path) -> None:
        (tmp_path / "m.dve").write_text(counter(4))
        for formula, words in (("G a > 0", "violated here: !(a>0)"), ("false", "violated here")):
            ended = buchi("check", tmp_path / "m.dve", "--ltl", formula)
            assert "counterexample: 0 steps to a state that violates the property" in ended.out
            assert ended.out.rstrip().endswith(words)

    def test_a_fault_in_the_last_state_comes_too_late(self, tmp_path: Path) -> None:
        """The model cannot go on from the state; that the property is violated in it is known before."""
        text = counter(4).replace("b = (b + 1)", "b = (b + 1 / (4 - a))")
        (tmp_path / "m.dve").write_text(text)
        assert buchi("check", tmp_path / "m.dve", "--ltl", "G a <= 3").code == 1
        ended = buchi("check", tmp_path / "m.dve", "--ltl", "G a <= 4")
        assert (ended.code, "division by zero" in ended.err) == (2, True)

    def test_a_trace_is_the_same_run(self, tmp_path: Path) -> None:
        (tmp_path / "m.dve").write_text(counter(4))
        arguments = (
            "check",
            tmp_path / "m.dve",
            "--ltl",
            "G a <= 3",
            "--trace",
            tmp_path / "t.json",
            "--json",
        )
        run = buchi(*arguments).json["counterexample"]
        assert json.loads((tmp_path / "t.json").read_text()) == run

    def test_it_is_short_in_experiments_and_comparisons(self, tmp_path: Path) -> None:
        (tmp_path / "m.dve").write_text(counter(4))
        rows = library.compare(tmp_path / "m.dve", "G a <= 3").taken()
        lengths = {row.checker: row.counterexample for row in rows if row.kind in ("tgba", "slba")}
        assert lengths["reach"] == 4
        found = library.check(tmp_path / "m.dve", "G a <= 3").counterexample
        assert found is not None
        kept = Story.of(found).kept()
        assert (len(kept["prefix"]), kept["cycle"]) == (4, [])
        assert kept["violation"] == {"propositions": {"a<=3": False}}
        assert "the property is violated here: !(a&lt;=3)" in found._repr_html_()


class TestJudges:
    """A finite word is believed only where Spot agrees that nothing good can follow."""

    NAMES = ("p", "q")

    @pytest.mark.parametrize("formula", SAFETY[:20])
    def test_they_agree_with_what_can_follow(self, formula: str) -> None:
        oracle, by_formula = Oracle(formula), judge_formula(parse_ltl(formula).negated())
        by_text = judge_hoa(oracle.forbidden.to_str("hoa"))
        for number in range(64):
            word = [number & 3, number >> 2 & 3, number >> 4][: 1 + number % 3]
            expected = is_bad(oracle, word)
            assert by_formula(Word(self.NAMES, word, ())) == expected
            assert by_text(Word(self.NAMES, word, ())) == expected

    def test_liveness_is_never_violated_by_a_word_that_ends(self) -> None:
        assert not judge_formula(parse_ltl("F G !p"))(Word(("p",), [0, 0], ()))

    def test_states_may_accept_everything_only_together(self) -> None:
        """No state is in a component from which each letter leads on, but each word has a run."""
        text = (
            'HOA: v1\nStates: 3\nStart: 0\nAP: 1 "p"\nAcceptance: 1 Inf(0)\n--BODY--\n'
            "State: 0\n[0] 1\n[0] 2\nState: 1 {0}\n[0] 1\n[0] 2\nState: 2 {0}\n[!0] 1\n[!0] 2\n--END--\n"
        )
        assert judge_hoa(text)(Word(("p",), [1], ()))
        assert not judge_hoa(text)(Word(("p",), [0], ()))

    def test_what_is_too_large_to_judge_is_no_verdict(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(judge, "LARGEST", 2)
        formula = "&".join(f"G (a{i} -> F b{i})" for i in range(3))
        names = tuple(f"{x}{i}" for i in range(3) for x in "ab")
        with pytest.raises(LimitReached, match="too large to judge"):
            judge_formula(parse_ltl(f"!({formula})"))(Word(names, [0], ()))


def test_a_wrong_run_is_a_bug_and_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One state less than it takes: the word can still go on well."""
    (tmp_path / "m.dve").write_text(counter(4))
    lasso = searching._lasso

    def shorter(outcome: _engine.Outcome) -> Any:
        found = lasso(outcome)
        return found and found._replace(prefix=found.prefix[:-1])

    monkeypatch.setattr(searching, "_lasso", shorter)
    ended = buchi("check", tmp_path / "m.dve", "--ltl", "G a <= 3")
    assert (ended.code, "does not violate the property" in ended.err) == (4, True)
