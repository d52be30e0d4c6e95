"""How fast the emptiness checks search products of the artifact of seed 003: product states per CPU second.

    python benchmarks/products.py [--data DIR] [--least 1000000] [--most 10000000] [--limit N] CHECK AUTOMATON

AUTOMATON is one of tgba, ltl3tela, ltl3dra, rabinizer3, finless: the translator whose automata are taken. Only rows
whose property holds are run, so that the whole product is searched; verdict and number of states are compared with the
artifact's, which counts the states once for each pair where it searched pair by pair (`favoid`). A difference is
printed and counted.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.models.dve import DVE
from buchi.models.guarded import Model
from buchi.models.propositions import parse_proposition
from buchi.pipeline.product import build_product
from buchi.translators.hoa import read_hoa


@cache
def load(path: Path) -> tuple[Model, _engine.Model]:
    model = DVE().load(path.read_text(), path.name).model
    return model, build(model, Backend.COMPILED).engine


def rows(data: Path, automaton: str, least: int, most: int) -> Iterator[dict[str, str]]:
    with (data / "results.csv").open() as lines:
        for row in csv.DictReader(lines):
            wanted = row["automaton"] == automaton and row["verdict"] == "holds" and row["error"] == "OK"
            if wanted and least <= int(row["states"]) <= most:
                yield row


def run(data: Path, row: dict[str, str], check: str) -> tuple[_engine.Outcome, float]:
    folder = data / row["model"]
    model, engine = load(folder / f"{row['model']}.dve")
    hoa = folder / f"{row['model']}_{row['formula']}_{row['automaton']}.hoa"
    automaton = read_hoa(hoa.read_text(), hoa.name)
    meanings = {name: parse_proposition(name, model) for name in automaton.propositions}
    product = build_product(model, engine, automaton, meanings, stutter=True)
    start = time.process_time()
    outcome = _engine.check(check, product, automaton.acceptance, _engine.Control())
    return outcome, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BUCHI_DATA", default)))
    parser.add_argument("--least", type=int, default=1_000_000)
    parser.add_argument("--most", type=int, default=10_000_000)
    parser.add_argument("--limit", type=int, default=10**9, help="at most this many rows")
    parser.add_argument("check")
    parser.add_argument("automaton")
    arguments = parser.parse_args()
    data = arguments.data / "sttt-beem"
    rates: list[float] = []
    states = seconds = differences = 0.0
    for row in list(rows(data, arguments.automaton, arguments.least, arguments.most))[: arguments.limit]:
        outcome, spent = run(data, row, arguments.check)
        found = outcome.counters.states
        searches = int(row["pairs"]) if row["algorithm"] == "favoid" else 1
        if outcome.accepting or found * searches != int(row["states"]):
            differences += 1
            print(
                f"{row['model']}_{row['formula']}: {found} states, accepting {outcome.accepting}; "
                f"artifact {row['states']}"
            )
        rates.append(found / spent / 1e6)
        states, seconds = states + found, seconds + spent
    rates.sort()
    print(
        f"{arguments.check} on {arguments.automaton}: {len(rates)} products, {differences:.0f} differences; "
        f"M states per CPU second: {states / seconds / 1e6:.2f} overall, {rates[0]:.2f} least, "
        f"{rates[len(rates) // 2]:.2f} median, {rates[-1]:.2f} most"
    )


if __name__ == "__main__":
    main()
