"""Speed-up by several workers: checks of whole products, explorations of models, and whole processes.

    python benchmarks/parallel.py [--data DIR] [--rounds 3] [--workers 2] [checks|explorations|pairs|processes …]

All runs of one product alternate, and the least wall time of the rounds counts; CPU time and `post` calls a state are
told too, since a machine is seldom quiet. The products are of the artifact of seed 003 and hold, so that all of each is
searched; the two groups are those of seed 004: many small components, and few big ones.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from math import prod
from pathlib import Path
from typing import NamedTuple

from products import load

from buchi import _engine
from buchi.models.propositions import parse_proposition
from buchi.pipeline.product import build_product
from buchi.translators.hoa import read_hoa

SMALL = (
    "bopdp.3 101", "bopdp.3 155", "lifts.7 139", "lifts.7 191", "pgm_protocol.8 029", "pgm_protocol.8 091",
    "production_cell.6 115",
)  # fmt: skip
"""Many components."""
BIG = ("at.5 185", "at.5 133", "at.5 157", "at.5 117", "elevator.4 049", "elevator.4 115", "elevator.4 137")
"""Most states in a few."""
PAIRS = (
    "bopdp.3 021", "bopdp.3 035", "bopdp.3 037", "bopdp.3 155", "elevator.4 007", "elevator.4 047", "elevator.4 065",
    "pgm_protocol.8 003",
)  # fmt: skip
"""Automata of rabinizer3 with two to five Rabin pairs."""
MODELS = ("adding.4", "peterson.4", "lamport.6", "lifts.7", "at.5", "leader_filters.5")
LTSMIN = {
    "elevator.4 073": (5.04, 1.30), "bopdp.3 025": (4.40, 1.58), "pgm_protocol.8 015": (14.3, 2.54),
    "lifts.7 177": (14.9, 2.82), "at.5 157": (12.3, 3.73), "production_cell.6 159": (16.8, 5.40),
}  # fmt: skip
"""Wall seconds of whole processes: LTSmin's ufscc with two threads, and our `ascc` at that time on that machine, which
tells how fast the machine of today is beside it."""


class Took(NamedTuple):
    """What a run took, the whole team together."""

    wall: float
    cpu: float
    posts: float
    """Calls of `post` for each state."""
    states: int
    bytes: int


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(run: Callable[[], _engine.Outcome]) -> Took:
    wall, before = time.perf_counter(), cpu()
    outcome = run()
    wall, used = time.perf_counter() - wall, cpu() - before
    assert outcome.end is _engine.End.DONE
    counters = outcome.counters
    return Took(wall, used, counters.post_calls / counters.states, counters.states, counters.bytes)


def least(runs: dict[str, Callable[[], _engine.Outcome]], rounds: int) -> dict[str, Took]:
    """Return the fastest of the runs of each name; they alternate."""
    took: dict[str, list[Took]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            took[name].append(timed(run))
    return {name: min(all_of_it) for name, all_of_it in took.items()}


def mean(values: list[float]) -> float:
    return prod(values) ** (1 / len(values))


def heading(*names: str) -> None:
    print(f"| {' | '.join(names)} |\n|{'---|' * len(names)}")


def row(*cells: str | float) -> None:
    print(f"| {' | '.join(cell if isinstance(cell, str) else f'{cell:.2f}' for cell in cells)} |", flush=True)


def checks(data: Path, rounds: int, workers: int) -> None:
    heading(
        "product", "states", "ascc s", "ufscc 1", f"ufscc {workers}", "over ufscc 1", "over ascc", "CPU 1 / ascc",
        "CPU all / ascc", "posts a state",
    )  # fmt: skip
    own, over, alone = [], [], []
    for name in SMALL + BIG:
        search = partial(check, data, name)
        took = least(
            {
                "ascc": partial(search, "ascc", 1),
                "one": partial(search, "ufscc", 1),
                "all": partial(search, "ufscc", workers),
            },
            rounds,
        )
        ascc, one, team = took["ascc"], took["one"], took["all"]
        assert ascc.states == one.states == team.states
        own.append(one.wall / team.wall)
        over.append(ascc.wall / team.wall)
        alone.append(one.cpu / ascc.cpu)
        walls = (ascc.wall, one.wall, team.wall)
        row(
            name,
            f"{ascc.states:,}",
            *walls,
            own[-1],
            over[-1],
            alone[-1],
            team.cpu / ascc.cpu,
            f"{team.posts:.4f}",
        )
    print(
        f"geometric means: {mean(own):.2f} over ufscc 1, {mean(over):.2f} over ascc, CPU of one {mean(alone):.2f}\n"
    )


def check(data: Path, name: str, kernel: str, workers: int) -> _engine.Outcome:
    product, acceptance = product_of(data, name)
    return _engine.check(kernel, product, acceptance, _engine.Control(), workers)


def pairs(data: Path, rounds: int, workers: int) -> None:
    how = (f"one by one, {workers} workers s", "CPU s", "MiB", "together s", "CPU s", "MiB")
    heading("product", "pairs", "states", *how, "time", "memory")
    times, memories = [], []
    for name in PAIRS:
        count = len(product_of(data, name, "rabinizer3")[1])
        search = partial(check_pairs, data, name, workers)
        took = least({"in turn": partial(search, False), "together": partial(search, True)}, rounds)
        in_turn, together = took["in turn"], took["together"]
        assert in_turn.states == together.states
        times.append(together.wall / in_turn.wall)
        memories.append(together.bytes / in_turn.bytes)
        cells = [cell for run in took.values() for cell in (run.wall, run.cpu, f"{run.bytes >> 20}")]
        row(name, str(count), f"{in_turn.states:,}", *cells, times[-1], memories[-1])
    print(f"geometric means of together: {mean(times):.2f} of the time, {mean(memories):.2f} of the memory\n")


def check_pairs(data: Path, name: str, workers: int, together: bool) -> _engine.Outcome:
    product, acceptance = product_of(data, name, "rabinizer3")
    return _engine.check("tgrp", product, acceptance, _engine.Control(), workers, together)


def product_of(
    data: Path, name: str, translator: str = "tgba"
) -> tuple[_engine.Product, list[tuple[int, int]]]:
    model_name, formula = name.split()
    folder = data / "sttt-beem" / model_name
    model, engine = load(folder / f"{model_name}.dve")
    hoa = folder / f"{model_name}_{formula}_{translator}.hoa"
    automaton = read_hoa(hoa.read_text(), hoa.name)
    meanings = {text: parse_proposition(text, model) for text in automaton.propositions}
    return build_product(model, engine, automaton, meanings, stutter=True), list(automaton.acceptance)


def explorations(data: Path, rounds: int, workers: int) -> None:
    heading("model", "states", "1 worker s", f"{workers} workers s", "speed-up", "CPU all / one")
    ratios = []
    for name in MODELS:
        _, engine = load(data / "beem" / name.rpartition(".")[0] / f"{name}.dve")
        explore = partial(_engine.explore, engine)
        took = least(
            {
                "one": lambda explore=explore: explore(_engine.Control(), 1),
                "all": lambda explore=explore: explore(_engine.Control(), workers),
            },
            rounds,
        )
        one, team = took["one"], took["all"]
        assert one.states == team.states
        ratios.append(one.wall / team.wall)
        row(name, f"{one.states:,}", one.wall, team.wall, ratios[-1], team.cpu / one.cpu)
    print(f"geometric mean: {mean(ratios):.2f}\n")


def processes(data: Path, rounds: int, workers: int) -> None:
    heading(
        "product", "LTSmin, 2 threads", f"buchi check, {workers} workers", "ratio", "ascc then", "ascc now"
    )
    ratios, machine = [], []
    for name, (theirs, then) in LTSMIN.items():
        runs = [process(data, name, str(workers), "auto") for _ in range(rounds)]
        now = min(process(data, name, "1", "ascc") for _ in range(rounds))
        ratios.append(theirs / min(runs))
        machine.append(now / then)
        row(name, theirs, min(runs), ratios[-1], then, now)
    print(f"geometric mean: {mean(ratios):.2f}; ascc takes {mean(machine):.2f} of its time then\n")


def process(data: Path, name: str, workers: str, checker: str) -> float:
    """Return the wall seconds of a whole process."""
    model, formula = name.split()
    folder = data / "sttt-beem" / model
    given = (
        "--automaton",
        folder / f"{model}_{formula}_tgba.hoa",
        "--workers",
        workers,
        "--checker",
        checker,
    )
    start = time.perf_counter()
    command = [Path(sys.executable).parent / "buchi", "check", folder / f"{model}.dve", *given]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


PARTS = {"checks": checks, "explorations": explorations, "pairs": pairs, "processes": processes}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; else all")
    given = parser.parse_args()
    for name in given.parts or PARTS:
        PARTS[name](given.data, given.rounds, given.workers)


if __name__ == "__main__":
    main()
