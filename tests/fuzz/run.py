"""Fuzzes a target for a while, guided by the coverage of our own code.

    .venv/bin/pip install atheris          # CPython 3.11 or older on Linux; not needed by anything else
    .venv/bin/python tests/fuzz/run.py dve --seconds 60

It begins with the corpus of the target, keeps what reaches new code in build/fuzz, and stops at the first finding,
which it leaves in the corpus as `found-…`: mend the code, give the file a name that says what it showed, and keep
it there. `tests/test_fuzz.py` runs every file of the corpus.
"""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path
from types import FunctionType

sys.path.insert(0, str(Path(__file__).parent.parent))

import atheris

from fuzz.mutations import DICTIONARIES
from fuzz.targets import CORPUS, TARGETS, attempt

SECONDS_EACH = 300  # instrumented code is some fifty times slower
MEGABYTES = 2048
LONGEST = 4096
WORK = Path("build/fuzz")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz a reader of buchi.")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    _instrument()
    kept = WORK / wanted.target
    kept.mkdir(parents=True, exist_ok=True)
    seeds = CORPUS / wanted.target
    options = [
        f"-max_total_time={wanted.seconds}",
        f"-seed={wanted.seed}",
        f"-timeout={SECONDS_EACH}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={LONGEST}",
        f"-dict={DICTIONARIES / wanted.target}.dict",
        f"-artifact_prefix={seeds}/found-",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(kept), str(seeds)], lambda data: attempt(wanted.target, data))
    atheris.Fuzz()


def _instrument() -> None:
    """Have every function of ours tell where it comes; the loader of an editable install hides the modules."""
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and str(function.__module__).startswith("buchi."):
            atheris.instrument_func(function)


if __name__ == "__main__":
    main()
