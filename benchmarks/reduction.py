"""What stubborn sets save, on the largest instances of BEEM's families.

    python benchmarks/reduction.py --data DIR [--states 2000000] [--verdicts] [FAMILY …]

The model by itself: all states beside those of `explore --reduce`, CPU seconds of the explorations alone, the least of
three that alternate; `analysis` is what finding out takes which commands accord. The deadlocks must be the same.

With `--verdicts`: CPU seconds of `buchi check --ltl 'G x <= 255'`, for a variable x that can hold no more, with
`--reduce off`, `on` and `auto`, start-up included. All states have to be visited, and every command that writes x is
visible.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from math import prod
from pathlib import Path
from typing import Any

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.models.guarded import Model
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


def verdicts(data: Path, most: int, families: list[str]) -> None:
    """Print what a verdict takes, by all states, by some, and by whichever is thought to be faster."""
    print(
        "| model | states | reduced | off s | on s | ratio | auto s | ratio |\n|---|---|---|---|---|---|---|---|"
    )
    ratios: dict[str, list[float]] = {"on": [], "auto": []}
    for path in instances(data, most, families).values():
        model = load_model(path, overflow_is_error=False).model
        command = ["check", str(path), "--ltl", f"G ({bound_of(model)})", "--json"]
        runs = [{how: run(command, how) for how in ("off", "on", "auto")} for _ in range(ROUNDS)]
        states = {how: found["states"] for how, (found, _) in runs[0].items()}
        assert {found["verdict"] for one in runs for found, _ in one.values()} == {"holds"}
        off, on, auto = (min(one[how][1] for one in runs) for how in ("off", "on", "auto"))
        ratios["on"].append(on / off)
        ratios["auto"].append(auto / off)
        print(
            f"| {path.stem} | {states['off']:,} | {states['on']:,} | {off:.2f} | {on:.2f} | {on / off:.2f} "
            f"| {auto:.2f} | {auto / off:.2f} |",
            flush=True,
        )
    for how, found in ratios.items():
        mean = prod(found) ** (1 / len(found))
        print(f"{how}: {mean:.2f} of the time in geometric mean, {max(found):.2f} at most")


def bound_of(model: Model) -> str:
    """Return what is true of the first variable that is no program counter, and so of all states."""
    found = next(v for v in model.variables if not v.values)
    return f"{found.name}{'' if found.length is None else '[0]'} <= {found.type.high}"


def run(command: list[str], reduce: str) -> tuple[dict[str, Any], float]:
    """Return what a command prints, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "buchi", *command, "--reduce", reduce], capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def explorations(data: Path, most: int, families: list[str]) -> None:
    """Print what an exploration takes, by all states and by some."""
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
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("families", nargs="*")
    arguments = parser.parse_args()
    table = verdicts if arguments.verdicts else explorations
    table(arguments.data / "beem", arguments.states, arguments.families)
