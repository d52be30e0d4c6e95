"""Experiments to test with, and a look into what they left."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from runner import COUNTER

from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.reading import read_experiment
from buchi.pipeline.experiments.store import Store
from buchi.pipeline.isolation import descendants
from buchi.schemas.run import RunRecord

TINY = """\
name: tiny
models:
  - random: {states: 8, density: 0.2, propositions: [a, b]}
    seeds: {from: 0, to: 2}
formulas:
  - G (a -> F b)
  - {ltl: "G F a", name: often}
routes:
  - tgba/ascc
  - {kind: tlba, checker: se}
"""

RUNS = 16
LONG = f"""\
models: [counter.dve]
formulas: ["G x <= 255"]
routes: [tgba/ascc]
backend: interpreted
limits: {{states: 50000}}
repetitions: {RUNS}
"""
"""Runs of a tenth of a second or so: enough of them for something to happen in the middle."""


def write(folder: Path, text: str) -> Path:
    """Write an experiment, with the model that it may need beside it."""
    (folder / "counter.dve").write_text(COUNTER)
    path = folder / "experiment.yaml"
    path.write_text(text)
    return path


def planned(path: Path) -> set[str]:
    """Return the keys of all runs of an experiment."""
    return {run.key for run in Plan.of(read_experiment(path)).runs()}


def records(path: Path) -> list[RunRecord]:
    """Return what is in the results beside an experiment."""
    with Store.open(path.with_suffix(".sqlite"), must_exist=True) as store:
        return list(store.records())


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until a process got that far."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not get that far"
        time.sleep(0.02)


def has_results(path: Path, count: int) -> bool:
    """Return whether so many runs have ended; it is asked often, so that no record is read."""
    with (
        suppress(sqlite3.OperationalError),  # there is no file yet, or nothing in it
        closing(sqlite3.connect(f"file:{path.with_suffix('.sqlite')}?mode=ro", uri=True)) as results,
    ):
        (found,) = results.execute("SELECT count(*) FROM runs").fetchone()
        return bool(found >= count)
    return False


def workers(pid: int) -> list[int]:
    """Return the processes that execute the runs of an experiment."""
    return [pid for pid in descendants(pid) if b"executors.worker" in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_alive(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def assert_complete(path: Path, before: list[RunRecord]) -> None:
    """Nothing that had ended was repeated, and every run is there once."""
    after = records(path)
    assert sorted(record.key for record in after) == sorted(planned(path))
    finished = {r.key: r for r in before if r.status.value != "killed"}
    assert {r.key: r for r in after if r.key in finished} == finished
    assert not [record for record in after if record.status.value == "killed"]
