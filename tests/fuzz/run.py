"""Fuzzes a target for a while, guided by the coverage of our own code.

    .venv/bin/pip install atheris          # CPython 3.11 or older on Linux; not needed by anything else
    .venv/bin/python tests/fuzz/run.py dve --seconds 60

It begins with the corpus of the target, keeps what reaches new code in build/fuzz, and stops at the first finding,
which it leaves in the corpus as `found-…`: mend the code, give the file a name that says what it showed, and keep
it there. `tests/test_fuzz.py` runs every file of the corpus.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import atheris

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import spot  # noqa: F401  (not to be instrumented)

with atheris.instrument_imports(include=["buchi"]):
    from fuzz.targets import CORPUS, TARGETS, attempt

from fuzz.tokens import NUMBERS, TOKENS

SECONDS_EACH = 10
MEGABYTES = 2048
LONGEST = 4096
WORK = Path("build/fuzz")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz a reader of buchi.")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    kept = WORK / wanted.target
    kept.mkdir(parents=True, exist_ok=True)
    seeds = CORPUS / wanted.target
    options = [
        f"-max_total_time={wanted.seconds}",
        f"-seed={wanted.seed}",
        f"-timeout={SECONDS_EACH}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={LONGEST}",
        f"-dict={_dictionary(wanted.target)}",
        f"-artifact_prefix={seeds}/found-",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(kept), str(seeds)], lambda data: attempt(wanted.target, data))
    atheris.Fuzz()


def _dictionary(target: str) -> Path:
    """Write the words of a target as libFuzzer reads them."""
    path = WORK / f"{target}.dict"
    path.write_text("".join(f'"{_escaped(token)}"\n' for token in (*TOKENS[target], *NUMBERS)))
    return path


def _escaped(token: str) -> str:
    return "".join(rf"\x{byte:02x}" for byte in token.encode())


if __name__ == "__main__":
    main()
