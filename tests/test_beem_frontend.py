"""The DVE front-end against the BEEM benchmark: all of it loads; the published numbers of states are met."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest
from data import FOLDER, beem_models, needs_data, published_states, published_verdicts

from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator, State
from buchi.models.frontend import Loaded
from buchi.models.propositions import parse_proposition

pytestmark = needs_data

LARGE = 500_000
"""Bytes of a text above which it is loaded by the slow tests only."""


def load(path: Path) -> Loaded:
    return DVE().load(path.read_text(encoding="utf-8"), str(path))


def families(*, large: bool) -> list[str]:
    return sorted({p.parent.name for p in beem_models() if (p.stat().st_size > LARGE) is large})


def check_family(name: str) -> None:
    paths = [path for path in beem_models() if path.parent.name == name]
    for path in paths:
        loaded = load(path)
        assert loaded.model.commands
        assert loaded.model.name == path.name.removesuffix(".dve")
        assert (loaded.forbidden is not None) == (".prop" in path.name)


@pytest.mark.parametrize("family", families(large=False))
def test_every_model_loads(family: str) -> None:
    check_family(family)


@pytest.mark.slow
@pytest.mark.parametrize("family", families(large=True))
def test_every_large_model_loads(family: str) -> None:
    check_family(family)


def count(path: Path) -> int:
    evaluator = Evaluator(load(path).model)
    seen: set[State] = {evaluator.initial()}
    waiting = list(seen)
    while waiting:
        for _, state in evaluator.successors(waiting.pop()):
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return len(seen)


def by_name(published: Iterable[tuple[Path, object]]) -> list[object]:
    return [pytest.param(path, expected, id=path.stem) for path, expected in published]


@pytest.mark.parametrize(("path", "states"), by_name(published_states(0, 3000)))
def test_published_states(path: Path, states: int) -> None:
    assert count(path) == states


@pytest.mark.slow
@pytest.mark.parametrize(("path", "states"), by_name(published_states(3001, 100_000)))
def test_published_states_of_larger_models(path: Path, states: int) -> None:
    assert count(path) == states


Node = tuple[State, int]
Graph = dict[Node, list[tuple[Node, int]]]


def product(loaded: Loaded) -> Graph:
    """Return the model with its property automaton, each edge with its marks; deadlocks stutter."""
    automaton, evaluator = loaded.forbidden, Evaluator(loaded.model)
    assert automaton is not None
    waiting: list[Node] = [(evaluator.initial(), automaton.initial[0][1])]
    graph: Graph = {}
    while waiting:
        node = state, location = waiting.pop()
        if node not in graph:
            letter = sum(
                1 << i for i, e in enumerate(loaded.propositions.values()) if evaluator.evaluate(e, state)
            )
            targets = [target for _, target in evaluator.successors(state)] or [state]
            taken = [
                edge
                for edge in automaton.edges
                if edge.source == location and any(letter & cube.true == cube.true for cube in edge.label)
            ]
            graph[node] = [((target, edge.destination), edge.marks) for edge in taken for target in targets]
            waiting += [successor for successor, _ in graph[node]]
    return graph


def has_accepting_run(graph: Graph) -> bool:
    """Keep only nodes from which a marked edge between kept nodes is reachable, until nothing changes."""
    sources = defaultdict(list)
    for node, edges in graph.items():
        for target, _ in edges:
            sources[target].append(node)
    kept, before = set(graph), -1
    while len(kept) != before:
        before = len(kept)
        waiting = [node for node in kept if any(marks and target in kept for target, marks in graph[node])]
        found = set(waiting)
        while waiting:
            new = {source for source in sources[waiting.pop()] if source in kept} - found
            found |= new
            waiting += new
        kept = found
    return bool(kept)


@pytest.mark.parametrize(("path", "holds"), by_name(published_verdicts(0, 3000)))
def test_published_verdicts(path: Path, holds: bool) -> None:
    assert has_accepting_run(product(load(path))) != holds


@pytest.mark.slow
@pytest.mark.parametrize(("path", "holds"), by_name(published_verdicts(3001, 20_000)))
def test_published_verdicts_of_larger_models(path: Path, holds: bool) -> None:
    assert has_accepting_run(product(load(path))) != holds


AP_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
NAME = r"[A-Za-z_](?:\w|\\?\.)*(?:\\\[\d+\\\])?"
LTL_TEXT = re.compile(rf'{NAME}\s*(?:==|!=|<=|>=|<|>)\s*(?:"\w+"|\w+)')


def propositions_of(folder: Path) -> set[str]:
    """Return the propositions as the automata (HOA) and the formulas (LTSmin) spell them."""
    found: set[str] = set()
    for path in folder.glob("*.hoa"):
        line = next(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("AP:"))
        found.update(text.replace('\\"', '"') for text in AP_TEXT.findall(line))
    for path in folder.glob("*.ltl"):
        text = path.read_text(encoding="utf-8")
        assert re.fullmatch(r"(?:\[\]|<>|[()!&|URXWM\s]|true|false)*", LTL_TEXT.sub("", text)), path
        found.update(LTL_TEXT.findall(text))
    return found


@pytest.mark.parametrize("name", sorted(path.parent.name for path in FOLDER.glob("sttt-beem/*/*.dve")))
def test_every_proposition_resolves(name: str) -> None:
    folder = FOLDER / "sttt-beem" / name
    model = load(folder / f"{name}.dve").model
    propositions = propositions_of(folder)
    assert propositions
    for text in propositions:
        parse_proposition(text, model)
