"""Speed and growth: how the time of the checks grows with products of 1 M to 30 M states of one family.

    python benchmarks/growth.py [--data DIR] [--instances 3 4 5] [--repeat 2] [--checks ascc gv ...]

The family is BEEM `at` (Alur & Taubenfeld's timed mutual exclusion). The properties hold, so that the whole product is
searched. Growth is the time for a state (or transition) of the largest product over that of the smallest: 1 is linear.
Times are CPU times, the best of some runs.
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
from buchi.pipeline.routes import find_route, take
from buchi.schemas.kinds import Kind
from buchi.schemas.table import table
from buchi.translators.ltl import parse_ltl

SAFETY = "G (z <= 1)"
"""Its product has as many states as the model."""
FAIRNESS = "(GF P_0.NCS && GF P_0.CS) -> GF P_0.p12"
"""Its TGRA has one state and a Fin set."""
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
    for stage in take(value, find_route(Kind.LTL, kind)):
        value = stage.value
    automaton = table(value)
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BUCHI_DATA", default)))
    parser.add_argument("--instances", nargs="+", default=["3", "4", "5"])
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--checks", nargs="+", default=[check for check, _, _ in CASES])
    arguments = parser.parse_args()
    paths = [arguments.data / "beem" / "at" / f"at.{instance}.dve" for instance in arguments.instances]
    columns = [
        f"{path.stem}: {what}" for path in paths for what in ("M states", "M trans.", "M states/s", "B/state")
    ]
    print("| check | kind | property | " + " | ".join(columns) + " | growth by states | by transitions |")
    print("|" + "---|" * (len(columns) + 5))
    for check, kind, formula in CASES:
        if check not in arguments.checks:
            continue
        runs = [best(path, arguments.repeat, check, kind, formula) for path in paths]
        small, large = runs[0], runs[-1]
        factor = large.seconds / small.seconds
        by_states = factor / (large.states / small.states)
        by_transitions = factor / (large.transitions / small.transitions)
        name = "safety" if formula == SAFETY else "fairness"
        cells = " | ".join(run.cells() for run in runs)
        print(f"| {check} | {kind} | {name} | {cells} | {by_states:.2f} | {by_transitions:.2f} |", flush=True)


if __name__ == "__main__":
    main()
