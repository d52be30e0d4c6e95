"""Tables of automata sizes: the formulas of seed 003's artifact, seed 001's table 1 and the families of its table 2.

    python benchmarks/automata_tables.py artifact | corpus | families

`artifact` needs the benchmark data (BUCHI_DATA, or `shared/data` beside the project).
"""

from __future__ import annotations

import csv
import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import spot
from spot import gen

from buchi.common.errors import InputError
from buchi.translators.hoa import read_hoa
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.ltl_tgra import LtlToTgra
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.tela_tgra import TelaToTgra
from buchi.translators.tgba_tgra import TgbaToTgra
from buchi.translators.tgra_tfla import TgraToTfla
from buchi.translators.tlba_slba import TlbaToSlba

FOLDER = Path(os.environ.get("BUCHI_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
BEEM = FOLDER / "sttt-beem"
Sizes = tuple[int, int, int]
"""States, edges, clauses of the acceptance condition."""
EMBED = {"tela": TelaToTgra, "tgba": TgbaToTgra}
"""How an automaton that was read becomes a TGRA."""


def run(translator: Any, value: Any, **options: Any) -> Any:
    return translator().run(value, translator.options(**options))


def sizes(automaton: Any) -> Sizes:
    return automaton.states, len(automaton.edges), len(automaton.acceptance)


def geometric(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def row(name: str, found: list[Sizes]) -> str:
    states, edges, pairs = zip(*found, strict=True)
    cells = [f"{mean(x):.2f}" for x in (states, edges, pairs)]
    cells += [f"{geometric([max(n, 1) for n in x]):.2f}" for x in (states, pairs)]
    return f"| {name} | {len(found)} | {' | '.join(cells)} |"


def hoa(case: tuple[str, str], tool: str) -> Path:
    model, number = case
    return BEEM / model / f"{model}_{number}_{tool}.hoa"


def read(path: Path) -> Any:
    return read_hoa(path.read_text(), path.name)


def as_tgra(automaton: Any) -> Any:
    made = EMBED.get(automaton.kind.value)
    return run(made, automaton) if made else automaton


def forbidden(case: tuple[str, str]) -> Any:
    model, number = case
    return parse_ltl((BEEM / model / f"{model}_{number}.ltl").read_text()).negated()


OURS: dict[str, Callable[[tuple[str, str]], Any]] = {
    "ours: ltl-tgba": lambda case: run(LtlToTgba, forbidden(case)),
    "ours: ltl-tgra": lambda case: run(LtlToTgra, forbidden(case)),
    "ours: ltl-tgra, deterministic": lambda case: run(LtlToTgra, forbidden(case), prefer="deterministic"),
}


def finless(method: str) -> Callable[[tuple[str, str]], Any]:
    return lambda case: run(TgraToTfla, as_tgra(read(hoa(case, "ltl3tela"))), method=method)


FINLESS = {f"ours: {method} of ltl3tela": finless(method) for method in ("literal", "reduced", "spot")}
FROM_FORMULA = {"ours: ltl-tgra, reduced": lambda case: run(TgraToTfla, run(LtlToTgra, forbidden(case)))}


def cases(tools: Iterable[str], verdict: str | None) -> list[tuple[str, str]]:
    """Return the formulas that all tools translated and that, if asked, the paper checked with this verdict."""
    wanted = set(tools)
    done: dict[tuple[str, str], set[str]] = {}
    with (BEEM / "results.csv").open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            if verdict is None or (line["verdict"], line["error"]) == (verdict, "OK"):
                done.setdefault((line["model"], line["formula"]), set()).add(line["automaton"])
    return sorted(
        case for case, found in done.items() if wanted <= found and all(hoa(case, t).exists() for t in tools)
    )


def artifact_table(
    tools: list[str], more: dict[str, Callable[[tuple[str, str]], Any]], verdict: str | None
) -> None:
    chosen = cases(tools, verdict)
    what = (
        "formulas of results.csv" if verdict is None else f"formulas that {verdict.replace('holds', 'hold')}"
    )
    print(f"\n{len(chosen)} {what}, translated by {', '.join(tools)}:\n")
    print(
        "| automaton | files | states | edges | pairs | states, geom. | pairs, geom. |\n|---|---|---|---|---|---|---|"
    )
    for tool in tools:
        print(row(tool, [sizes(read(hoa(case, tool))) for case in chosen]))
    for name, make in more.items():
        print(row(name, [sizes(make(case)) for case in chosen]))


def artifact() -> None:
    four = ["ltl3tela", "ltl3dra", "rabinizer3", "tgba"]
    three = ["ltl3tela", "finless", "tgba"]
    artifact_table(four, OURS, "holds")
    artifact_table(four, OURS, None)
    artifact_table(three, {**FINLESS, **FROM_FORMULA}, "holds")
    artifact_table(three, {**FINLESS, **FROM_FORMULA}, None)


def literature() -> list[Any]:
    families = (gen.LTL_DAC_PATTERNS, gen.LTL_EH_PATTERNS, gen.LTL_SB_PATTERNS)
    return [formula for family in families for formula in gen.ltl_patterns(family)]


def random_formulas() -> list[Any]:
    """Return 360 random formulas of size 5 to 15, 90 for each number of propositions from 1 to 4."""
    found = []
    for count in range(1, 5):
        found += list(spot.randltl([f"p{i}" for i in range(count)], 90, tree_size=(5, 15), seed=count))
    return found


def chain(text: str, **options: Any) -> tuple[Any, Any, Any]:
    tlba = run(LtlToTlba, parse_ltl(text))
    slba = run(TlbaToSlba, tlba, **options)
    return tlba, slba, run(SlbaToTa, slba)


def spots_ta(text: str) -> tuple[int, int]:
    """Return the size of Spot's minimised testing automaton, which has one artificial initial state."""
    automaton = spot.translate(text, "Buchi", "SBAcc", "small")
    made = spot.minimize_ta(spot.tgba_to_ta(automaton, automaton.ap_vars(), True, True, False, False, False))
    found = spot.stats_reachable(made)
    return found.states, found.edges


def corpus_table(name: str, formulas: Iterable[Any]) -> None:
    negated = {str(spot.simplify(spot.formula.Not(f))) for f in formulas if spot.is_stutter_invariant(f)}
    columns: list[list[tuple[int, int]]] = [[], [], [], []]
    refused = 0
    for text in sorted(negated):
        try:
            made = chain(text)
        except InputError:
            refused += 1
            continue
        for column, automaton in zip(columns, made, strict=False):
            column.append((automaton.states, len(automaton.edges)))
        columns[3].append(spots_ta(text))
    for what, of in (("ave.", mean), ("max.", max)):
        cells = [f"{of([s for s, _ in c]):.2f} / {of([e for _, e in c]):.2f}" for c in columns]
        print(f"| {name}, {what} | {len(columns[0])} | {' | '.join(cells)} |")
    if refused:
        print(f"({refused} more are beyond the limits of explicit labels)")


def corpus() -> None:
    print("| formulas | number | TLBA | SLBA | TA | Spot's minimised TA |\n|---|---|---|---|---|---|")
    corpus_table("literature", literature())
    corpus_table("random", random_formulas())
    corpus_table("both", literature() + random_formulas())


def family(letter: str, n: int) -> str:
    if letter == "E":
        return " & ".join(f"F p{i}" for i in range(1, n + 1))
    if letter == "R":
        return " & ".join(f"(GF p{i} | FG p{i + 1})" for i in range(1, n + 1))
    text = "p1"
    for i in range(2, n + 2):
        text = f"({text} U p{i})"
    return text


def families() -> None:
    print("| family | TLBA | SLBA | TA | Spot's minimised TA |\n|---|---|---|---|---|")
    for letter in "EUR":
        for n in range(1, 6):
            text = family(letter, n)
            try:
                made = chain(text, max_edges=5_000_000)
                cells = [f"{a.states} / {len(a.edges)}" for a in made]
            except InputError as error:
                cells = [str(error).splitlines()[0], "", ""]
            spot_cell = " / ".join(map(str, spots_ta(text)))
            print(f"| {letter}({n}) | {' | '.join(cells)} | {spot_cell} |", flush=True)


if __name__ == "__main__":
    {"artifact": artifact, "corpus": corpus, "families": families}[sys.argv[1]]()
