"""Explicit and random structures: what their files say is what the model does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runner import ROOT, buchi

from buchi.common.errors import InputError
from buchi.models.kripke import Kripke
from buchi.models.random_structures import RandomDocument, random_structure
from buchi.pipeline.loading import load_model

YAML = """
initial: idle
states:
  busy: {to: [done, busy], holds: [p]}
  idle: {to: [busy]}
  done: {holds: [p, q]}
"""
JSON = """
{"states": {"0": {"to": [1]}, "1": {"to": [1, 0], "holds": ["p"]}}, "propositions": ["p", "never"]}
"""
HOA = """HOA: v1
States: 3
Start: 1
AP: 2 "p" "q"
acc-name: all
Acceptance: 0 t
properties: state-labels explicit-labels
--BODY--
State: [0&1] 0
1 2
State: [!0&1] 1
0
State: [0&!1] 2
2
--END--
"""


@pytest.fixture
def file(tmp_path: Path):
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def verdict(path: Path, formula: str) -> str:
    return str(buchi("check", path, "--ltl", formula, "--json").json["verdict"])


class TestFiles:
    @pytest.mark.parametrize(
        ("formula", "expected"),
        [
            ("!p & X p", "holds"),
            ('G ("state == done" -> q)', "holds"),
            ("F q", "violated"),
            ("F (q & G q) | G F !q", "holds"),
            ('F "state == busy"', "holds"),
        ],
    )
    def test_yaml(self, file, formula: str, expected: str) -> None:
        assert verdict(file("a.kripke.yaml", YAML), formula) == expected

    def test_a_dead_end_is_one(self, file) -> None:
        found = buchi("explore", file("a.kripke.yml", YAML), "--json").json
        assert (found["states"], found["transitions"], found["deadlocks"]) == (3, 3, 1)

    def test_json(self, file) -> None:
        path = file("a.kripke.json", JSON)
        assert verdict(path, "G (!p -> X p) & G !never") == "holds"
        assert verdict(path, 'G F "state == 0"') == "violated"

    def test_a_counterexample_names_the_states(self, file) -> None:
        ended = buchi("check", file("a.kripke.yaml", YAML), "--ltl", "F q", "--json")
        lasso = ended.json["counterexample"]
        states = [step["state"]["state"] for step in (*lasso["prefix"], *lasso["cycle"])]
        assert states[0] == "idle"
        assert set(states[1:]) == {"busy"}

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("states: {a: {to: [b]}}", "state a leads to b, which is no state"),
            ("states: {}", "states: "),
            ("states: {a: {too: [a]}}", "states.a.too"),
            ("states: {a: {}, a: {}}", "a.kripke.yaml:1:17: a comes twice"),
            ("states: [", "a.kripke.yaml:"),
            ("states: {a: {holds: [p q]}}", "'p q' cannot be the name of a proposition"),
            ("states: {a: {holds: [state]}}", "'state' cannot be the name"),
            ("states: {a: {holds: [q]}}\npropositions: [p]", "state a has q, which is not declared"),
            ("states: {idle: {}}\ninitial: idel", "did you mean idle?"),
            ("7", "valid dictionary"),
            ("states: {true: {}}", "valid string"),
        ],
    )
    def test_mistakes(self, file, text: str, told: str) -> None:
        ended = buchi("explore", file("a.kripke.yaml", text))
        assert ended.code == 2
        assert told in ended.err

    def test_words_that_old_yaml_takes_for_truth_values_are_names(self, file) -> None:
        path = file(
            "a.kripke.yaml",
            "states: {on: {to: [off, falsey], holds: [y]}, off: {to: [on]}, falsey: {to: [off]}}",
        )
        assert verdict(path, 'G ("state == on" <-> y)') == "holds"
        assert verdict(path, 'G F "state == off"') == "holds"
        switched = file("a.random.yaml", "states: 3\ndensity: 0\nconnected: yes\ntotal: false")
        assert buchi("explore", switched, "--json").json["states"] == 3

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('{"states": {"a": {}, "a": {}}}', "a comes twice"),
            ('{"states": ', "a.kripke.json:1:12"),
            ("[" * 100_000, "nested too deeply"),
            ("states: {}", "a.kripke.json:1:1"),
        ],
    )
    def test_mistakes_in_json(self, file, text: str, told: str) -> None:
        ended = buchi("explore", file("a.kripke.json", text))
        assert ended.code == 2
        assert told in ended.err


class TestHoa:
    @pytest.mark.parametrize(
        ("formula", "expected"), [("q & !p", "holds"), ("G (p | X p)", "holds"), ("F G p", "violated")]
    )
    def test_state_labels(self, file, formula: str, expected: str) -> None:
        assert verdict(file("a.hoa", HOA), formula) == expected

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("[0&1] 0", "[0] 0", "the label of state 0 does not decide every proposition"),
            ("[0&1] 0", "[0|1] 0", "the label of state 0 does not decide every proposition"),
            ("2\n2\n", "2\n", "state 2 has no successor"),
            ("Start: 1\n", "Start: 1\nStart: 0\n", "one initial state, not 2"),
            ("Start: 1\n", "", "one initial state, not 0"),
            ("Acceptance: 0 t", "Acceptance: 1 Inf(0)", "acceptance"),
            ("--BODY--", "--BODY", "a.hoa:"),
            ("[!0&1] 1\n0", "[!0&1] 1\n9", "a.hoa:12"),
        ],
    )
    def test_mistakes(self, file, old: str, new: str, told: str) -> None:
        ended = buchi("explore", file("a.hoa", HOA.replace(old, new)))
        assert ended.code == 2
        assert told in ended.err
        assert "Traceback" not in ended.err


def reachable(kripke: Kripke) -> set[int]:
    found, pending = {0}, [0]
    while pending:
        for target in kripke.edges[pending.pop()]:
            if target not in found:
                found.add(target)
                pending.append(target)
    return found


class TestRandom:
    @pytest.mark.parametrize("seed", range(20))
    @pytest.mark.parametrize("density", [0.0, 0.001, 0.05, 1.0])
    def test_connected_and_total(self, seed: int, density: float) -> None:
        kripke = random_structure(RandomDocument(states=60, density=density, seed=seed))
        assert reachable(kripke) == set(range(60))
        assert all(kripke.edges)
        assert all(len(set(targets)) == len(targets) for targets in kripke.edges)

    def test_connected_needs_no_total(self) -> None:
        kripke = random_structure(RandomDocument(states=200, density=0.004, seed=1, total=False))
        assert reachable(kripke) == set(range(200))
        assert not all(kripke.edges)

    def test_the_mean_degree_and_truth_are_those_asked_for(self) -> None:
        """1 + 0.02 * 999 successors a state and half of 2000 labels; five standard deviations around them."""
        wanted = RandomDocument(states=1000, density=0.02, truth=0.5, connected=False, seed=5)
        kripke = random_structure(wanted)
        edges = sum(map(len, kripke.edges))
        assert abs(edges - 1000 * (1 + 0.02 * 999)) < 5 * (1000 * 999 * 0.02 * 0.98) ** 0.5
        assert abs(sum(map(len, kripke.labels)) - 1000) < 5 * (2000 * 0.25) ** 0.5

    def test_every_target_is_as_likely(self) -> None:
        wanted = RandomDocument(states=10, density=0.3, connected=False, total=False, propositions=())
        counts = [0] * 10
        for seed in range(2000):
            for target in random_structure(wanted.model_copy(update={"seed": seed})).edges[0]:
                counts[target] += 1
        assert all(abs(count - 600) < 5 * (2000 * 0.21) ** 0.5 for count in counts)

    def test_the_seed_decides(self) -> None:
        one, same, other = (
            random_structure(RandomDocument(states=30, density=0.1, seed=seed)) for seed in (1, 1, 2)
        )
        assert one == same != other

    def test_files(self, file) -> None:
        path = file(
            "a.random.yaml", "{states: 100, density: 0.03, truth: 0.3, propositions: [a, b, c], seed: 4}"
        )
        assert buchi("explore", path, "--json").json["states"] == 100
        assert set(load_model(path).model.constants) == {"a", "b", "c"}
        assert buchi("check", path, "--ltl", "G F a", "--json").code in (0, 1)

    def test_mistakes(self, file) -> None:
        with pytest.raises(InputError, match="density"):
            load_model(file("a.random.yaml", "{states: 5, density: 2}"))
        with pytest.raises(InputError, match="seeds"):
            load_model(file("a.random.json", '{"states": 5, "density": 0.5, "seeds": 1}'))


def test_a_step_does_not_depend_on_the_number_of_edges() -> None:
    """As many commands as a state has successors at most."""
    model = Kripke(("p",), [[1, 2], [0], []], [frozenset(), frozenset("p"), frozenset()]).model()
    assert len(model.commands) == 2


def test_the_examples_of_the_documentation(file) -> None:
    text = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    explicit, random = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    (hoa,) = re.findall(r"```\n(HOA.*?)```", text, re.DOTALL)
    assert verdict(file("a.kripke.yaml", explicit), "G (broken -> G broken)") == "holds"
    assert verdict(file("a.hoa", hoa), "G (working -> X !working)") == "holds"
    assert buchi("explore", file("a.random.yaml", random), "--json").json["states"] == 1000
