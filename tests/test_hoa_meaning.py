"""Random legal HOA, in many layouts, means what it says: against automata built without any text."""

from __future__ import annotations

import spot
from hypothesis import given, settings
from hypothesis import strategies as st

from buchi.translators.hoa import read_hoa
from buchi.translators.spot_helpers.automata import to_spot


@st.composite
def labels(draw, depth=3) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(["0", "1", "t", "f", "@x", "!0", "!@x"]))
    left, right = draw(labels(depth - 1)), draw(labels(depth - 1))
    return draw(st.sampled_from(["({0}) & {1}", "{0} | ({1})", "!({0}|{1})", "/* [ */ ({0}&{1})"])).format(
        left, right
    )


CONDITIONS = ["1 Inf(0)", "1 Fin(0)", "2 Inf(0)&Fin(1)", "2 Fin(0) | (Inf(1))", "0 t", "0 f", "1 Inf(!0)"]


@st.composite
def automata(draw):
    """An automaton as (states, starts, condition, edges), and a legal text for it."""
    states = draw(st.integers(1, 4))
    number = st.integers(0, states - 1)
    starts = draw(st.lists(number, max_size=3))
    condition = draw(st.sampled_from(CONDITIONS))
    marks = st.sets(st.integers(0, int(condition[0]) - 1)) if condition[0] != "0" else st.just(set())
    edges = draw(st.lists(st.tuples(number, labels(), marks, number), max_size=6))
    head = [f"States: {states}"] if draw(st.booleans()) else []
    head += [f"Start: {state}" for state in starts] + ['AP: 2 "a" "b \\" c"', "Alias: @x 0&!1"]
    head += draw(
        st.sampled_from([[], ["properties: weak !weak terminal"], ['name: "| $(x)"', "acc-name: none"]])
    )
    body = [line for s in range(states) for line in [f'State: {s} "{s}"', *lines_of(s, edges)]]
    end = draw(st.sampled_from(["\n", "\r\n", " ", "\n\n/* x /* State: y */ */\n"]))
    parts = ["HOA: v1", *head, f"Acceptance: {condition}", "--BODY--", *body, "--END--", ""]
    return (states, starts, condition, edges), end.join(parts)


def lines_of(state, edges):
    return [f"[{label}] {b} {{{' '.join(map(str, marks))}}}" for a, label, marks, b in edges if a == state]


def holds(label: str, letter: int) -> bool:
    """Evaluate a label in Python: the independent meaning."""
    words = {"0": str(bool(letter & 1)), "1": str(bool(letter & 2)), "t": "True", "f": "False"}
    plain = label.replace("/* [ */", "").replace("@x", "(0&!1)")
    return bool(
        eval("".join({"!": " not ", "&": " and ", "|": " or "}.get(c, words.get(c, c)) for c in plain))
    )


def meaning(parts):
    """Build the automaton by Spot's interface, letter by letter; the initial states become one before them all."""
    states, starts, condition, edges = parts
    result = spot.make_twa_graph(spot._bdd_dict)
    a, b = (spot.formula.ap(name) for name in ("a", 'b " c'))
    for name in (a, b):
        result.register_ap(name)
    result.set_acceptance(int(condition[0]), spot.acc_code(condition[2:].replace("!", "")))
    result.new_states(states + 1)
    result.set_init_state(states)
    every = set(range(int(condition[0])))
    for source, label, marks, destination in edges:
        accepted = sorted(every - marks if "!" in condition else marks)
        for letter in range(4):
            if holds(label, letter):
                for state in {source, states} if source in starts else {source}:
                    formula = spot.formula_And(
                        [p if letter >> i & 1 else spot.formula_Not(p) for i, p in enumerate((a, b))]
                    )
                    result.new_edge(
                        state, destination, spot.formula_to_bdd(formula, spot._bdd_dict, result), accepted
                    )
    return result


def without_fin(automaton):
    """Return the same language without Fin, and without what Spot then says of it: its complement trips over that."""
    result = spot.remove_fin(automaton)
    result.prop_reset()
    return result


@settings(deadline=None, max_examples=80)
@given(automata())
def test_legal_hoa_means_what_it_says(made):
    parts, text = made
    read = to_spot(read_hoa(text))
    assert spot.are_equivalent(without_fin(read), without_fin(meaning(parts))), text
