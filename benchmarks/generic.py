"""The check of any acceptance beside that of Rabin pairs, on automata of the STTT artifact.

    python benchmarks/generic.py --data DIR [--rows 200] [--states 2000000]

Automata of ltl3tela and rabinizer3 as they are in the files. Both checks are held to the published verdict, or
have none after a minute; CPU seconds of the searches are summed over the rows of a tool, apart for properties that hold
and those that are violated.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import defaultdict
from pathlib import Path

from buchi.common.ends import Limits
from buchi.models.backends import Backend
from buchi.pipeline import registry
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.routes import convert
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.task import Task

TOOLS = ("ltl3tela", "rabinizer3")
CHECKERS = ("tgrp", "generic")


def rows(data: Path, tool: str, most: int, states: int) -> list[dict[str, str]]:
    """Return rows of a tool whose products are not too large, spread over all there are."""
    with open(data / "results.csv", encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["automaton"] == tool and row["error"] == "OK"]
    found = [row for row in found if int(row["states"]) <= states]
    step = max(1, len(found) // most)
    return found[::step][:most]


def main(data: Path, most: int, states: int) -> None:
    print(
        "| automata | verdict | rows | with Fin | tgrp s | generic s | no verdict |\n|---|---|---|---|---|---|---|"
    )
    for tool in TOOLS:
        seconds: dict[tuple[str, str], float] = defaultdict(float)
        count: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for row in rows(data, tool, most, states):
            look(data, row, tool, seconds, count)
        for verdict, (taken, fin, unknown) in sorted(count.items()):
            times = " | ".join(f"{seconds[verdict, name]:.2f}" for name in CHECKERS)
            print(f"| {tool} | {verdict} | {taken} | {fin} | {times} | {unknown} |", flush=True)


def look(
    data: Path,
    row: dict[str, str],
    tool: str,
    seconds: dict[tuple[str, str], float],
    count: dict[str, list[int]],
) -> None:
    """Check one row by both checkers, in turns."""
    model, verdict = row["model"], row["verdict"]
    automaton = data / model / f"{model}_{row['formula']}_{tool}.hoa"
    task = Task.of(
        data / model / f"{model}.dve",
        None,
        automaton,
        CheckOptions(backend=Backend.COMPILED, limits=Limits(seconds=60)),
    )
    prepared = task.prepared(convert(task.forbidden.value, task.forbidden.value.kind))
    count[verdict][0] += 1
    count[verdict][1] += any(clause.fin for clause in prepared.table.acceptance)
    for name in CHECKERS:
        product, started = task.product(prepared), time.process_time()
        ended = task.search(product, prepared, registry.checker(name), Deadline(60), nobody)
        seconds[verdict, name] += time.process_time() - started
        found = "violated" if ended.lasso is not None else "holds" if ended.reason is None else "unknown"
        assert found in (verdict, "unknown"), f"{name} gives another verdict on {automaton}"
        count[verdict][2] += found == "unknown"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--states", type=int, default=2_000_000)
    arguments = parser.parse_args()
    main(arguments.data / "sttt-beem", arguments.rows, arguments.states)
