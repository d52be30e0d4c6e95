"""Seed 000, figure 4: the emptiness checks over the BEEM property processes, as percentages of HPY.

    python benchmarks/nested_and_scc.py [--data DIR] [--most-states 1000000]

Every check searches the same product in the same order. Time is CPU time; `transitions` are the successors generated.
Verdicts are compared with the published answers and with each other: a difference ends the run.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.models.dve import DVE
from buchi.pipeline.product import build_automaton
from buchi.schemas.claims import Claims

CHECKS = ("ascc", "gv", "and", "se", "hpy", "c99", "gmz", "cvwy", "tarjan")
PAPER = {"ascc": 67.0, "gv": 69.2, "and": 69.7, "se": 96.3, "hpy": 100.0, "c99": 128.3}
OVERFLOWS = (
    "anderson.1."  # its published answers come from an interpreter in which overflow is an error state
)


def instances(data: Path, most_states: int) -> Iterator[tuple[Path, bool]]:
    with (data / "states.csv").open() as lines:
        states = {(row["family"], row["instance"]): int(row["states"]) for row in csv.DictReader(lines)}
    with (data / "ltl.csv").open() as lines:
        for row in csv.DictReader(lines):
            model = f"{row['family']}.{row['instance']}."
            if (
                states.get((row["family"], row["instance"]), most_states + 1) <= most_states
                and model != OVERFLOWS
            ):
                yield data / row["family"] / f"{model}prop{row['property']}.dve", row["holds"] == "yes"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BUCHI_DATA", default)))
    parser.add_argument("--most-states", type=int, default=1_000_000)
    arguments = parser.parse_args()
    seconds: dict[str, float] = defaultdict(float)
    transitions: dict[str, int] = defaultdict(int)
    weak_transitions: dict[str, int] = defaultdict(int)
    weak_cases = cases = 0
    for path, holds in instances(arguments.data / "beem", arguments.most_states):
        loaded = DVE().load(path.read_text(), path.name)
        automaton = loaded.forbidden
        assert automaton is not None
        weak = automaton.observed(Claims(weak=True)).weak
        cases += 1
        weak_cases += weak
        engine = build(loaded.model, Backend.COMPILED).engine
        table = build_automaton(automaton, loaded.model, loaded.propositions)
        for check in (*CHECKS, "sd") if weak else CHECKS:
            product = _engine.Product(engine, table, True)
            start = time.process_time()
            outcome = _engine.check(check, product, automaton.acceptance, _engine.Control())
            spent = time.process_time() - start
            if outcome.accepting == holds:
                sys.exit(f"{check} disagrees with the published answer of {path.name}")
            if check != "sd":
                seconds[check] += spent
                transitions[check] += outcome.counters.transitions
            if weak:
                weak_transitions[check] += outcome.counters.transitions
    print(f"{cases} cases, {weak_cases} of them weak ({100 * weak_cases / cases:.0f} %)\n")
    print(
        "| check | run time, % of hpy | successors, % of hpy | paper: run time | weak cases: successors, % of hpy |"
    )
    print("|---|---|---|---|---|")
    for check in (*CHECKS, "sd"):
        row = [
            f"{100 * values[check] / values['hpy']:.1f}" if check in values else ""
            for values in (seconds, transitions)
        ]
        weak_share = 100 * weak_transitions[check] / weak_transitions["hpy"]
        print(f"| {check} | {row[0]} | {row[1]} | {PAPER.get(check, '')} | {weak_share:.1f} |")


if __name__ == "__main__":
    main()
