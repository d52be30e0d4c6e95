"""What a run of an experiment costs beside its search: 5 000 tiny runs on 2 processes, and the parent's memory.

Usage: python benchmarks/runner_overhead.py [RUNS [PROCESSES]]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

from buchi.pipeline.cli.experiment_progress import Progress
from buchi.pipeline.executors.choice import executor
from buchi.pipeline.experiments.conduct import conduct
from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.reading import read_experiment
from buchi.pipeline.experiments.store import Store

EXPERIMENT = """\
models:
  - random: {{states: 10, density: 0.2, propositions: [a, b, c]}}
    seeds: {{from: 1, to: {models}}}
formulas:
  - random: {{propositions: [a, b, c], count: 50, size: 12}}
routes: [tgba/ascc]
limits: {{seconds: 60, memory: 1GiB}}
"""


def resident() -> int:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def main(runs: int, processes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "overhead.yaml"
        path.write_text(EXPERIMENT.format(models=runs // 50))
        plan = Plan.of(read_experiment(path))
        list(plan.runs())
        before, started = resident(), time.monotonic()
        with Store.open(Path(folder) / "overhead.sqlite") as store:
            conducted = conduct(
                plan, store, executor("local", processes), lambda tally: Progress(tally, Console(stderr=True))
            )
            wall, after = time.monotonic() - started, resident()
            measured = [record.measured for record in store.records()]
    count = len(measured)
    search = sum(found.seconds or 0 for found in measured)
    busy = sum(found.cpu_seconds or 0 for found in measured)
    print(f"{dict(conducted.ended)} in {wall:.1f} s on {processes} processes")
    print(f"wall time of a run: {1000 * wall / count:.2f} ms")
    print(
        f"processor time of a worker for a run: {1000 * busy / count:.2f} ms (search {1000 * search / count:.2f} ms)"
    )
    print(f"overhead of a run, all but its search: {1000 * (wall * processes - search) / count:.2f} ms")
    print(f"memory of the parent: {before >> 20} MiB before, {after >> 20} MiB after")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(*numbers, *(5000, 2)[len(numbers) :]))
