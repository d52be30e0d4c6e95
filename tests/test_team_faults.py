"""Faults at random moments of searches by several threads: the right verdict or `unknown` with its reason, no hang.

What happens to one thread ends all of them: memory that runs out, a time that is over, an interrupt, an error of the
model. The moments follow from seeds, and fall into the growth of the table as well as between.
"""

from __future__ import annotations

import os
import random
import signal
import threading

import pytest
from experiment_files import wait_for

from buchi.common.ends import Limits, Reason, Verdict
from buchi.common.errors import ModelRuntimeError
from buchi.models.dve import DVE
from buchi.models.frontend import Loaded
from buchi.pipeline import registry
from buchi.pipeline.check import check
from buchi.pipeline.options import CheckOptions, Overflow
from buchi.schemas.kinds import Kind
from buchi.schemas.result import CheckResult

SIDE = 45
"""91 125 states, for which the table grows again and again."""
TEAMS = [name for name, checker in registry.checkers().items() if checker.accepts.workers]

CUBE = """
byte x, y, z, row[3];
process Count {{
    state go;
    init go;
    trans
        go -> go {{ guard x < {most}; effect x = x + {step}; }},
        go -> go {{ guard y < {most}; effect y = y + 1; }},
        go -> go {{ guard z < {most}; effect z = z + 1; }};
}}
system async;
"""
HERE = "(x == {0} and y == {1} and z == {2})"
FAULTS = {
    "division by zero": "1 + 0 / (1 - HERE)",
    "index out of bounds": "1 + row[3 * HERE]",
    "overflow": "1 + 255 * HERE",
}
"""Steps that fail in one state."""


def cube(step: str = "1", *, overflow_is_error: bool = False) -> Loaded:
    text = CUBE.format(most=SIDE - 1, step=step)
    return DVE().load(text, "cube.dve", overflow_is_error=overflow_is_error)


NONE = Limits()


def options(rng: random.Random, limits: Limits = NONE, **more) -> CheckOptions:
    checker, workers = rng.choice(TEAMS), rng.choice([2, 4])
    via = Kind.TLBA if checker == "cndfs" else None
    return CheckOptions(checker=checker, workers=workers, via=via, limits=limits, **more)


def searched(model: Loaded, how: CheckOptions) -> CheckResult:
    return check(model, ltl="G (x + y + z < 200)", options=how)


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def known_or(result: CheckResult, reason: Reason) -> bool:
    """Is the verdict right, or unknown for this reason? Return which."""
    if result.verdict is Verdict.HOLDS:
        assert result.states >= SIDE**3
        return True
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, reason)
    return False


def out_of_memory(rng: random.Random) -> bool:
    size = int(2 ** rng.uniform(16, 25))
    return known_or(searched(cube(), options(rng, Limits(bytes=size))), Reason.MEMORY)


def out_of_time(rng: random.Random) -> bool:
    return known_or(
        searched(cube(), options(rng, Limits(seconds=0.15 * rng.random() ** 2 + 1e-4))), Reason.TIME
    )


def interrupted(rng: random.Random) -> bool:
    """Interrupts of the process, as Ctrl-C sends them; nobody heeds one that comes before or after the search."""
    how, model = options(rng), cube()
    timer = threading.Timer(0.1 * rng.random(), os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        timer.start()
        result = searched(model, how)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    return known_or(result, Reason.INTERRUPTED)


def error_of_the_model(rng: random.Random) -> bool:
    name = rng.choice(list(FAULTS))
    at = [rng.randrange(SIDE - 1) for _ in range(3)]
    step = FAULTS[name].replace("HERE", HERE.format(*at))
    is_error = name == "overflow"
    overflow = Overflow.ERROR if is_error else Overflow.WRAP
    with pytest.raises(ModelRuntimeError, match=name) as error:
        searched(cube(step, overflow_is_error=is_error), options(rng, overflow=overflow))
    assert "x = {}, y = {}, z = {}".format(*at) in str(error.value)
    return False


KINDS = [out_of_memory, out_of_time, interrupted, error_of_the_model]


def strike(moments: int, seed: str) -> None:
    """Let faults happen; each kind must have come in time at least once, or nothing was tested."""
    rng = random.Random(seed)
    searched(cube(), CheckOptions())  # what is loaded with the first check is there
    before, struck = threads(), set()
    for _ in range(moments):
        kind = rng.choice(KINDS)
        if not kind(rng):
            struck.add(kind)
        wait_for(lambda: threads() <= before, seconds=5)
    assert struck == set(KINDS)


def test_at_some_moments():
    strike(40, "some")


@pytest.mark.slow
def test_at_many_moments():
    strike(400, "many")
