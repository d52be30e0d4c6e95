"""What a command costs before and after its work: CPU seconds of commands on a tiny model, in one alternating run.

    python benchmarks/startup.py [--rounds 20] [BUCHI ...]

User and system time of all processes of a command. The caches are warm, those of Python too, as after an installation.
BUCHI names installed commands to compare; else it is the one of this environment.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = """\
byte x = 0;
process P {
state a, b;
init a;
trans a -> b { guard x < 3; effect x = x + 1; }, b -> a { effect x = 0; };
}
system async;
"""
COMMANDS = {
    "--version": ("--version",),
    "explore": ("explore", "tiny.dve"),
    "explore --json": ("explore", "tiny.dve", "--json"),
    "check, holds": ("check", "tiny.dve", "--ltl", "G F P.a"),
    "check, violated": ("check", "tiny.dve", "--ltl", "F G P.a"),
    "check, violated, --json": ("check", "tiny.dve", "--ltl", "F G P.a", "--json"),
}


def cpu(command: tuple[str, ...], folder: str) -> float:
    """Return the CPU seconds of a command and of all that it started."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=nowhere, stderr=nowhere)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def main(programs: list[str], rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tiny.dve").write_text(MODEL)
        for name, arguments in COMMANDS.items():
            found: dict[str, list[float]] = {program: [] for program in programs}
            for i in range(rounds + 1):
                for program, times in found.items():
                    used = cpu((program, *arguments), folder)
                    if i > 0:  # the first fills the caches
                        times.append(used)
            for program, times in found.items():
                print(
                    f"{name:<24}{min(times):8.3f} s min {statistics.median(times):8.3f} s median   {program}"
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("programs", nargs="*", metavar="BUCHI")
    given = parser.parse_args()
    default = str(Path(sys.executable).parent / "buchi")
    main([os.path.abspath(program) for program in given.programs or [default]], given.rounds)
