"""Automata of strangers: nothing in them is run, believed, or able to end or exhaust the process."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import spot
from hypothesis import given, settings
from hypothesis import strategies as st
from languages import GOOD_HOA as GOOD
from runner import PETERSON, ROOT, buchi

from buchi.common.errors import InputError
from buchi.common.labels import Cube, covers_all, exclusive
from buchi.pipeline.judge import Word, judge_hoa
from buchi.readers.hoa import parse_hoa
from buchi.translators.documents import read_automaton
from buchi.translators.hoa import read_hoa
from buchi.translators.spot_helpers.automata import to_spot

ONE = 'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "a" "b"\nAcceptance: 1 Inf(0)\n{}--BODY--\nState: 0\n{}\n--END--\n'


def names(count: int) -> str:
    return f"{count} " + " ".join(f'"p{i}"' for i in range(count))


def wide(count: int, label: str, acceptance: str = "0 t") -> str:
    lines = f"AP: {names(count)}\nAcceptance: {acceptance}\n--BODY--\nState: 0\n{label} 0\n--END--\n"
    return f"HOA: v1\nStates: 1\nStart: 0\n{lines}"


class TestNothingIsRun:
    @pytest.mark.parametrize("end", ["|", "|\n", "\n|", " |"])
    def test_text_that_looks_like_a_command(self, tmp_path, end):
        """Spot takes text that ends with | for a command line."""
        flag = tmp_path / "flag"
        text = GOOD.replace("States", f'name: "$(touch {flag})"\nStates') + end
        for read in (read_hoa, read_automaton, lambda text: judge_hoa(text)(Word(("a",), [0], [1]))):
            with pytest.raises(InputError, match="the end of the text"):
                read(text)
        assert not flag.exists()

    def test_the_command_line_does_not_run_it_either(self, tmp_path):
        flag, file = tmp_path / "flag", tmp_path / "a.hoa"
        file.write_text(
            f"{GOOD.replace('States', f'name: {chr(34)}$(touch {flag}){chr(34)}{chr(10)}States')}|"
        )
        assert buchi("check", PETERSON, "--automaton", file).code == 2
        assert not flag.exists()

    def test_text_that_looks_like_the_name_of_a_file(self, tmp_path):
        """Spot takes text without a line end for the name of a file."""
        file = tmp_path / "a.hoa"
        file.write_text(GOOD)
        for read in (read_hoa, judge_hoa(str(file))):
            with pytest.raises(InputError, match="not an automaton"):
                read(str(file) if read is read_hoa else Word(("a",), [0], [1]))

    def test_one_line_is_text(self):
        assert read_hoa(GOOD.replace("\n", " ")) == read_hoa(GOOD)

    def test_only_one_place_hands_text_to_spot(self):
        used = {use for path in sources() for use in openers(path)}
        assert used == {("readers/hoa.py", "automaton_stream_parser")}


OPENERS = {"automaton", "automata", "automaton_stream_parser", "aiger_circuit", "ltsmin", "load", "setup"}


def sources() -> Iterator[Path]:
    for package in ("schemas", "readers", "models", "translators", "checkers", "pipeline"):
        yield from (ROOT / package).rglob("*.py")


def openers(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what a file uses of Spot that opens files or runs commands, also under an alias of the module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and node.attr in OPENERS and "spot" in ast.unparse(node.value):
            yield str(path.relative_to(ROOT)), node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "spot":
            yield str(path.relative_to(ROOT)), "from spot import"


LONG = "9" * 5000
MALFORMED = {
    "a crash of Spot": (GOOD.replace("Inf(0)", "t | Fin(!0)"), "5:15: a negated set beside t"),
    "a constant in parentheses": (GOOD.replace("Inf(0)", "(f | (t)) | Inf(!0)"), "beside t or f"),
    "states that take all memory": (GOOD.replace("States: 1", "States: 200000000"), "2:9: .* too large"),
    "a state that aborts": (
        GOOD.replace("States: 1\n", "").replace("] 0 {0}", "] 2147483647 {0}"),
        "7:5: state",
    ),
    "a state beyond the declared": (GOOD.replace("] 0 {0}", "] 1 {0}"), "8:5: state 1"),
    "a start beyond the declared": (GOOD.replace("Start: 0", "Start: 7"), "3:8: state 7"),
    "a start before States": (
        GOOD.replace("States: 1\nStart: 0", "Start: 7\nStates: 1"),
        "2:8: there is no state 7",
    ),
    "an alias too early": (GOOD.replace("AP:", "Alias: @a 0\nAP:"), "4:1: AP: has to come before"),
    "an unknown alias": (GOOD.replace("[0]", "[@b]"), "8:2: @b"),
    "an alias of itself": (GOOD.replace("Acc", "Alias: @a !@a\nAcc"), "5:12: @a"),
    "an alias twice": (GOOD.replace("Acc", "Alias: @a 0\nAlias: @a !0\nAcc"), "6:8: @a"),
    "propositions declared": (GOOD.replace('1 "a"', '100000000 "a"'), "4:5: the number of propositions"),
    "too many propositions": (wide(1001, "[0]"), "4:5: .* 1001 is too large"),
    "too many tested": (wide(1000, f"[{'&'.join(map(str, range(1000)))}]"), "tests 1000 propositions"),
    "a name missing": (GOOD.replace('1 "a"', '2 "a"'), "5:1: Acceptance: comes where the name"),
    "a name too many": (GOOD.replace('1 "a"', '1 "a" "b"'), '4:11: "b" comes'),
    "implicit labels": (wide(28, ""), "an edge needs a label"),
    "sets": (GOOD.replace("1 Inf(0)", "33 Inf(0)"), "acceptance sets 33"),
    "a set beyond the declared": (GOOD.replace("Inf(0)", "Inf(1)"), "5:19: the acceptance set 1"),
    "a mark beyond the declared": (GOOD.replace("{0}", "{1}"), "8:8: the acceptance set 1"),
    "more sets when negated": (
        wide(0, "[t]", "32 " + "&".join(f"Inf({i})&Inf(!{i})" for i in range(32))),
        "Too many acceptance sets",
    ),
    "an atom that is none": (GOOD.replace("Inf(0)", "Inf(Fin(0))"), "5:19: Fin comes where"),
    "atoms without end": (GOOD.replace("Inf(0)", "|".join(["Inf(0)"] * 5000)), "more than 4096 atoms"),
    "a normal form without end": (
        wide(0, "[t]", "32 Inf(0)|" + "&".join(f"(Inf({2 * i})|Fin({2 * i + 1}))" for i in range(16))),
        "x.hoa: the acceptance may have 65537 clauses",
    ),
    "cubes without end": (
        wide(40, f"[{'&'.join(f'({2 * i}|{2 * i + 1})' for i in range(20))}]"),
        "1048576 cubes",
    ),
    "deep labels": (
        GOOD.replace("[0]", "[" + "(" * 100_000 + "0" + ")" * 100_000 + "]"),
        "nested too deeply",
    ),
    "deep negation": (GOOD.replace("[0]", "[" + "!" * 100_000 + "0]"), "nested too deeply"),
    "deep acceptance": (GOOD.replace("Inf(0)", "(" * 9999 + "Inf(0)" + ")" * 9999), "nested too deeply"),
    "an open parenthesis": (GOOD.replace("[0]", "[(0]"), r"8:4: \] comes where \)"),
    "alternation": (GOOD.replace("[0] 0", "[0] 0&0"), "8:6: this automaton is alternating"),
    "initial alternation": (GOOD.replace("Start: 0", "Start: 0 & 0"), "3:10: this automaton is alternating"),
    "abort": (GOOD.replace("--END--", "--ABORT--"), "10:1: the automaton was given up"),
    "a second automaton": (GOOD + GOOD, "11:1: a second automaton"),
    "a second automaton after an abort": (
        GOOD.replace("--END--", "--ABORT--") + GOOD,
        "10:1: the automaton was given",
    ),
    "text after the end": (GOOD + "x", "11:1: x comes"),
    "no end": (GOOD.replace("--END--\n", ""), "unexpected end"),
    "a bare carriage return": (GOOD.replace("\nStart", "\rStart"), "2:10: a bare carriage return"),
    "only carriage returns": (GOOD.replace("\n", "\r"), "1:8: a bare carriage return"),
    "half a character": (GOOD.replace('"a"', '"\ud800"'), "4:8: the character '.ud800'"),
    "a null character": (GOOD.replace('"a"', '"a\0"'), "4:9: the character"),
    "an escape sequence": (GOOD.replace('"a"', '"\x1b[31ma"'), "4:8: the character"),
    "a name of two lines": (GOOD.replace('"a"', '"a\nb"'), "4:7: .* cannot be printed"),
    "a string without end": (GOOD.replace('"a"', '"a'), "4:7: this string does not end"),
    "a comment without end": (GOOD.replace("Start", "/* /* */ Start"), "3:1: this comment does not end"),
    "digits in the header": (GOOD.replace("States: 1", f"States: {LONG}"), "2:9: .* with 5000 digits"),
    "digits in a label": (GOOD.replace("[0]", f"[{LONG}]"), "8:2: .* with 5000 digits"),
    "digits in marks": (GOOD.replace("{0}", f"{{{LONG}}}"), "8:8: .* with 5000 digits"),
    "a capital header": (GOOD.replace("Start", "Meaning: 1\nStart"), "3:1: the header Meaning:"),
    "States twice": (GOOD.replace("Start", "States: 1\nStart"), "3:1: States: comes twice"),
    "a letter of no alphabet": (GOOD.replace("[0]", "[0 § 0]"), "8:4: this is no token"),
    "no version": (GOOD.replace("HOA: v1", "HOA:"), "2:1: States: comes where the version"),
    "an unknown version": (GOOD.replace("v1", "v7"), "1:"),
}


@pytest.mark.parametrize(("text", "told"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_hoa_is_refused_with_its_place(text, told):
    with pytest.raises(InputError, match=told) as caught:
        read_hoa(text, "x.hoa")
    assert str(caught.value).startswith("x.hoa")
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    "name", ["alternation", "abort", "a crash of Spot", "digits in the header", "too many tested"]
)
def test_the_exit_code_is_2(tmp_path, name):
    (tmp_path / "a.hoa").write_text(MALFORMED[name][0])
    ended = buchi("check", PETERSON, "--automaton", tmp_path / "a.hoa")
    assert (ended.code, "Traceback" in ended.err) == (2, False)


WORDS = [
    "state-labels",
    "trans-labels",
    "implicit-labels",
    "explicit-labels",
    "state-acc",
    "trans-acc",
    "univ-branch",
    "no-univ-branch",
    "deterministic",
    "complete",
    "unambiguous",
    "stutter-invariant",
    "weak",
    "very-weak",
    "inherently-weak",
    "terminal",
    "tight",
    "colored",
    "semi-deterministic",
    "exist-branch",
]
EDGES = ["[0&1] 0 {0}\n[0] 0\n[!0] 0", "[f] 0", "[t] 0", "0 0 0 {0} 0"]


class TestClaims:
    """What a file claims changes nothing."""

    @pytest.mark.parametrize("edges", EDGES)
    @pytest.mark.parametrize("start", ["", "Start: 0\n"])
    def test_properties(self, edges, start):
        expected = read_hoa(ONE.format(start, edges))
        for word in WORDS:
            for claim in (word, f"!{word}", f"{word} !{word}", f"{word} weak terminal deterministic"):
                text = ONE.format(f"{start}properties: {claim}\n", edges)
                assert read_hoa(text) == expected, claim
                assert parse_hoa(text, "x").to_str("hoa") == parse_hoa(ONE.format(start, edges), "x").to_str(
                    "hoa"
                )

    @pytest.mark.parametrize(
        "line",
        [
            "acc-name: parity max even 3",
            "acc-name: none",
            "spot-state-player: 7",
            "controllable-AP: 0 9",
            'name: "--BODY--"',
        ],
    )
    def test_other_headers(self, line):
        assert read_hoa(ONE.format(f"{line}\n", EDGES[0])) == read_hoa(ONE.format("", EDGES[0]))

    @pytest.mark.parametrize("first", ["[f] 1\n[f] 0", "", "[t] 0", "[0] 1 {0}"])
    @pytest.mark.parametrize("claim", ["terminal", "weak", "deterministic", "weak !weak"])
    def test_two_initial_states_end_well(self, tmp_path, first, claim):
        """With `[f]` edges, Spot's flags were those of another automaton."""
        text = (
            f'HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAP: 1 "P0.state==1"\nproperties: {claim}\nAcceptance: 1 Inf(0)\n'
            f"--BODY--\nState: 0\n{first}\nState: 1\n[t] 1 {{0}}\n--END--\n"
        )
        (tmp_path / "a.hoa").write_text(text.replace("P0.state==1", "A.critical"))
        assert buchi("check", PETERSON, "--automaton", tmp_path / "a.hoa").code == 1

    def test_no_edge_of_an_initial_state_is_lost(self):
        """Told both initial states, Spot 2.13 links no edge to the joined one: reader and judge disagreed."""
        text = """HOA: v1 States: 3 Start: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
            --BODY-- State: 0 [t] 2 State: 1 State: 2 [!0] 2 {0} --END--"""
        assert spot.are_equivalent(to_spot(read_hoa(text)), spot.translate("XG!a"))
        assert judge_hoa(text)(Word(("a",), [1], [0]))
        assert not parse_hoa(text, "x").is_empty()


@settings(deadline=None, max_examples=200)
@given(
    st.text(alphabet='HOA:v1 \n"[]{}()!&|/*@0123tfSaeP-BODYEN', max_size=80),
    st.integers(0, len(GOOD)),
    st.integers(0, 9),
)
def test_damaged_hoa_is_read_or_refused(noise, position, cut):
    text = GOOD[:position] + noise + GOOD[position + cut :]
    with suppress(InputError):
        read_hoa(text)


def document(**changes) -> str:
    plain = {
        "kind": "tgba",
        "propositions": ["a", "b"],
        "states": 1,
        "initial": [[[[0, 0]], 0]],
        "edges": [[0, [[1, 0]], 1, 0]],
        "sets": 1,
        "acceptance": [[0, 1]],
    }
    return json.dumps({**plain, **changes})


TESTING = {"kind": "ta", "propositions": [], "initial": [], "edges": [], "accepting": [], "livelock": []}
BAD_JSON = {
    "states": (document(states=10**9, claims={"deterministic": True}), "states"),
    "states of a testing automaton": (json.dumps({**TESTING, "states": 10**9}), "states"),
    "digits": (document().replace('"states": 1', f'"states": {LONG}'), "out of range"),
    "huge marks": (document(edges=[[0, [[1, 0]], 10**4000, 0]]), "marks"),
    "a huge cube": (document(edges=[[0, [[10**4000, 0]], 1, 0]]), "label"),
    "a negative cube": (document(edges=[[0, [[-1, 0]], 1, 0]]), "label"),
    "half a character": (document(propositions=["\ud800"]), "Invalid JSON"),
    "half a character in the text": (document(propositions=["X"]).replace("X", "\ud800"), "unicode"),
    "a null character": (document(propositions=["a\0", "b"]), "cannot be printed"),
    "an escape sequence": (document(propositions=["a\x1b[31m", "b"]), "cannot be printed"),
    "depth": ('{"kind":' + "[" * 100_000, "recursion limit"),
    "errors without end": (document(edges=[[0]] * 100_000), "edges.0.1"),
    "a testing automaton that unfolds without end": (
        json.dumps(
            {
                **TESTING,
                "states": 1,
                "propositions": [f"p{i}" for i in range(40)],
                "initial": [[0, 0]],
                "edges": [[0, 1 << i, 0] for i in range(40)],
            }
        ),
        "more than 100000 pairs",
    ),
    "a false claim": (document(claims={"terminal": True}), "claims to be terminal"),
    "a false claim on the language": (
        document(
            states=2, edges=[[0, [[1, 0]], 0, 1], [1, [[0, 1]], 1, 1]], claims={"stutter_invariant": True}
        ),
        "not stutter-invariant",
    ),
}


@pytest.mark.parametrize(("text", "told"), BAD_JSON.values(), ids=BAD_JSON)
def test_bad_json(text, told):
    with pytest.raises(InputError, match=told) as caught:
        read_automaton(text, "x.json")
    assert len(str(caught.value)) < 600


def pigeons(count: int) -> tuple[Cube, ...]:
    """A label that covers all letters, since so many pigeons do not fit; hard to see by splitting."""
    holes = range(count - 1)
    seat = [[1 << (i * (count - 1) + j) for j in holes] for i in range(count)]
    homeless = [Cube(0, sum(row)) for row in seat]
    crowded = [Cube(seat[i][j] | seat[k][j], 0) for j in holes for i in range(count) for k in range(i)]
    return (*homeless, *crowded)


class TestHardLabels:
    def test_covering_stays_open_where_it_is_hard(self):
        assert covers_all(pigeons(4))
        assert not covers_all(pigeons(8))

    def test_exclusion_takes_polynomial_time(self):
        """Splitting on propositions would double the work with each of them."""
        one = (*(Cube(3 << 2 * i, 0) for i in range(28)), Cube(1 << 60, 0))
        other = tuple(Cube(0, 1 << 2 * i) for i in range(28))
        assert not exclusive([one, other])
        assert exclusive([(Cube(1 << 62, sum(1 << 2 * i for i in range(28))),), other[:0], one[:28]])
