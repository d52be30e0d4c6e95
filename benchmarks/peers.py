"""buchi beside SPIN on the BEEM models: states per CPU second and peak memory, in one alternating run.

    python benchmarks/peers.py [--data DIR] [--rounds 3] [--reduce] [MODEL ...]

Both tools run as processes of their own. SPIN's verifier is generated and compiled first (`spin -o1 -o2 -o3 -a`,
`gcc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM`) and run as `pan -m10000000 -w24 -n -c0 -E`; compiling is not counted. buchi is
counted from `buchi explore` to its end with the compiled model in the cache, start-up and reading the model included.
Each time is the best of the rounds. Where the Promela version has another number of states, nothing is compared.

With `--reduce` both search less than all: SPIN without `-DNOREDUCE`, and `buchi explore --reduce`. Their states are not
the same then, and times are compared instead of rates.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

MODELS = (
    "peterson.4", "leader_filters.5", "at.3", "adding.3", "adding.4", "adding.5", "at.4", "bakery.5", "lamport.6",
    "lamport.5",
)  # fmt: skip
"""Of 1 to 10 M states, and the same in both languages."""
SPIN = ("spin", "-o1", "-o2", "-o3", "-a")
CC = ("gcc", "-O2", "-DSAFETY", "-DNOCLAIM", "-w", "-o", "pan", "pan.c")
PAN = ("./pan", "-m10000000", "-w24", "-n", "-c0", "-E")

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""With compiled Python files, as after an installation."""


@dataclass(frozen=True)
class Measured:
    """What one run of one tool cost."""

    states: int
    cpu: float
    megabytes: float

    @property
    def rate(self) -> float:
        """Millions of states per CPU second."""
        return self.states / self.cpu / 1e6


def run(command: list[str], folder: str | None = None) -> tuple[str, float, float]:
    """Return what a command prints, its CPU seconds and its peak memory in MB."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=ENVIRONMENT, stdout=output, stderr=subprocess.DEVNULL
        )
        _, _, usage = os.wait4(process.pid, 0)
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def run_buchi(model: Path, reduce: bool) -> Measured:
    command = [sys.executable, "-m", "buchi", "explore", "--json", "--backend", "compiled", str(model)]
    command += ["--reduce"] * reduce
    printed, cpu, megabytes = run(command)
    return Measured(json.loads(printed)["states"], cpu, megabytes)


def compile_spin(model: Path, folder: str, reduce: bool) -> bool:
    """Make SPIN's verifier; some models are too much for it."""
    try:
        subprocess.run([*SPIN, str(model)], cwd=folder, check=True, capture_output=True)
        subprocess.run([*CC, *["-DNOREDUCE"] * (not reduce)], cwd=folder, check=True, capture_output=True)
    except subprocess.CalledProcessError:
        return False
    return True


def run_spin(folder: str) -> Measured | None:
    printed, cpu, megabytes = run(list(PAN), folder)
    states = re.search(r"([\d.e+]+) states, stored", printed)
    if states is None or "max search depth too small" in printed:
        return None
    return Measured(int(float(states[1])), cpu, megabytes)


def best(runs: list[Measured]) -> Measured:
    return min(runs, key=lambda run: run.cpu)


def compare(model: Path, rounds: int, reduce: bool) -> tuple[Measured, Measured] | None:
    """Return the best run of each tool, buchi's first."""
    with tempfile.TemporaryDirectory() as folder:
        if not compile_spin(model.with_suffix(".pm").absolute(), folder, reduce):
            return None
        run_buchi(model, reduce)  # fills the cache
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(run_buchi(model, reduce))
            spin = run_spin(folder)
            if spin is None:
                return None
            theirs.append(spin)
    return best(ours), best(theirs)


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


@dataclass
class Table:
    """What is printed, and the ratios of which the means are told."""

    reduce: bool
    speed: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)

    def begin(self) -> None:
        what = "CPU s" if self.reduce else "M states/CPU s"
        print(
            f"| model | states (buchi / SPIN) | {what} (buchi / SPIN) | speed, ratio | MB (buchi / SPIN) | ratio |\n"
            "|---|---|---|---|---|---|"
        )

    def add(self, name: str, measured: tuple[Measured, Measured] | None) -> None:
        if measured is None:
            print(f"| {name} | SPIN fails | | | | |", flush=True)
            return
        ours, theirs = measured
        states = f"{ours.states} / {theirs.states}"
        if not self.reduce and abs(ours.states - theirs.states) > theirs.states / 1000:
            print(f"| {name} | {states}: not the same model in Promela | | | | |", flush=True)
            return
        self.speed.append(theirs.cpu / ours.cpu if self.reduce else ours.rate / theirs.rate)
        self.memory.append(ours.megabytes / theirs.megabytes)
        cost = [f"{m.cpu if self.reduce else m.rate:.2f}" for m in measured]
        print(
            f"| {name} | {states} | {' / '.join(cost)} | {self.speed[-1]:.2f} "
            f"| {ours.megabytes:.0f} / {theirs.megabytes:.0f} | {self.memory[-1]:.2f} |",
            flush=True,
        )

    def end(self) -> None:
        print(
            f"\n{len(self.speed)} models; geometric means: speed {geometric_mean(self.speed):.2f} times SPIN's, "
            f"memory {geometric_mean(self.memory):.2f} of SPIN's"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BUCHI_DATA", default)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--reduce", action="store_true", help="both by partial-order reduction")
    parser.add_argument("models", nargs="*", default=MODELS)
    arguments = parser.parse_args()
    table = Table(arguments.reduce)
    table.begin()
    for name in arguments.models:
        model = arguments.data / "beem" / name.split(".")[0] / f"{name}.dve"
        table.add(name, compare(model, arguments.rounds, arguments.reduce))
    table.end()


if __name__ == "__main__":
    main()
