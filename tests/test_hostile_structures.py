"""Structures of strangers: nothing in their files is run, nor able to end or exhaust the process."""

from __future__ import annotations

import json
from contextlib import nullcontext, suppress

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from runner import buchi

from buchi.common import yaml_values
from buchi.common.errors import InputError
from buchi.common.yaml_values import load_yaml
from buchi.models.kripke_files import KripkeFiles
from buchi.models.kripke_hoa import KripkeHoa
from buchi.models.random import RandomStructures

HOA = """HOA: v1
States: 2
Start: 0
AP: 2 "p" "q"
Acceptance: 0 t
properties: state-labels
--BODY--
State: [0&1] 0
1
State: [!0&1] 1
0
--END--
"""
DIGITS = "9" * 5000
LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
PARSERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])]


@pytest.fixture(params=PARSERS, ids=lambda parser: parser.__name__)
def parser(request, monkeypatch):
    """With LibYAML and without it."""
    monkeypatch.setattr(yaml_values, "_PARSER", request.param)


BAD_YAML = {
    "a billion laughs": (LAUGHS, r"2:\d+: aliases such as \*a are refused"),
    "an alias to itself": ("states: &x [*x]", "aliases such as"),
    "a merge": ("a: &a {to: []}\nstates: {b: {<<: *a}}", "2:14: keys are not merged"),
    "an object": ("states: !!python/object/apply:os.system ['true']", "1:9: tags such as"),
    "a name of Python": ("states: !!python/name:os.system ''", "tags such as"),
    "a broken number": ("states: !!int ''", "tags such as"),
    "a broken date": ("states: !!timestamp x", "tags such as"),
    "digits": (f"states: {{a: {{to: [{DIGITS}]}}}}", "a number of 5000 digits"),
    "depth in flow": ("[" * 1_000_000, "1:101: nested too deeply"),
    "depth in blocks": ("- " * 20_000, "nested too deeply"),
    "depth of keys": ("? " * 500 + "a", "nested too deeply|a key has to be"),
    "a list as key": ("? [a]\n: 1", "a key has to be a word"),
    "a second document": ("states: {a: {}}\n---\nstates: {a: {}}", "2:1: a second document"),
    "a null character": ("states: \0", "not YAML"),
    "half a character": ('states: {"\\ud800": {}}', "Unicode|unicode|printed"),
    "half a character in the text": ("states: \ud800", "not YAML"),
    "an escape sequence": ('states: {"\\e[31ma": {}}', "cannot be printed"),
    "a key twice": ("states: {1: {}, '1': {}}", "1:17: 1 comes twice"),
    "an endless name": (
        f"states: {{{'n' * 1000}: {{to: [{'m' * 100_000}]}}}}",
        "state nnn",
    ),
    "cells": (
        f"states: {{{', '.join(f'{i}: {{}}' for i in range(7100))}}}\n"
        f"propositions: [{', '.join(f'p{i}' for i in range(7100))}]",
        "7100 propositions in 7100 states",
    ),
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("text", "told"), BAD_YAML.values(), ids=BAD_YAML)
def test_bad_yaml(text, told):
    with pytest.raises(InputError, match=told) as caught:
        KripkeFiles().load(text, "a.kripke.yaml")
    str(caught.value).encode()
    assert len(str(caught.value)) < 600


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: [1, -2, 0, 1.5, .5]", {"a": [1, -2, 0, 1.5, 0.5]}),
        ("{on: off, yes: no, y: n}", {"on": "off", "yes": "no", "y": "n"}),
        ("[true, False, ~, null, '', \"1\", '~']", [True, False, None, None, "", "1", "~"]),
        (
            "[010, 0x10, 1_000, 1:30, +5, 2001-01-01, -, .]",
            ["010", "0x10", "1_000", "1:30", "+5", "2001-01-01", "-", "."],
        ),
        ("a:\n- b\n- c: d\ne: |\n  f\n", {"a": ["b", {"c": "d"}], "e": "f\n"}),
        ("a: &unused 1", {"a": 1}),
        ("a:", {"a": None}),
        ("", None),
    ],
)
def test_plain_values(text, value):
    assert load_yaml(text, "a.yaml") == value


@pytest.mark.usefixtures("parser")
def test_names_mean_what_they_say():
    """`010` is no eight."""
    model = KripkeFiles().load("states: {010: {to: [0x8]}, 0x8: {to: [8]}, 8: {}}", "a.kripke.yaml").model
    assert model.variables[0].values == ("010", "0x8", "8")


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(-1000, 1000).filter(lambda x: "e" not in repr(x)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=40)
@given(PLAIN)
def test_what_is_written_is_read(value):
    """JSON is YAML, but for escaped halves of characters."""
    text = json.dumps(value)
    with suppress(InputError) if "\\ud" in text else nullcontext():
        assert load_yaml(text, "a.yaml") == value


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="states: {}[]ao'\"&*!?|>-,#\n\t01.~<", max_size=60))
def test_noise_is_read_or_refused(text):
    for source in ("a.kripke.yaml", "a.kripke.json"):
        with suppress(InputError):
            KripkeFiles().load(text, source)
    with suppress(InputError):
        RandomStructures().load(text, "a.random.yaml")


BAD_JSON = {
    "depth": ("[" * 100_000, "nested too deeply"),
    "depth of objects": ('{"a":' * 100_000, "nested too deeply"),
    "digits": (f'{{"states": {{"a": {{"to": [{DIGITS}]}}}}}}', "digits|valid"),
    "half a character": ('{"states": {"\\ud800": {}}}', "half a character"),
    "half a character twice": ('{"states": {"\\ud800": {}, "\\ud800": {}}}', r"\\ud800 comes twice"),
    "half a character as a field": ('{"\\ud800": 1, "states": {"a": {}}}', "half a character"),
    "an escape sequence": ('{"states": {"\\u001b[31m": {}}}', "cannot be printed"),
    "a key twice among many": (
        json.dumps({"states": {f"s{i}": {} for i in range(5_000)}})[:-2] + ', "s7": {}}}',
        "s7 comes twice",
    ),
    "a near miss among many": (
        json.dumps({"states": {f"state{i}": {"to": ["state5000"]} for i in range(5_000)}}),
        "which is no state",
    ),
}


@pytest.mark.parametrize(("text", "told"), BAD_JSON.values(), ids=BAD_JSON)
def test_bad_json(text, told):
    with pytest.raises(InputError, match=told) as caught:
        KripkeFiles().load(text, "a.kripke.json")
    str(caught.value).encode()
    assert len(str(caught.value)) < 600


BAD_HOA = {
    "states": (HOA.replace("States: 2", "States: 200000000"), "2:9: .* too large"),
    "a state that aborts": (HOA.replace("] 0\n1", "] 0\n2147483647"), "9:1: state 2147483647"),
    "a command": (HOA.replace("States", 'name: "$(false)"\nStates') + "|", "14:1: .* the end of the text"),
    "alternation": (HOA.replace("] 0\n1", "] 0\n0&1"), "alternating"),
    "abort": (HOA.replace("--END--", "--ABORT--"), "given up"),
    "an alias too early": (HOA.replace("AP:", "Alias: @a 0\nAP:"), "AP: has to come before"),
    "a state without a label": (HOA.replace("[0&1] 0", "0"), "8:8: a state of a structure has a label"),
    "a label on an edge": (HOA.replace("] 0\n1", "] 0\n[t] 1"), "9:1: an edge of a structure"),
    "a label too deep": (
        HOA.replace("[0&1]", "[" + "(" * 9999 + "0&1" + ")" * 9999 + "]"),
        "nested too deeply",
    ),
    "two initial states": (HOA.replace("Start: 0", "Start: 0 Start: 1"), "one initial state, not 2"),
    "a bare carriage return": (HOA.replace("\n", "\r"), "carriage return"),
    "acceptance": (HOA.replace("0 t", "1 Inf(0)"), "acceptance"),
}


@pytest.mark.parametrize(("text", "told"), BAD_HOA.values(), ids=BAD_HOA)
def test_bad_hoa(text, told):
    with pytest.raises(InputError, match=told):
        KripkeHoa().load(text, "a.hoa")


@pytest.mark.parametrize(
    "line",
    ["properties: trans-labels", "properties: state-labels !state-labels weak", "", 'name: "--BODY--"'],
)
def test_claims_of_a_structure_change_nothing(line):
    expected = KripkeHoa().load(HOA, "a.hoa").model
    assert KripkeHoa().load(HOA.replace("properties: state-labels", line), "a.hoa").model == expected


def test_a_proposition_may_be_called_like_the_body():
    with pytest.raises(InputError, match="cannot be the name of a proposition"):
        KripkeHoa().load(HOA.replace('"q"', '"--BODY--"'), "a.hoa")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{states: 2147483647, density: 0}", "states"),
        ("{states: 10000000, density: 0.5}", "about 50000005000000 edges"),
        ("{states: 10000, density: 1.0}", "about 100000000 edges"),
        (
            f"{{states: 9000000, density: 0, propositions: [{', '.join('abcdef')}]}}",
            "6 propositions in 9000000",
        ),
        (f"{{states: {DIGITS}, density: 0}}", "5000 digits"),
        ("{states: 5, density: .nan}", "density"),
        ("{states: 1.0e+308, density: 0}", "states"),
    ],
)
def test_random_structures_have_a_size(text, told):
    with pytest.raises(InputError, match=told):
        RandomStructures().load(text, "a.random.yaml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.kripke.yaml", LAUGHS),
        ("a.kripke.json", BAD_JSON["half a character as a field"][0]),
        ("a.hoa", BAD_HOA["states"][0]),
        ("a.random.yaml", "{states: 2147483647, density: 1}"),
    ],
)
def test_the_exit_code_is_2(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    ended = buchi("explore", tmp_path / name)
    assert (ended.code, "Traceback" in ended.err) == (2, False)


def test_many_states_are_read_in_seconds():
    """Fifty thousand took sixteen seconds once."""
    count = 10_000
    lines = "".join(f"  s{i}: {{to: [s{(i * 7 + 1) % count}], holds: [p]}}\n" for i in range(count))
    model = KripkeFiles().load(f"states:\n{lines}", "a.kripke.yaml").model
    assert len(model.variables[0].values) == count
