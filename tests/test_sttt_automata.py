"""The automata of seed 003's artifact: all load, and its Fin-less route is reproduced."""

from __future__ import annotations

from collections import Counter

import pytest
import spot
from data import FOLDER, needs_data
from languages import run

from buchi.pipeline.table import table
from buchi.schemas.kinds import Kind
from buchi.translators.hoa import read_hoa, write_hoa
from buchi.translators.ltl import parse_ltl
from buchi.translators.spot_helpers.automata import to_spot
from buchi.translators.tela_tgra import TelaToTgra
from buchi.translators.tgba_tgra import TgbaToTgra
from buchi.translators.tgra_tfla import TgraToTfla

pytestmark = needs_data
TOOLS = ("tgba", "ltl3tela", "ltl3dra", "rabinizer3", "finless")
FILES = 5_695


def files(tool="*"):
    return sorted(FOLDER.glob(f"sttt-beem/*/*_{tool}.hoa"))


def read(path):
    return read_hoa(path.read_text(), str(path))


def as_tgra(automaton):
    if automaton.kind is Kind.TGBA:
        return run(TgbaToTgra, automaton)
    return run(TelaToTgra, automaton) if automaton.kind is Kind.TELA else automaton


def test_the_files_are_all_there():
    assert {tool: len(files(tool)) for tool in TOOLS} == {
        "tgba": 1600,
        "ltl3tela": 1597,
        "ltl3dra": 786,
        "rabinizer3": 1596,
        "finless": 116,
    }
    assert sum(len(files(tool)) for tool in TOOLS) == FILES


@pytest.mark.parametrize("tool", TOOLS)
def test_a_sample_loads(tool):
    load(files(tool)[::15])


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_all_load(tool):
    kinds = load(files(tool))
    if tool == "tgba":
        assert set(kinds) == {Kind.TGBA}
    if tool == "finless":
        assert set(kinds) == {Kind.TFLA}


def load(paths):
    """Read, make the table and write; the automaton that is read again is the same."""
    kinds = Counter()
    for path in paths:
        automaton = read(path)
        kinds[automaton.kind] += 1
        assert table(automaton).states == automaton.states
        assert read_hoa(write_hoa(automaton)) == automaton, path
    return kinds


@pytest.mark.parametrize("path", files("finless")[::12], ids=lambda path: path.stem)
def test_some_fin_less_automata_are_reproduced(path):
    reproduced(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", files("finless"), ids=lambda path: path.stem)
def test_all_fin_less_automata_are_reproduced(path):
    reproduced(path)


def reproduced(path):
    """Proposition 1 from ltl3tela's automaton: equivalent to the artifact's Fin-less one and to the formula."""
    origin = path.with_name(path.name.replace("finless", "ltl3tela"))
    formula = path.with_name(path.name.replace("_finless.hoa", ".ltl"))
    tgra = as_tgra(read(origin))
    published = to_spot(read(path))
    outside = spot.formula(parse_ltl(formula.read_text()).formula)
    assert spot.are_equivalent(published, spot.formula.Not(outside))
    for method in ("literal", "reduced", "spot"):
        made = to_spot(run(TgraToTfla, tgra, method=method))
        assert spot.are_equivalent(made, published), method
