"""What certificates cost, on products of the STTT artifact that have no accepting run.

    python benchmarks/certificates.py --data DIR/sttt-beem [--rounds 3] [MODEL,FORMULA,AUTOMATON,CHECKER ...]

Each of the search alone, the search with its certificate, and the checker has a process of its own, in turns; the
least CPU time of the rounds counts. None has the reading of the model in it; the checker has the judgement of the
automaton. Memory is what the process grew by at its peak. The search is compiled, and the checker interprets.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from buchi.models.backends import Backend
from buchi.pipeline.certificates.certifying import Question, certify
from buchi.pipeline.certificates.evidence import Evidence
from buchi.pipeline.dispatch import choose_checker
from buchi.pipeline.isolation import resident
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.properties import kind_to_check
from buchi.pipeline.routes import convert
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.task import Task

ROWS = (
    "bopdp.3,123,tgba,auto",
    "elevator.4,171,tgba,auto",
    "production_cell.6,041,tgba,auto",
    "pgm_protocol.8,019,tgba,auto",
    "at.5,131,tgba,auto",
    "lifts.7,141,tgba,auto",
    "lifts.7,001,tgba,auto",
    "at.5,051,tgba,auto",
    "production_cell.6,071,tgba,auto",
    "lifts.7,055,ltl3tela,tgrp",
    "bopdp.3,123,tgba,se",
)
MEGABYTE = 1 << 20
Spent = tuple[float, float, int, int]
"""CPU seconds, seconds, bytes, and what was counted."""


def spent(work: Callable[[], int]) -> Spent:
    """Do a work and return what it took."""
    before, cpu, wall = resident(os.getpid()), time.process_time(), time.monotonic()
    count = work()
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    return cpu, wall, peak - before, count


def asked(data: Path, spec: str, file: Path | None) -> Task:
    """Read a model and an automaton."""
    model, formula, automaton, checker = spec.split(",")
    hoa = data / model / f"{model}_{formula}_{automaton}.hoa"
    options = CheckOptions(backend=Backend.COMPILED, checker=checker, certificate=file)
    return Task.of(data / model / f"{model}.dve", None, hoa, options)


def searched(data: Path, spec: str, file: Path | None) -> Spent:
    """Search, and write the certificate where that is wanted; return the states or the bytes of the file."""
    checker = spec.split(",")[-1]
    task = asked(data, spec, file)
    value = task.forbidden.value
    prepared = task.prepared(convert(value, kind_to_check(value, None, checker)))
    chosen = choose_checker(checker, prepared.table, numbered=file is not None).checker
    product = task.product(prepared)

    def work() -> int:
        ended = task.search(product, prepared, chosen, Deadline(None), nobody)
        assert ended.reason is None
        assert ended.lasso is None
        if file is None:
            return product.states
        with Evidence(task, Deadline(None)) as evidence:
            evidence.take(product, prepared, chosen.name, nobody)
            evidence.certified()
        return file.stat().st_size

    return spent(work)


def checked(data: Path, spec: str, file: Path, workers: int) -> Spent:
    """Certify, by the fast checker."""
    loaded = asked(data, spec, None).model.loaded
    with file.open("rb") as opened:
        return spent(lambda: certify(opened, str(file), Question("fast", workers), loaded=loaded).states)


def least(rounds: list[Spent]) -> Spent:
    cpu, wall, size, count = (min(column) for column in zip(*rounds, strict=True))
    return cpu, wall, int(size), int(count)


def measure(data: Path, spec: str, rounds: int, folder: Path) -> str:
    """Return a row of the table."""
    file = folder / "a.cert"
    apart = get_context("fork")
    found: list[list[Spent]] = [[], [], [], []]
    for _ in range(rounds):
        for number, (function, arguments) in enumerate(
            [
                (searched, (data, spec, None)),
                (searched, (data, spec, file)),
                (checked, (data, spec, file, 1)),
                (checked, (data, spec, file, 2)),
            ]
        ):
            with apart.Pool(1) as pool:
                found[number].append(pool.apply(function, arguments))
    alone, written, one, two = map(least, found)
    states = alone[3]
    return (
        f"| {spec.replace(',', ' ')} | {states:,} | {alone[0]:.2f} s | {written[0] / alone[0]:.2f} | "
        f"{one[0] / alone[0]:.2f} | {two[1] / alone[1]:.2f} | {written[3] / states:.2f} | "
        f"{written[2] / alone[2]:.2f} | {one[2] / alone[2]:.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("rows", nargs="*", default=ROWS)
    given = parser.parse_args()
    print(
        "| product | states | search | with certificate / search | certify / search | with 2 threads, by the clock | "
        "bytes a state | memory of writing | of checking |\n|---|---|---|---|---|---|---|---|---|"
    )
    with TemporaryDirectory() as folder:
        for spec in given.rows:
            print(measure(given.data, spec, given.rounds, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
