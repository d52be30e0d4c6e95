"""Speed and growth: how the time of the checks grows with products of 1 M to 30 M states of one family.

    python benchmarks/growth.py [--data DIR] [--repeat 2] [--checks ascc gv ...]

First all checks on the family `at` of BEEM (Alur & Taubenfeld's timed mutual exclusion), then one check on all families
that have instances of about 1 M and about 30 M states. The properties hold, so that the whole product is searched.
Growth is the time for a state (or transition) of the largest product over that of the smallest: 1 is linear. Times are
CPU times, the best of some runs. `benchmarks/latency.c` measures how the wait for memory grows by itself.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.models.dve import DVE
from buchi.models.guarded import Model
from buchi.models.propositions import parse_proposition
from buchi.pipeline.product import build_product
from buchi.pipeline.routes import convert
from buchi.pipeline.table import table
from buchi.schemas.kinds import Kind
from buchi.translators.ltl import parse_ltl

SAFETY = "G (z <= 1)"
"""Its product has as many states as the model."""
FAIRNESS = "(GF P_0.NCS && GF P_0.CS) -> GF P_0.p12"
"""Its TGRA has one state and a Fin set."""
FAMILIES = {
    "at": (3, 5, SAFETY),
    "brp": (3, 6, "G (prod_n <= 255)"),
    "iprotocol": (3, 5, "G (Producer.message <= 255)"),
    "lamport": (5, 7, "G (x <= 255)"),
    "leader_filters": (5, 7, "G (turn[0] <= 255)"),
}
"""An instance of about a million states, one of about thirty, and a property like SAFETY."""
CASES = (
    ("and", Kind.TLBA, SAFETY),
    ("gv", Kind.TLBA, SAFETY),
    ("ascc", Kind.TGBA, SAFETY),
    ("tfla", Kind.TFLA, SAFETY),
    ("tarjan+", Kind.TA, SAFETY),
    ("ta-scc", Kind.TA, SAFETY),
    ("tgrp", Kind.TGRA, FAIRNESS),
    ("ascc", Kind.TGBA, FAIRNESS),
    ("tfla", Kind.TFLA, FAIRNESS),
)


@dataclass(frozen=True)
class Measured:
    """One search: the states it stored, the transitions it generated, CPU seconds, bytes."""

    states: int
    transitions: int
    seconds: float
    bytes: int

    @property
    def rate(self) -> float:
        return self.states / self.seconds / 1e6

    def cells(self) -> str:
        millions = f"{self.states / 1e6:.2f} | {self.transitions / 1e6:.2f}"
        return f"{millions} | {self.rate:.2f} | {self.bytes / self.states:.0f}"


@cache
def load(path: Path) -> tuple[Model, _engine.Model]:
    model = DVE().load(path.read_text(), path.name).model
    return model, build(model, Backend.COMPILED).engine


def measure(path: Path, check: str, kind: Kind, formula: str) -> Measured:
    model, engine = load(path)
    value: Any = parse_ltl(formula, "formula").negated()
    meanings = {text: parse_proposition(text, model) for text in value.propositions}
    automaton = table(convert(value, kind))
    product = build_product(model, engine, automaton, meanings, stutter=True)
    start = time.process_time()
    outcome = _engine.check(check, product, automaton.acceptance, _engine.Control())
    spent = time.process_time() - start
    if outcome.accepting:
        sys.exit(f"{check}: {formula} should hold in {path.name}")
    counters = outcome.counters
    return Measured(counters.states, counters.transitions, spent, counters.bytes)


def best(path: Path, repeat: int, check: str, kind: Kind, formula: str) -> Measured:
    runs = [measure(path, check, kind, formula) for _ in range(repeat)]
    return min(runs, key=lambda run: run.seconds)


def growth(runs: list[Measured]) -> str:
    small, large = runs[0], runs[-1]
    factor = large.seconds / small.seconds
    by_states = factor / (large.states / small.states)
    by_transitions = factor / (large.transitions / small.transitions)
    return f"{by_states:.2f} | {by_transitions:.2f}"


def row(name: str, runs: list[Measured]) -> None:
    print(f"| {name} | " + " | ".join([*(run.cells() for run in runs), growth(runs)]) + " |", flush=True)


def header(first: str, instances: list[str]) -> None:
    columns = [
        f"{i}: {what}" for i in instances for what in ("M states", "M trans.", "M states/s", "B/state")
    ]
    print(f"| {first} | " + " | ".join(columns) + " | growth by states | by transitions |")
    print("|" + "---|" * (len(columns) + first.count("|") + 3))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BUCHI_DATA", default)))
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--checks", nargs="+", default=[check for check, _, _ in CASES])
    arguments = parser.parse_args()
    beem, repeat = arguments.data / "beem", arguments.repeat

    header("check | kind | property", ["at.3", "at.4", "at.5"])
    for check, kind, formula in CASES:
        if check in arguments.checks:
            name = f"{check} | {kind} | {'safety' if formula == SAFETY else 'fairness'}"
            paths = [beem / "at" / f"at.{instance}.dve" for instance in (3, 4, 5)]
            row(name, [best(path, repeat, check, kind, formula) for path in paths])
    print()
    header("family (ascc, tgba)", ["small", "large"])
    for family, (small, large, formula) in FAMILIES.items():
        paths = [beem / family / f"{family}.{instance}.dve" for instance in (small, large)]
        row(family, [best(path, repeat, "ascc", Kind.TGBA, formula) for path in paths])


if __name__ == "__main__":
    main()
