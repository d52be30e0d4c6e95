"""What stubborn sets save: all states beside those of `explore --reduce`, on the largest instances of BEEM's families.

    python benchmarks/reduction.py --data DIR [--states 2000000] [FAMILY …]

CPU seconds of the explorations alone, the least of three that alternate; `analysis` is what finding out takes which
commands accord. The deadlocks must be the same.
"""

from __future__ import annotations

import argparse
import csv
import time
from math import prod
from pathlib import Path

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.pipeline.loading import load_model
from buchi.pipeline.reduction import DEADLOCKS, reduced

ROUNDS = 3


def instances(data: Path, most: int, families: list[str]) -> dict[str, Path]:
    """Return the largest instance of each family that has no more states."""
    found: dict[str, tuple[int, Path]] = {}
    with open(data / "states.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            path = data / row["family"] / f"{row['family']}.{row['instance']}.dve"
            wanted = not families or row["family"] in families
            if wanted and path.exists() and int(row["states"]) <= most:
                found[row["family"]] = max(found.get(row["family"], (0, path)), (int(row["states"]), path))
    return {family: path for family, (_, path) in sorted(found.items())}


def explored(engine: _engine.Model) -> tuple[_engine.Outcome, float]:
    started = time.process_time()
    outcome = _engine.explore(engine, _engine.Control())
    return outcome, time.process_time() - started


def main(data: Path, most: int, families: list[str]) -> None:
    print(
        "| model | states | reduced | share | s | reduced s | ratio | analysis s |\n|---|---|---|---|---|---|---|---|"
    )
    shares, ratios = [], []
    for path in instances(data, most, families).values():
        model = load_model(path, overflow_is_error=False).model
        whole = build(model, Backend.AUTO).engine
        started = time.process_time()
        part = reduced(model, whole, DEADLOCKS)
        analysis = time.process_time() - started
        runs = [(explored(whole), explored(part)) for _ in range(ROUNDS)]
        (all_states, _), (some, _) = runs[0]
        assert all_states.counters.deadlocks == some.counters.deadlocks, "a deadlock was lost"
        slow, fast = (min(run[i][1] for run in runs) for i in range(2))
        share = some.counters.states / all_states.counters.states
        shares.append(share)
        ratios.append(max(fast, 1e-4) / max(slow, 1e-4))
        print(
            f"| {path.stem} | {all_states.counters.states:,} | {some.counters.states:,} | {share:.3f} "
            f"| {slow:.2f} | {fast:.2f} | {ratios[-1]:.2f} | {analysis:.2f} |",
            flush=True,
        )
    mean = prod(ratios) ** (1 / len(ratios))
    print(f"geometric means: {prod(shares) ** (1 / len(shares)):.3f} of the states, {mean:.2f} of the time")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--states", type=int, default=2_000_000)
    parser.add_argument("families", nargs="*")
    arguments = parser.parse_args()
    main(arguments.data / "beem", arguments.states, arguments.families)
