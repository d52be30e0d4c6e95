"""Translations of Spot are not believed alone: known mistakes are avoided, others are found."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import Any

import pytest
import spot
from languages import random_formulas, run

from buchi.common.errors import InternalError
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tela import LtlToTela
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.spot_helpers import translation as spot_translation
from buchi.translators.spot_helpers.automata import to_spot
from buchi.translators.spot_helpers.translation_check import mistake

LOSES_WORDS = [
    "!c | (F!a R Xc)",
    "Fa R (Xc -> c)",
    "a & (XXd W (Xa U Gb))",
    "X(b | (F!a R Xc))",
    "!XXb W (c M 1)",
    "(d U Fc) R !(c xor (a | Xd))",
    "(a U Fd) R (b -> Xb)",
]
"""Of these Spot 2.13 makes wrong Büchi automata with accepting states, by reverse simulation."""

SPLIT = [
    "b <-> ((a xor b) <-> GF c)",
    "a xor (!b xor G(a U b))",
    "b xor (Gc xor (!Fb M c))",
    "(a <-> Xb) <-> G(Fa M b)",
]
"""Of these Spot 2.13 makes wrong deterministic automata, if nothing else was translated before."""

TRANSLATE_FIRST = """
import sys, spot
from buchi.translators.ltl import parse_ltl
from buchi.translators.spot_helpers.automata import to_spot
from buchi.translators.{module} import {name}
made = {name}().run(parse_ltl(sys.argv[1]), {name}.options(prefer="deterministic", verify=False))
assert spot.are_equivalent(to_spot(made), spot.formula(sys.argv[1]))
"""


@pytest.mark.parametrize("prefer", ["small", "deterministic", "any"])
@pytest.mark.parametrize("text", LOSES_WORDS)
def test_accepting_states_lose_no_words(text: str, prefer: str) -> None:
    made = run(LtlToTlba, parse_ltl(text), prefer=prefer, verify=False)
    assert spot.are_equivalent(to_spot(made), spot.formula(text))


@pytest.mark.parametrize("text", SPLIT)
@pytest.mark.parametrize(("module", "name"), [("ltl_tela", "LtlToTela"), ("ltl_tgra", "LtlToTgra")])
def test_equivalences_are_translated_rightly(text: str, module: str, name: str) -> None:
    program = TRANSLATE_FIRST.format(module=module, name=name)
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, text], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr


class TestMistake:
    def test_it_is_found_unless_the_languages_are_equal(self) -> None:
        found = 0
        formulas = random_formulas(2, 60)
        for one, other in zip(formulas, formulas[1:], strict=False):
            for wanted in (("generic", "deterministic"), ("Buchi", "SBAcc")):
                automaton = spot.translate(one, *wanted)
                assert mistake(automaton, spot.formula(one)) is None
                differ = mistake(automaton, spot.formula(other)) is not None
                assert differ is not spot.are_equivalent(one, other)
                found += differ
        assert found > 60

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("F(a & " + "X" * 40 + "b)", ("Buchi", "SBAcc", "small")),
            (" & ".join(f"(GFa{i} | FGb{i})" for i in range(5)), ("generic", "small")),
            ("G(a -> XXXX(b & XXXX c)) | F(c & XXXX a)", ("Buchi", "SBAcc", "small")),
        ],
    )
    def test_what_would_blow_up_is_left(self, text: str, wanted: tuple[str, ...]) -> None:
        formula = spot.formula(text)
        assert mistake(spot.translate(formula, *wanted, dict=spot.make_bdd_dict()), formula) is None


class TestAWrongTranslation:
    @pytest.fixture
    def wrong(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        """Make Spot translate `F b` in place of any formula, the given number of times."""
        right = spot_translation._translate
        left = []

        def translate(formula, *others):
            return right(spot.formula("F b") if left and left.pop() else formula, *others)

        monkeypatch.setattr(spot_translation, "_translate", translate)
        return left

    @pytest.mark.parametrize("translator", [LtlToTela, LtlToTgra, LtlToTlba])
    def test_it_is_replaced(self, translator: Any, wrong, caplog: pytest.LogCaptureFixture) -> None:
        wrong += [True]
        with caplog.at_level(logging.WARNING):
            made = run(translator, parse_ltl("G F a"))
        assert spot.are_equivalent(to_spot(made), spot.formula("G F a"))
        assert "wrong for the word" in caplog.text

    def test_it_never_passes(self, wrong) -> None:
        wrong += [True, True]
        with pytest.raises(InternalError, match="wrong for the word"):
            run(LtlToTlba, parse_ltl("G F a"))

    @pytest.mark.parametrize(("translator", "options"), [(LtlToTela, {"verify": False}), (LtlToTgba, {})])
    def test_who_does_not_ask_is_not_told(self, translator: Any, options: dict[str, bool], wrong) -> None:
        """Without the check, and for small TGBAs, nothing is spent on it."""
        wrong += [True]
        made = run(translator, parse_ltl("G F a"), **options)
        assert spot.are_equivalent(to_spot(made), spot.formula("F b"))
