"""Fairness in the product beside the same fairness written as a formula.

    python benchmarks/fairness.py [--timeout 60] [--data DIR]

Philosophers, a lock and an election whose processes must be treated fairly so that something happens. The formula is
`(fair to P) && (fair to Q) && … -> property`, in terms of `enabled(P)` and `moved(P)`. Then what weak fairness costs on
products of the STTT artifact that hold: `ascc` on the same automaton with and without it, least CPU time of three.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import buchi
from buchi.common.ends import Limits
from buchi.models.backends import Backend
from buchi.pipeline import registry
from buchi.pipeline.options import CheckOptions, Fair, FairTo
from buchi.pipeline.routes import convert
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.task import Task
from buchi.schemas.kinds import Kind

PHILOSOPHER = """process P{i} {{
    state thinking, one, eating;
    init thinking;
    trans
        thinking -> one {{ guard fork[{left}] == 0; effect fork[{left}] = 1; }},
        one -> eating {{ guard fork[{right}] == 0; effect fork[{right}] = 1; }},
        eating -> thinking {{ effect fork[{left}] = 0, fork[{right}] = 0; }};
}}
"""
USER = """process P{i} {{
    state out, in;
    init out;
    trans out -> in {{ guard lock == 0; effect lock = 1; }}, in -> out {{ effect lock = 0; }};
}}
"""
MEMBER = """process P{i} {{
    byte best = {id};
    state active, told;
    init active;
    trans
        active -> active {{ guard sent[{before}] > best; effect best = sent[{before}], sent[{i}] = best; }},
        active -> active {{ guard sent[{i}] == 0; effect sent[{i}] = best; }},
        active -> told {{ guard sent[{before}] == {id}; effect leader = {id}; }},
        told -> told {{ effect rounds = 1 - rounds; }};
}}
"""
ROWS = (
    "elevator.4_049",
    "at.5_185",
    "bopdp.3_101",
    "lifts.7_139",
    "production_cell.6_115",
    "pgm_protocol.8_029",
)
"""Models and automata of sttt-beem whose properties hold, with fairness or without."""


def philosophers(count: int) -> str:
    """All take the left fork first but the last one, so that there is no deadlock."""
    sides = [(i, (i + 1) % count) for i in range(count - 1)] + [(0, count - 1)]
    processes = "".join(PHILOSOPHER.format(i=i, left=a, right=b) for i, (a, b) in enumerate(sides))
    return f"byte fork[{count}];\n{processes}system async;\n"


def lock(count: int) -> str:
    return "byte lock;\n" + "".join(USER.format(i=i) for i in range(count)) + "system async;\n"


def election(count: int) -> str:
    """The greatest number goes round a ring; then its owner is the leader."""
    members = "".join(MEMBER.format(i=i, id=i + 1, before=(i - 1) % count) for i in range(count))
    return f"byte sent[{count}], leader, rounds;\n{members}system async;\n"


def cases() -> Iterator[tuple[str, str, str, int, str]]:
    for count in range(2, 9):
        yield f"philosophers {count}", philosophers(count), "strong", count, "G F P0.eating"
    yield "lock 5", lock(5), "strong", 5, "G F P0.in"
    yield "election 4", election(4), "weak", 4, "F leader == 4"


def encoded(strength: str, count: int, formula: str) -> str:
    one = (
        "(F G enabled(P{0}) -> G F moved(P{0}))"
        if strength == "weak"
        else "(G F enabled(P{0}) -> G F moved(P{0}))"
    )
    return " && ".join(one.format(i) for i in range(count)) + f" -> ({formula})"


def told(result: buchi.CheckResult, seconds: float) -> str:
    reason = f" ({result.reason.value})" if result.reason else ""
    return f"{result.verdict.value}{reason}, {result.states:,} states, {seconds:.2f} s"


def timed(model: Path, formula: str, timeout: float, **options: str) -> str:
    started = time.perf_counter()
    result = buchi.check(model, formula, timeout=timeout, **options)
    return told(result, time.perf_counter() - started)


def main(timeout: float, data: Path | None, folder: Path) -> None:
    print("| model | fairness | in the product | as a formula |\n|---|---|---|---|")
    for name, text, strength, count, formula in cases():
        model = folder / "model.dve"
        model.write_text(text)
        native = timed(model, formula, timeout, fair=strength)
        written = timed(model, encoded(strength, count, formula), timeout)
        print(f"| {name}, `{formula}` | {strength} | {native} | {written} |", flush=True)
    if data is not None:
        print("\n| product | states | without s | weak s | ratio |\n|---|---|---|---|---|")
        for row in ROWS:
            folder = data / "sttt-beem" / row.rpartition("_")[0]
            cost(folder / f"{folder.name}.dve", folder / f"{row}_tgba.hoa")


def cost(model: Path, automaton: Path) -> None:
    times: dict[bool, float] = {}
    for fair in (False, True) * 3:
        options = CheckOptions(
            backend=Backend.COMPILED, fair=(FairTo(Fair.WEAK),) if fair else (), limits=Limits()
        )
        task = Task.of(model, None, automaton, options)
        prepared = task.prepared(convert(task.forbidden.value, Kind.TGBA))
        product, checker = task.product(prepared), registry.checker("ascc")
        started = time.process_time()
        ended = task.search(product, prepared, checker, Deadline(None), nobody)
        times[fair] = min(times.get(fair, 1e9), time.process_time() - started)
        assert ended.lasso is None, "it holds either way"
    ratio = times[True] / times[False]
    print(
        f"| {automaton.stem} | {ended.counters.states:,} | {times[False]:.2f} | {times[True]:.2f} | {ratio:.2f} |"
    )


if __name__ == "__main__":
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--data", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        main(arguments.timeout, arguments.data, Path(temporary))
