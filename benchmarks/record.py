"""The record of counters: verdict, counters and counterexample of every route on some 300 cases, and what changed.

    python benchmarks/record.py [--data DIR] RECORD.jsonl
    python benchmarks/record.py --compare OLD.jsonl NEW.jsonl

The first writes a line for each (case, kind, translators, checker); the second prints what differs and ends with 1 if
anything does. It uses the public functions of `buchi` only, so that the same script runs before and after the inside
is rebuilt. Nothing in a record depends on time, on memory or on the machine.

Cases: the models of `examples/`, random structures with random formulas, models of BEEM and automata of the artifact of
seed 003 (left out where the data are absent). Where a line says `"random_order": true`, what the seed means may change;
the verdict may not.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import spot

import buchi

Line = dict[str, Any]

COUNTERS = ("states", "transitions", "post_calls", "max_depth", "passes", "deadlocks")
KEY = ("case", "how", "kind", "translators", "checker")
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ELECTION = (
    "G !(Node_0.leads && Node_1.leads)",
    "G F Node_2.start",
    "G F Node_1.leads",
    "G (Node_1.start -> F Node_1.leads)",
    "(G F Node_0.leads && G F Node_1.start) -> G F Node_1.leads",
    "G (Node_0.leads -> X (!Node_0.leads U Node_2.start))",
)
FORMULAS = {
    "leader_extinction_1": ELECTION,
    "leader_extinction_2": ELECTION,
    "peterson": (
        "G !(A.critical && B.critical)",
        "G (A.waiting -> F A.critical)",
        "G (A.hungry -> F A.critical)",
        "(G F A.hungry && G F B.hungry) -> (G F A.critical && G F B.critical)",
        "F G !A.hungry || G F A.critical",
        "G (A.polite -> X (A.polite || A.waiting))",
        "X X (gave_way == 0) || F (announced[0] && announced[1])",
        "!(G F A.critical && F G B.thinking)",
    ),
}
STRUCTURES = 150
ARTIFACT_STATES = 200_000
ARTIFACT_VIOLATED = ("bakery.4", "brp2.3")
"""Models that are small enough for a search that has no luck."""
BEEM_STATES = 20_000
BEEM_SLOW = {("plc", "1"), ("plc", "3"), ("protocols", "4")}
"""Families and properties whose automata, not whose searches, take from twenty seconds to two minutes."""


@dataclass(frozen=True)
class Case:
    """One model and one property; what is forbidden is a formula, a file, or the model's own property process."""

    name: str
    model: Path
    ltl: str | None = None
    automaton: Path | None = None
    deadlock: str = "stutter"
    order: str = "model"
    every_chain: bool = False
    each: bool = False
    """Is every route also taken by `check`, which shows the counterexample and knows `shortest`?"""

    def __str__(self) -> str:
        order = "" if self.order == "model" else self.order
        return " ".join(
            filter(None, (self.name, self.deadlock, order, "every chain" if self.every_chain else ""))
        )

    def ask(self, function: Callable[..., Any], **more: Any) -> Any:
        options = {"deadlock": self.deadlock, "order": self.order, **more}
        automaton = {} if self.automaton is None else {"automaton": self.automaton}
        return function(self.model, self.ltl, **automaton, **options)


# Cases


def all_cases(folder: Path, data: Path) -> Iterator[Case]:
    yield from example_cases()
    yield from random_cases(folder)
    if data.is_dir():
        yield from artifact_cases(data / "sttt-beem")
        yield from beem_cases(data / "beem")


def example_cases() -> Iterator[Case]:
    for name, formulas in FORMULAS.items():
        for i, ltl in enumerate(formulas):
            given = (f"{name}-{i}", EXAMPLES / f"{name}.dve", ltl)
            yield Case(*given, each=name == "peterson" or i == 2)
            yield Case(*given, deadlock="drop")
            if i % 2 == 0:
                yield Case(*given, order="random:7")
            if i == 2:
                yield Case(*given, every_chain=True)


def random_cases(folder: Path) -> Iterator[Case]:
    """Yield structures with a formula each, then some of them again by other routes and in another order."""
    for i, ltl in enumerate(islice(random_formulas(), STRUCTURES)):
        given = (f"random-{i:03}", random_structure(folder, i), ltl)
        deadlock = ("stutter", "drop")[i // 2 % 2]
        yield Case(*given, deadlock=deadlock, each=i % 10 == 3)
        if i % 10 == 1:
            yield Case(*given, deadlock=deadlock, order="random:7")
        if i % 15 == 2:
            yield Case(*given, deadlock=deadlock, every_chain=True)


def random_structure(folder: Path, i: int) -> Path:
    """Write the file of a structure; every third one has deadlocks."""
    states = 20 + i * 37 % 181
    wanted = {
        "states": states,
        "density": (1 + i % 4) / states,
        "truth": (0.5, 0.2, 0.8)[i % 3],
        "propositions": ["p", "q", "r"],
        "seed": i,
        "total": i % 3 != 0,
    }
    path = folder / f"random-{i:03}.random.json"
    path.write_text(json.dumps(wanted))
    return path


def random_formulas() -> Iterator[str]:
    """Yield formulas by turns insensitive to stuttering and not."""
    wanted = [True, False]
    for formula in spot.randltl(["p", "q", "r"], seed=2006, tree_size=(6, 16)):
        if is_fit(formula) and spot.is_stutter_invariant(formula) == wanted[0]:
            wanted.reverse()
            yield str(formula)


def is_fit(formula: Any) -> bool:
    """Return whether it has three to eight operators and no constants."""
    return 3 <= operators(formula) <= 8 and not {"0", "1"} & set(str(formula))


def operators(formula: Any) -> int:
    own = 0 if formula.is_leaf() else max(1, formula.size() - 1)
    return own + sum(map(operators, formula))


def artifact_cases(folder: Path) -> Iterator[Case]:
    """Yield the first automaton that holds and the first that does not of each model and translator."""
    taken = set()
    with (folder / "results.csv").open() as lines:
        for row in csv.DictReader(lines):
            kept = row["model"], row["automaton"], row["verdict"]
            if kept not in taken and is_small(row):
                taken.add(kept)
                home = folder / row["model"]
                name = f"{row['model']}_{row['formula']}_{row['automaton']}"
                yield Case(name, home / f"{row['model']}.dve", automaton=home / f"{name}.hoa")


def is_small(row: dict[str, str]) -> bool:
    if row["error"] != "OK" or int(row["states"]) > ARTIFACT_STATES:
        return False
    return row["verdict"] == "holds" or row["model"] in ARTIFACT_VIOLATED


def beem_cases(folder: Path) -> Iterator[Case]:
    """Yield the first small instance of each property and verdict, with its property process."""
    sizes = {(row["family"], row["instance"]): int(row["states"]) for row in read(folder / "states.csv")}
    taken = set()
    for row in read(folder / "ltl.csv"):
        family, instance = row["family"], row["instance"]
        kept = family, row["property"], row["holds"]
        if (family, row["property"]) in BEEM_SLOW:
            continue
        if kept not in taken and sizes.get((family, instance), BEEM_STATES) < BEEM_STATES:
            taken.add(kept)
            name = f"{family}.{instance}.prop{row['property']}"
            yield Case(name, folder / family / f"{name}.dve", deadlock="drop")


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as lines:
        return list(csv.DictReader(lines))


# The record


def record(folder: Path, data: Path) -> Iterator[Line]:
    explored: set[Path] = set()
    for case in all_cases(folder, data):
        if case.automaton is None and case.model not in explored:  # those with automata are large
            explored.add(case.model)
            yield {"case": str(case), "how": "explore", **answer(counters, buchi.explore, case.model)}
        yield from lines_of(case)


def lines_of(case: Case) -> Iterator[Line]:
    about = {"case": str(case), "random_order": case.order != "model", "ltl": case.ltl}
    try:
        rows = case.ask(buchi.compare, all_chains=case.every_chain).rows
    except buchi.BuchiError as error:
        yield {**about, "how": "compare", "error": type(error).__name__}
        return
    routes = [row for row in rows if row.verdict is not None]
    for route in routes:
        yield {**about, "how": "compare", **route_of(route), **outcome(route)}
    if case.each:
        yield from ({**about, "how": "check", **line} for line in checked(case, routes))


def checked(case: Case, routes: list[Any]) -> Iterator[Line]:
    """Yield what `check` says by its own choice, by each route, and of the shortest counterexample by each kind."""
    yield {"kind": "auto", "checker": "auto", **answer(with_choice, case.ask, buchi.check)}
    pairs = [(plain(route.kind), route.checker) for route in routes]
    shortest = [(kind, "shortest") for kind, _ in pairs]
    for kind, checker in dict.fromkeys([*pairs, *shortest]):
        found = answer(outcome, case.ask, buchi.check, via=kind, checker=checker)
        yield {"kind": kind, "checker": checker, **found}


def answer(shown: Callable[[Any], Line], function: Callable[..., Any], *args: Any, **options: Any) -> Line:
    """Return what is shown of an answer, or which error there was instead."""
    try:
        return shown(function(*args, **options))
    except buchi.BuchiError as error:
        return {"error": type(error).__name__}


def plain(value: Any) -> Any:
    """Return the text of an enumeration's member."""
    return getattr(value, "value", value)


def route_of(route: Any) -> Line:
    return {"kind": plain(route.kind), "translators": list(route.translators), "checker": route.checker}


def with_choice(result: Any) -> Line:
    return {"chosen": [plain(result.kind), result.checker], **outcome(result)}


def outcome(result: Any) -> Line:
    """Return what may not change. The automaton is there to tell where a change comes from."""
    sizes = ("states", "edges", "sets", "pairs")
    return {
        "verdict": plain(result.verdict),
        "automaton": [getattr(result.automaton, size, None) for size in sizes],
        **counters(result),
        **run_of(result.counterexample),
    }


def counters(result: Any) -> Line:
    """Return the counters, which are fields of a result or of a value of their own in it."""
    inner = getattr(result, "counters", None)
    values = {name: getattr(result, name, getattr(inner, name, None)) for name in COUNTERS}
    return {name: value for name, value in values.items() if value is not None}


def run_of(counterexample: Any) -> Line:
    """Return the lengths of a counterexample; `compare` may know only the sum."""
    if counterexample is None:
        return {}
    if isinstance(counterexample, int):
        return {"length": counterexample}
    prefix, cycle = len(counterexample.prefix), len(counterexample.cycle)
    return {"prefix": prefix, "cycle": cycle, "length": prefix + cycle}


def write(path: Path, data: Path) -> None:
    start = time.monotonic()
    cases, count = set(), 0
    with TemporaryDirectory() as folder, path.open("w") as output:
        for line in record(Path(folder), data):
            cases.add(line["case"])
            count += 1
            print(json.dumps(line), file=output, flush=True)
    used = sum(os.times()[:4])
    seconds = f"{used:.0f} s of CPU, {time.monotonic() - start:.0f} s in all"
    print(f"{len(cases)} cases, {count} lines, {seconds}", file=sys.stderr)


# Two records


def load(path: Path) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    with path.open() as text:
        for line in map(json.loads, text):
            key = " | ".join(words(line.get(part)) for part in KEY)
            if lines.setdefault(key, line) is not line:
                sys.exit(f"{path} has two lines for {key}")
    return lines


def words(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value or "")


def differences(old: Line | None, new: Line | None) -> list[str]:
    if old is None or new is None:
        return ["only in the new record" if old is None else "only in the old record"]
    names = dict.fromkeys([*old, *new])
    return [f"{n}: {old.get(n)} -> {new.get(n)}" for n in names if old.get(n) != new.get(n)]


def compare(old: dict[str, Line], new: dict[str, Line]) -> bool:
    """Print what differs, and return whether anything does."""
    changed, in_random_order = 0, 0
    for key in dict.fromkeys([*old, *new]):
        found = differences(old.get(key), new.get(key))
        if found:
            changed += 1
            in_random_order += (old.get(key) or new[key]).get("random_order", False)
            print(f"{key}\n    " + "\n    ".join(found))
    print(f"{len(old)} and {len(new)} lines, {changed} differ, of these {in_random_order} in random order")
    return changed > 0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BUCHI_DATA", default)))
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"))
    parser.add_argument("record", type=Path, nargs="?")
    arguments = parser.parse_args()
    if arguments.compare:
        sys.exit(compare(*map(load, arguments.compare)))
    if arguments.record is None:
        parser.error("a record to write, or --compare")
    write(arguments.record, arguments.data)


if __name__ == "__main__":
    main()
