"""Every translator on one formula, and Spot's judgement of what comes out."""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Iterator
from typing import Any

import spot

from buchi.common.errors import InputError
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tela import LtlToTela
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.spot_helpers.view import as_spot
from buchi.translators.tela_tgra import TelaToTgra
from buchi.translators.tgba_tfla import TgbaToTfla
from buchi.translators.tgba_tgra import TgbaToTgra
from buchi.translators.tgba_tlba import TgbaToTlba
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba
from buchi.translators.tlba_tgba import TlbaToTgba

with warnings.catch_warnings():
    # Like Spot itself, this part of it warns when first imported, and crashes where a warning is an error.
    warnings.simplefilter("ignore", DeprecationWarning)
    from spot import gen

PATTERNS = {
    "dac": gen.LTL_DAC_PATTERNS,
    "eh": gen.LTL_EH_PATTERNS,
    "sb": gen.LTL_SB_PATTERNS,
    "hkrss": gen.LTL_HKRSS_PATTERNS,
    "beem": gen.LTL_P_PATTERNS,
}
GOOD_HOA = """HOA: v1
States: 1
Start: 0
AP: 1 "a"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
"""
"""Infinitely often `a`."""
RANDOM_EACH = 500
"""Random formulas for each number of propositions, which is also the seed."""
MAX_EDGES = 20_000
"""Larger state-labelled automata are built elsewhere; Spot would have to complement them here."""
UNREDUCED = {"unreachable": False, "dead": False, "bisimilar": False}
SMALL = 200


def patterns(name: str) -> list[str]:
    """Return the formulas of a family from the literature."""
    return [str(formula) for formula in gen.ltl_patterns(PATTERNS[name])]


def random_formulas(propositions: int, count: int = RANDOM_EACH) -> list[str]:
    """Return random formulas of size 5 to 15."""
    names = [f"p{i}" for i in range(propositions)]
    return [str(f) for f in spot.randltl(names, count, tree_size=(5, 15), seed=propositions)]


def run(translator: Any, value: Any, **options: Any) -> Any:
    """Run a translator with some options other than their defaults."""
    return translator().run(value, translator.options(**options))


def forms(text: str) -> Iterator[tuple[str, Any]]:
    """Yield what every translator makes of a formula, by every method."""
    ltl = parse_ltl(text)
    tgba, tlba, tela = run(LtlToTgba, ltl), run(LtlToTlba, ltl), run(LtlToTela, ltl)
    yield from (("ltl-tgba", tgba), ("ltl-tlba", tlba), ("ltl-tela", tela))
    yield "tela-tgra", run(TelaToTgra, tela)
    yield "tlba-tgba", run(TlbaToTgba, tlba)
    yield "tgba-tgra", run(TgbaToTgra, tgba)
    yield "tgba-tfla", run(TgbaToTfla, tgba)
    degeneralized = run(TgbaToTlba, tgba)
    yield "tgba-tlba", degeneralized
    for prefer in ("small", "deterministic"):
        tgra = run(LtlToTgra, ltl, prefer=prefer)
        yield f"ltl-tgra {prefer}", tgra
        for method in ("literal", "reduced", "spot"):
            yield f"tgra-tfla {prefer} {method}", run(TgraToTfla, tgra, method=method)
    for name, start in (("", tlba), ("tgba-tlba ", degeneralized)):
        yield from ((name + made, form) for made, form in explicit_forms(start))


def explicit_forms(tlba: Any) -> Iterator[tuple[str, Any]]:
    """Yield the state-labelled and testing automata of a TLBA, reduced and, where small, literally."""
    slba = run(TlbaToSlba, tlba, max_edges=MAX_EDGES)
    yield "tlba-slba", slba
    literal = None
    if tlba.states << len(tlba.propositions) < SMALL:
        literal = run(TlbaToSlba, tlba, max_edges=MAX_EDGES, **UNREDUCED)
        yield "tlba-slba unreduced", literal
    if tlba.claims.stutter_invariant:
        yield "slba-ta", run(SlbaToTa, slba)
        if literal is not None:
            yield "slba-ta unreduced", run(SlbaToTa, literal, **UNREDUCED)


class Oracle:
    """Spot's automata of a formula and of its negation, made without any of our code."""

    def __init__(self, text: str) -> None:
        formula = spot.formula(text)
        self.inside = spot.translate(formula)
        self.outside = spot.translate(spot.formula.Not(formula))

    def accepts(self, form: Any) -> bool:
        """Is the language of the automaton that of the formula?"""
        automaton = as_spot(form)
        return not automaton.intersects(self.outside) and spot.contains(
            spot.reduce_iterated(automaton), self.inside
        )


def disagreements(text: str) -> list[str]:
    """Return the translators whose automaton is not equivalent to the formula; `too large` counts as none."""
    oracle = Oracle(text)
    found = []
    try:
        for name, form in forms(text):
            if not oracle.accepts(form):
                found.append(f"{name}: {text}")
    except InputError as error:
        if "the limit is" not in str(error):
            raise
    return found


def within(seconds: float, text: str) -> list[str] | None:
    """Return the disagreements on a formula, or None if Spot takes too long to judge."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(disagreements(text)), daemon=True)
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(seconds) else None
    finally:
        process.kill()
        process.join()
