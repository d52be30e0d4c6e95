"""Puts the faults of faults.yaml into the code, one at a time, and tells which test finds each.

`.venv/bin/python tests/faults.py [WORD...]` takes those whose file or description has one of the words. A fault makes
wrong verdicts or counters, not crashes; one that no test finds is a gap in the tests. The code is restored after each.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent
CPP = (".hpp", ".cpp")


@dataclass(frozen=True)
class Fault:
    """A text that stands once in a file, what takes its place, and the tests that should find it."""

    file: str
    what: str
    text: str
    instead: str
    tests: str

    def put(self) -> None:
        path = ROOT / self.file
        code = path.read_text(encoding="utf-8")
        if code.count(self.text) != 1:
            sys.exit(f"{self.file}: {self.text!r} is there {code.count(self.text)} times, not once")
        path.write_text(code.replace(self.text, self.instead), encoding="utf-8")


def build() -> None:
    """Compile the engine as `make setup` does."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "-e", "."]
    subprocess.run(pip, cwd=ROOT, check=True)


def first_failure(tests: str) -> str | None:
    """Return the first test that fails: among those that should find it, then among all."""
    for files in ([f"tests/test_{name}.py" for name in tests.split()], ["-n", "auto", "tests"]):
        pytest = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "--hypothesis-seed=0"]
        done = subprocess.run([*pytest, *files], cwd=ROOT, capture_output=True, text=True, check=False)
        if found := re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE):
            return found[1]
    return None


def found_by(fault: Fault) -> str | None:
    """Return the test that finds a fault."""
    path, compiled = ROOT / fault.file, fault.file.endswith(CPP)
    code = path.read_bytes()
    try:
        fault.put()
        if compiled:
            build()
        return first_failure(fault.tests)
    finally:
        path.write_bytes(code)
        if compiled:
            build()


def main(words: list[str]) -> int:
    """Print a line for each fault; the exit code tells whether all were found."""
    faults = [Fault(**entry) for entry in yaml.safe_load((ROOT / "tests/faults.yaml").read_text("utf-8"))]
    gaps = 0
    for fault in faults:
        if not words or any(word in f"{fault.file} {fault.what}" for word in words):
            test = found_by(fault)
            gaps += test is None
            print(f"{fault.file}: {fault.what}: {test or 'NOT FOUND'}", flush=True)
    return int(gaps > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
