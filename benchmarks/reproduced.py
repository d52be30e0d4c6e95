"""Tables of the papers from the results of `experiments/`, ours beside theirs, in Markdown.

    python benchmarks/reproduced.py bloemen RESULTS --data DIR
    python benchmarks/reproduced.py geldenhuys-hansen-2 RESULTS
    python benchmarks/reproduced.py bloemen-mcc RESULTS --data DIR
    python benchmarks/reproduced.py renault RESULTS
    python benchmarks/reproduced.py schwoon-esparza RESULTS

What `buchi report` shows is not repeated: these tables set our runs beside what others recorded, or are by formula.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, geometric_mean
from typing import NamedTuple

from testing_automata import PAPER_2

from buchi.pipeline.experiments.store import Store
from buchi.schemas.run import Measured, RunRecord

Question = tuple[str, str]
Answers = dict[Question, dict[str, RunRecord]]
"""The runs by model and formula, and by route."""
Recorded = dict[Question, dict[str, Mapping[str, str]]]
"""The rows of the artifact likewise."""
Value = Callable[[Question, str], float]


class Printed(NamedTuple):
    """What the paper prints of automata: times where violated, where it holds, and of all; sizes where it holds."""

    times: Mapping[str, str]
    sizes: Mapping[str, str]


FOUR = Printed(
    {
        "ltl3tela": "0.12 8.11 0.66",
        "ltl3dra": "0.26 34.25 1.83",
        "rabinizer3": "0.43 33.98 2.48",
        "tgba": "0.11 5.65 0.52",
    },
    {
        "ltl3tela": "2.85 1.07 4.02 13.86",
        "ltl3dra": "4.00 1.27 10.61 42.17",
        "rabinizer3": "3.56 1.24 10.29 40.86",
        "tgba": "3.23 1.00 3.80 13.74",
    },
)
THREE = Printed(
    {"ltl3tela": "0.20 15.02 2.11", "finless": "0.13 4.52 0.88", "tgba": "0.13 4.06 0.85"},
    {
        "ltl3tela": "3.31 2.21 5.22 11.30",
        "finless": "5.79 2.17 2.74 9.06",
        "tgba": "3.76 1.00 2.37 7.43",
    },
)
NETS = Printed(
    {
        "ltl3tela": "1.51 7.68 4.47",
        "ltl3dra": "1.69 5.67 3.79",
        "rabinizer3": "1.03 5.64 3.20",
        "tgba": "0.80 4.81 2.64",
    },
    {
        "ltl3tela": "1.00 1.53 0.71 4.26",
        "ltl3dra": "1.00 1.00 0.47 2.78",
        "rabinizer3": "1.38 1.00 0.47 2.78",
        "tgba": "1.31 1.00 0.51 3.11",
    },
)
GROUPS = {"violated": ("violated",), "holds": ("holds",), "all": ("violated", "holds")}


def answers(path: Path) -> Answers:
    found: Answers = defaultdict(dict)
    with Store.open(path, must_exist=True) as store:
        for run in store.records():
            found[run.model, run.formula_id][run.route] = run
    return found


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    print(f"\n{title}\n")
    print(f"| {' | '.join(columns)} |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


# Bloemen, Duret-Lutz & van de Pol


def recorded(folder: Path) -> Recorded:
    found: Recorded = defaultdict(dict)
    with (folder / "results.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["automaton"] != "finless" or row["algorithm"] == "ufscc":  # Table 6 is of this check
                found[row["model"], row["formula"]][row["automaton"]] = row
    return found


def verdict_of(runs: Mapping[str, RunRecord], routes: Iterable[str]) -> str:
    """Return the verdict that all these routes came to, else nothing."""
    found = {runs[route].verdict if route in runs else None for route in routes}
    (verdict,) = found if len(found) == 1 else (None,)
    return verdict.value if verdict and verdict.value != "unknown" else ""


def common(ours: Answers, theirs: Recorded, routes: Sequence[str]) -> dict[str, list[Question]]:
    """Return the questions that we and they answered by all these routes, by verdict."""
    found: dict[str, list[Question]] = {"holds": [], "violated": []}
    for question, runs in ours.items():
        rows = theirs.get(question, {})
        verdict = verdict_of(runs, routes)
        if verdict and all(route in rows and rows[route]["verdict"] == verdict for route in routes):
            found[verdict].append(question)
    return found


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return geometric_mean(found) if found else float("nan")


def times(ours: Answers, theirs: Recorded, paper: Printed, title: str, measure: str = "cpu_seconds") -> None:
    routes = tuple(paper.times)
    by_verdict = common(ours, theirs, routes)
    sources: dict[str, Value] = {
        "ours": lambda q, route: max(getattr(ours[q][route].measured, measure) or 0, 1e-4),
        "LTSmin": lambda q, route: max(float(theirs[q][route]["seconds_16_threads"]), 0.01),
        "transitions, ours": lambda q, route: max(ours[q][route].measured.transitions or 0, 1),
        "transitions, LTSmin": lambda q, route: max(float(theirs[q][route]["transitions"]), 1),
    }
    questions = {name: [q for v in group for q in by_verdict[v]] for name, group in GROUPS.items()}
    columns = ["source", "automaton", *(f"{name} ({len(found)})" for name, found in questions.items())]
    rows = [
        [source, route, *(_compared(questions[g], value, route) for g in GROUPS)]
        for source, value in sources.items()
        for route in routes
    ]
    base = [float(text) for text in paper.times["tgba"].split()]
    for route in routes:
        printed = zip(paper.times[route].split(), base, strict=True)
        rows.append(["paper", route, *(f"{text} ({float(text) / one:.2f})" for text, one in printed)])
    table(title, columns, rows)


def _compared(questions: list[Question], value: Value, route: str) -> str:
    own = mean(value(q, route) for q in questions)
    ratio = own / mean(value(q, "tgba") for q in questions)
    return f"{own:.4g} ({ratio:.2f})" if own < 1000 else f"{own:,.0f} ({ratio:.2f})"


def sizes(ours: Answers, theirs: Recorded, paper: Printed, title: str) -> None:
    routes = tuple(paper.sizes)
    held = common(ours, theirs, routes)["holds"]
    measured = ("automaton_states", "automaton_pairs", "states", "transitions")
    rows = []
    for route in routes:
        for source in ("ours", "LTSmin"):
            values = [mean(_size(ours, theirs, source, q, route, name) for q in held) for name in measured]
            rows.append(
                [source, route, *(f"{v:.2f}" for v in values[:2]), *(f"{v:,.0f}" for v in values[2:])]
            )
        *small, states, transitions = paper.sizes[route].split()
        rows.append(["paper", route, *small, f"{states} M", f"{transitions} M"])
    table(
        f"{title}, {len(held)} products",
        ["source", "automaton", "states", "pairs", "product", "trans."],
        rows,
    )


def _size(ours: Answers, theirs: Recorded, source: str, q: Question, route: str, name: str) -> float:
    if source == "ours":
        return float(getattr(ours[q][route].measured, name))
    if name == "automaton_pairs":  # -1 where the check knows no pairs
        return abs(float(theirs[q][route]["pairs"]))
    return float(theirs[q][route][name])


def agreement(ours: Answers, theirs: Recorded) -> None:
    """Print in how many runs verdict and states are those of the artifact."""
    pairs = [
        (run, theirs[q][route])
        for q, runs in ours.items()
        for route, run in runs.items()
        if route in theirs[q]
    ]
    decided = [
        (run, row)
        for run, row in pairs
        if run.verdict in ("holds", "violated") and row["verdict"] != "unknown"
    ]
    different = [run.key for run, row in decided if run.verdict != row["verdict"]]
    held = [(run, row) for run, row in decided if run.verdict == row["verdict"] == "holds"]
    single = [(run, row) for run, row in held if row["algorithm"] == "ufscc" or row["pairs"] == "1"]
    several = [(run, row) for run, row in held if row["algorithm"] == "favoid" and row["pairs"] != "1"]
    equal = sum(run.measured.states == int(row["states"]) for run, row in single)
    times_pairs = sum(_by_pairs(run) == int(row["states"]) for run, row in several)
    print(f"- {len(pairs)} runs of which the artifact has a result, {len(decided)} decided by both")
    print(f"- other verdict than the artifact: {len(different)}")
    print(f"- holds, one pair or all at once: {equal} of {len(single)} with its number of states")
    print(
        f"- holds, pairs one by one: {times_pairs} of {len(several)} with its number, which counts each pair anew"
    )


def _by_pairs(run: RunRecord) -> int:
    return (run.measured.states or 0) * (run.measured.automaton_pairs or 0)


def bloemen(arguments: argparse.Namespace) -> None:
    ours, theirs = answers(arguments.results), recorded(arguments.data / "sttt-beem")
    agreement(ours, theirs)
    times(ours, theirs, FOUR, "Table 4: geometric means (ratio to tgba)")
    sizes(ours, theirs, FOUR, "Table 5: geometric means of sizes")
    times(ours, theirs, THREE, "Table 6: geometric means (ratio to tgba)")
    sizes(ours, theirs, THREE, "Table 7: geometric means of sizes")


def nets(arguments: argparse.Namespace) -> None:
    ours, theirs = answers(arguments.results), recorded(arguments.data / "sttt-mcc")
    agreement(ours, theirs)
    # With few formulas a net, loading it would be a large part of the time of the first route.
    times(ours, theirs, NETS, "Table 4, MCC: geometric means (ratio to tgba)", "seconds")
    sizes(ours, theirs, NETS, "Table 5, MCC: geometric means of sizes")
    by_formula(ours, theirs)


def by_formula(ours: Answers, theirs: Recorded) -> None:
    """Print states and transitions beside those of the artifact, a row for each product that holds."""
    rows = []
    for question, runs in ours.items():
        for route, run in runs.items():
            row = theirs[question].get(route)
            if row and run.verdict == "holds":
                sizes = f"{run.measured.states:,} / {run.measured.transitions:,}"
                known = f"{int(row['states']):,} / {int(row['transitions']):,}"
                same = "=" if sizes == known else known
                rows.append([*question, route, row["pairs"], sizes, same])
    table("Products that hold", ["net", "formula", "automaton", "pairs", "ours", "LTSmin"], rows)


# Geldenhuys & Hansen, Table 2


def growth(arguments: argparse.Namespace) -> None:
    by_formula: dict[str, dict[str, list[RunRecord]]] = defaultdict(lambda: defaultdict(list))
    for (_, formula), runs in answers(arguments.results).items():
        for route, run in runs.items():
            by_formula[formula][route].append(run)
    rows = []
    for formula, routes in by_formula.items():
        paper = [float(text) for text in PAPER_2[formula[0]][int(formula[2:-1]) - 1].split()]
        means = [
            fmean(float(getattr(run.measured, name)) for run in routes[kind])
            for kind in ("TLBA", "SLBA", "TA")
            for name in ("states", "transitions")
        ]
        cells = [f"{own:,.0f} ({other:,.0f})" for own, other in zip(means, paper, strict=True)]
        ratios = [f"{m[3] / m[1]:.2f}, {m[5] / m[1]:.2f}" for m in (means, paper)]
        rows.append([formula, *cells, f"{ratios[0]} ({ratios[1]})"])
    names = [f"{kind} {what}" for kind in ("TLBA", "SLBA", "TA") for what in ("states", "trans.")]
    table("Ours (paper)", ["formula", *names, "trans. of SLBA, TA in TLBA's"], rows)


# Schwoon & Esparza, Table 1


def leader(arguments: argparse.Namespace) -> None:
    checks = ("HPY", "GMZ", "New", "Couv", "GV")
    rows: dict[str, list[list[object]]] = {"violated": [], "holds": []}
    for (model, formula), runs in answers(arguments.results).items():
        whole = runs["product"].measured
        cells = [
            f"{m.states}, {m.transitions}, {m.max_depth}"
            if verdict_of(runs, runs) == "violated"
            else m.transitions
            for m in (runs[check].measured for check in checks)
        ]
        rows[verdict_of(runs, runs)].append([model[-1], formula, whole.states, whole.transitions, *cells])
    columns = ["variant", "φ", "states", "trans.", *checks]
    table("With cycles: states, transitions, depth", columns, rows["violated"])
    table("Without cycles: transitions", columns, rows["holds"])


# Renault, Duret-Lutz, Kordon & Poitrenaud, Table 1 and figure 3

SIZES_OF_PRODUCTS = ("states", "transitions", "components")
TEAMS = ("tarjan", "dijkstra", "mixed", "ufscc", "cndfs")


def renault(arguments: argparse.Namespace) -> None:
    """Print sizes of products and speed-ups, by model. Of the repetitions of a run the fastest counts."""
    with Store.open(arguments.results, must_exist=True) as store:
        fastest: Answers = defaultdict(dict)
        for run in store.records():
            runs = fastest[run.model, run.formula_id]
            best = runs.setdefault(run.route, run)
            if (run.measured.seconds or 0) < (best.measured.seconds or 0):
                runs[run.route] = run
    by_model: dict[str, dict[str, list[dict[str, RunRecord]]]] = defaultdict(lambda: defaultdict(list))
    for (model, _), runs in fastest.items():
        by_model[model][verdict_of(runs, runs) or "unknown"].append(runs)
    ordered = sorted(by_model, key=lambda model: -_share(by_model[model]["holds"]))
    table(
        "Table 1: means over products that are empty and not",
        ["model", *(f"{what} {sign}" for what in SIZES_OF_PRODUCTS for sign in "✓✗"), "components a state"],
        ([model, *_sizes(by_model[model]), f"{_share(by_model[model]['holds']):.2f}"] for model in ordered),
    )
    table(
        "Figure 3, holds: time with 1 worker by time with all (`post` calls with all by those with 1)",
        ["model", *TEAMS],
        ([model, *_speedups(by_model[model]["holds"])] for model in ordered),
    )
    table(
        "Violated: states stored with 1 worker, with all; geometric means",
        ["model", *TEAMS],
        ([model, *_stored(by_model[model]["violated"])] for model in ordered),
    )


def _sizes(runs: Mapping[str, list[dict[str, RunRecord]]]) -> Iterable[str]:
    for name in SIZES_OF_PRODUCTS:
        for verdict in ("holds", "violated"):
            values = [float(getattr(found["product"].measured, name)) for found in runs.get(verdict, [])]
            yield f"{fmean(values):,.0f}" if values else "–"


def _share(held: list[dict[str, RunRecord]]) -> float:
    """Return how many components there are for each state: 1 is a tree, 0 one large component."""
    sizes = [found["product"].measured for found in held]
    return fmean((m.components or 0) / (m.states or 1) for m in sizes) if sizes else 0.0


def _pairs(runs: list[dict[str, RunRecord]], check: str) -> list[tuple[Measured, Measured]]:
    """Return what a check measured with one worker, and with all."""
    return [(found[f"{check} 1"].measured, found[check].measured) for found in runs]


def _speedups(runs: list[dict[str, RunRecord]]) -> Iterable[str]:
    for pairs in (_pairs(runs, check) for check in TEAMS):
        speedup = mean((one.seconds or 0) / (team.seconds or 1e-6) for one, team in pairs)
        work = mean((team.post_calls or 1) / (one.post_calls or 1) for one, team in pairs)
        yield f"{speedup:.2f} ({work:.2f})" if pairs else "–"


def _stored(runs: list[dict[str, RunRecord]]) -> Iterable[str]:
    for pairs in (_pairs(runs, check) for check in TEAMS):
        alone, together = (mean(pair[i].states or 1 for pair in pairs) for i in (0, 1))
        yield f"{alone:,.0f}, {together:,.0f}" if pairs else "–"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    actions = {
        "bloemen": bloemen,
        "bloemen-mcc": nets,
        "geldenhuys-hansen-2": growth,
        "renault": renault,
        "schwoon-esparza": leader,
    }
    for name, action in actions.items():
        command = commands.add_parser(name)
        command.add_argument("results", type=Path)
        command.set_defaults(action=action)
        if action in (bloemen, nets):
            command.add_argument("--data", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.action(arguments)


if __name__ == "__main__":
    main()
