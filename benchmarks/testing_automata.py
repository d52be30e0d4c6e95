"""Seed 001: transition-labelled, state-labelled and testing automata on random structures.

    python benchmarks/testing_automata.py table1 [--translator gastin-oddoux|spot] [--structures 480] [--random 360]
    python benchmarks/testing_automata.py table2 [--translator gastin-oddoux|spot] [--structures 100] [--longest 5]
    python benchmarks/testing_automata.py variants

The paper made its TLBAs with LTL2BA, so that its translation is the one to compare with; `--translator spot` shows what
is different with automata that are smaller and more often deterministic. It does not print the parameters of its random
structures: here edges and truth probabilities run over a grid, whose means follow from the E rows of its Table 2.
`variants` tries readings of the families U and R against the paper's first rows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import spot
from gastin_oddoux import gastin_oddoux

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models.bytecode import interpreted
from buchi.models.guarded import Assign, Command, Const, Expr, Model, Read, Type, Variable
from buchi.models.kripke import Kripke
from buchi.models.random_structures import RandomDocument, random_structure
from buchi.pipeline.product import build_automaton
from buchi.pipeline.table import table
from buchi.schemas.forms import Tlba
from buchi.schemas.ltl import Ltl
from buchi.schemas.slba import Slba
from buchi.schemas.testing import TestingAutomaton
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.reduction import Reductions
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.spot_helpers.translation import SpotOptions
from buchi.translators.tlba_slba import SlbaOptions, TlbaToSlba

PROPOSITIONS = tuple(f"p{i}" for i in range(12))
DEGREES = [1.3 + 0.5 * i for i in range(10)]
"""Mean numbers of successors."""
TRUTHS = [0.15 + 0.09 * i for i in range(10)]
NOTHING = ((0, 1 << 31),)
"""An acceptance that no edge meets, so that the whole product is searched."""
KINDS = ("TLBA", "SLBA", "TA")
Translate = Callable[[Ltl], Tlba]
TRANSLATORS: dict[str, Translate] = {
    "gastin-oddoux": gastin_oddoux,
    "spot": lambda formula: LtlToTlba().run(formula, SpotOptions()),
}


def structures(count: int, states: int) -> list[_engine.Model]:
    """Return structures whose parameters run over the grid; all have the same variables."""
    return [interpreted(model_of(random_structure(parameters(i, states)))) for i in range(count)]


def parameters(index: int, states: int) -> RandomDocument:
    degree, truth = DEGREES[index // len(TRUTHS) % len(DEGREES)], TRUTHS[index % len(TRUTHS)]
    return RandomDocument(
        states=states,
        density=(degree - 1) / (states - 1),
        truth=truth,
        propositions=PROPOSITIONS,
        seed=index,
    )


def model_of(kripke: Kripke) -> Model:
    """Return a model that keeps the labels in variables, so that one automaton serves all structures."""
    names = kripke.propositions
    values = [[int(name in label) for name in names] for label in kripke.labels]
    bits = tuple(Variable(n, Type.BYTE, initial=(v,)) for n, v in zip(names, values[0], strict=True))
    commands = tuple(
        Command(
            f"{source} -> {target}",
            ((0, source),),
            None,
            (),
            (Assign(0, None, Const(target)), *_differences(values[source], values[target])),
        )
        for source, targets in enumerate(kripke.edges)
        for target in targets
    )
    return Model("kripke", (Variable("state", Type.INT32), *bits), commands)


def _differences(before: Sequence[int], after: Sequence[int]) -> Iterator[Assign]:
    pairs = enumerate(zip(before, after, strict=True), 1)
    return (Assign(i, None, Const(b)) for i, (a, b) in pairs if a != b)


MEANINGS: dict[str, Expr] = {name: Read(i) for i, name in enumerate(PROPOSITIONS, 1)}
LAYOUT = model_of(Kripke(PROPOSITIONS, [[0]], [frozenset()]))


@dataclass(frozen=True)
class Built:
    """An automaton as a value, its acceptance, and as the engine runs it."""

    form: Tlba | Slba | TestingAutomaton
    acceptance: Sequence[tuple[int, int]]
    engine: _engine.Automaton

    def search(self, model: _engine.Model, check: str) -> _engine.Outcome:
        return _engine.check(
            check, _engine.Product(model, self.engine, True), self.acceptance, _engine.Control()
        )

    def whole(self, model: _engine.Model) -> _engine.Counters:
        product = _engine.Product(model, self.engine, True)
        return _engine.check("ascc", product, NOTHING, _engine.Control()).counters


def built(form: Tlba | Slba | TestingAutomaton) -> Built:
    automaton = table(form)
    return Built(form, automaton.acceptance, build_automaton(automaton, LAYOUT, MEANINGS))


def automata(formula: str, translate: Translate) -> dict[str, Built]:
    """Return the three automata of a formula, which is not negated. Raises InputError if one gets too large."""
    tlba = translate(parse_ltl(formula, "formula"))
    slba = TlbaToSlba().run(tlba, SlbaOptions(max_edges=3_000_000))
    return {"TLBA": built(tlba), "SLBA": built(slba), "TA": built(SlbaToTa().run(slba, Reductions()))}


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(*cells: str) -> None:
    row(*cells)
    print("|" + "---|" * len(cells))


# Table 2


def eventually(n: int) -> str:
    return " & ".join(f"F p{i}" for i in range(n))


def until(n: int) -> str:
    formula = "p0"
    for i in range(1, n + 1):
        formula = f"({formula} U p{i})"
    return formula


def responses(n: int) -> str:
    return " & ".join(f"(GF p{i} | FG p{i + 1})" for i in range(n))


def responses_as_printed(n: int) -> str:
    return " & ".join(f"(GF p{i} | GF p{i + 1})" for i in range(n))


FAMILIES = {"E": eventually, "U": until, "R": responses}
PAPER_2 = {
    "E": (
        "1999.90 9126.84 1999.90 9126.84 1999.86 7730.18",
        "3999.68 23690.54 3999.68 23690.54 3999.62 19057.17",
        "7999.24 62119.04 7999.24 62119.04 7999.24 49853.79",
        "15998.36 164327.68 15998.36 164327.68 15998.36 134019.09",
        "31996.61 437872.53 31996.61 437872.53 31996.61 363967.54",
    ),
    "U": (
        "1188.75 5195.20 1145.54 5095.67 1151.85 4473.37",
        "3082.19 20936.82 2266.81 14020.64 2266.76 10772.02",
        "8702.22 92692.54 6185.00 66821.92 6233.29 47379.99",
        "22162.49 373415.82 15286.18 266001.99 15257.98 187339.66",
        "53471.09 1432869.88 35175.60 980114.68 34998.03 703055.77",
    ),
    "R": (
        "3619.32 17790.64 3326.13 16635.44 3647.73 15555.14",
        "9674.17 49992.48 8195.00 43328.05 8115.63 34584.78",
        "26620.67 150150.63 20492.62 117661.40 20113.34 88977.67",
        "72449.32 460101.94 51041.64 328031.95 50019.04 239408.10",
        "194741.06 1447741.57 127220.17 951739.06 124600.22 675327.73",
    ),
}


def product_sizes(formula: str, translate: Translate, models: list[_engine.Model]) -> list[float]:
    sizes: list[float] = []
    for automaton in automata(formula, translate).values():
        counters = [automaton.whole(model) for model in models]
        sizes.append(sum(c.states for c in counters) / len(models))
        sizes.append(sum(c.transitions for c in counters) / len(models))
    return sizes


def print_sizes(name: str, sizes: list[float], paper: list[float]) -> None:
    pairs = zip(sizes, paper, strict=True)
    row(name, *(f"{ours:.0f} ({theirs:.0f})" for ours, theirs in pairs), *ratios(sizes), *ratios(paper))
    sys.stdout.flush()


def ratios(sizes: list[float]) -> list[str]:
    """Transitions of SLBA and TA products in those of TLBA products."""
    return [f"{sizes[3] / sizes[1]:.2f}", f"{sizes[5] / sizes[1]:.2f}"]


def table_2_head() -> None:
    sizes = [f"{kind} {what}" for kind in KINDS for what in ("states", "trans.")]
    shares = ("SLBA/TLBA trans.", "TA/TLBA trans.", "paper: SLBA/TLBA", "paper: TA/TLBA")
    head("formula", *sizes, *shares)


def table_2(arguments: argparse.Namespace) -> None:
    models = structures(arguments.structures, 1000)
    table_2_head()
    for family, make in FAMILIES.items():
        for n in range(1, arguments.longest + 1):
            sizes = product_sizes(make(n), TRANSLATORS[arguments.translator], models)
            print_sizes(f"{family}({n})", sizes, [float(text) for text in PAPER_2[family][n - 1].split()])


def variants(_arguments: argparse.Namespace) -> None:
    models = structures(100, 1000)
    table_2_head()
    tried = {
        "U(1) as p1": ("p0", "U", 1),
        "U(1) as p1 U p2": (until(1), "U", 1),
        "U(2) as p1 U p2": (until(1), "U", 2),
        "U(2) as (p1 U p2) U p3": (until(2), "U", 2),
        "R(1) as GF or GF": (responses_as_printed(1), "R", 1),
        "R(1) as GF of the disjunction": ("GF (p0 | p1)", "R", 1),
        "R(1) as GF or FG": (responses(1), "R", 1),
        "R(2) as GF or GF": (responses_as_printed(2), "R", 2),
        "R(2) as GF or FG": (responses(2), "R", 2),
    }
    for name, (formula, family, n) in tried.items():
        paper = [float(text) for text in PAPER_2[family][n - 1].split()]
        print_sizes(name, product_sizes(formula, gastin_oddoux, models), paper)


# Table 1

ROUTES = (("TLBA", "se"), ("TLBA", "gv"), ("SLBA", "se"), ("SLBA", "gv"), ("TA", "tarjan+"))
EXTRA = ("TA", "ta-scc")
"""Our own one-pass check, which the comparison of the paper's five is not to know of."""
PAPER_1 = {
    "All, average": "30.3 96.2 25.2 80.1 18.6 37.2 17.6 35.2 21.4 45.8",
    "All, largest": "3342 29404 2533 18250 1154 10184 1103 10041 2198 17330",
    "Violated, average": "33.3 105.9 27.3 85.2 20.4 33.8 19.2 31.4 20.0 31.2",
    "Violated, largest": "3342 29404 1652 18250 966 5888 613 3831 442 2045",
    "All, average % of TA product": "51.1 19.3 38.0 15.8 33.6 8.6 32.5 8.0 57.9 12.0",
    "Violated, average % of TA product": "13.7 7.6 11.3 6.6 9.8 4.9 9.3 4.7 9.6 4.6",
    "All, % alone best": "0.0 0.0 3.1 1.5 0.0 0.0 4.6 2.8 10.2 11.3",
    "All, % among the best": "55.7 66.5 70.2 68.5 40.5 42.6 48.0 46.9 28.9 49.8",
    "Violated, % alone best": "0.0 0.0 4.1 2.0 0.0 0.0 3.7 2.5 13.7 15.1",
    "Violated, % among the best": "56.8 60.3 65.1 62.9 23.0 26.0 30.6 30.4 38.7 38.3",
}


@dataclass
class Best:
    """How often each of the paper's five routes did the least work: alone, or as well as others."""

    alone: list[int] = field(default_factory=lambda: [0] * 10)
    among: list[int] = field(default_factory=lambda: [0] * 10)

    def add(self, numbers: list[int]) -> None:
        for i, number in enumerate(numbers[:10]):
            rivals = numbers[i % 2 : 10 : 2]
            self.among[i] += number == min(rivals)
            self.alone[i] += number == min(rivals) and rivals.count(number) == 1


@dataclass
class Runs:
    """Sums over runs, a pair (states, transitions) for each route: the first five are the paper's.

    Stored are also the successors of visited states, which the paper does not count. What is best is therefore also
    judged by calls of `post`: one for each state visited, and for `se` one more for each that its second search visits.
    """

    count: int = 0
    total: list[float] = field(default_factory=lambda: [0.0] * 12)
    largest: list[int] = field(default_factory=lambda: [0] * 12)
    share: list[float] = field(default_factory=lambda: [0.0] * 12)
    post_calls: list[int] = field(default_factory=lambda: [0] * 6)
    visiting: Best = field(default_factory=Best)
    storing: Best = field(default_factory=Best)

    def add(self, outcomes: list[_engine.Outcome], whole: _engine.Counters) -> None:
        self.count += 1
        numbers = [n for o in outcomes for n in (o.counters.states, o.counters.transitions)]
        product = (whole.states, whole.transitions)
        for i, outcome in enumerate(outcomes):
            self.post_calls[i] += outcome.counters.post_calls
        for i, number in enumerate(numbers):
            self.total[i] += number
            self.largest[i] = max(self.largest[i], number)
            self.share[i] += 100 * number / max(1, product[i % 2])
        self.visiting.add([n for o in outcomes for n in (o.counters.post_calls, o.counters.transitions)])
        self.storing.add(numbers)


@dataclass
class Second:
    """How often Tarjan+ needed its second pass, and how often that found something."""

    ran: int = 0
    found: int = 0


def formulas(random_count: int) -> list[str]:
    """Return random and literature formulas: negated, stutter-invariant, without duplicates and trivial ones."""
    from spot import gen

    drawn = spot.randltl(4, random_count, seed=2006, tree_size=(5, 22))
    literature = [
        formula
        for family in (gen.LTL_DAC_PATTERNS, gen.LTL_EH_PATTERNS, gen.LTL_SB_PATTERNS)
        for formula in gen.ltl_patterns(family)
    ]
    found: dict[str, None] = {}
    for formula in [*drawn, *literature]:
        negated = spot.relabel(spot.negative_normal_form(formula, True), spot.Pnn)
        trivial = spot.simplify(negated).is_tt() or spot.simplify(negated).is_ff()
        if not trivial and spot.is_stutter_invariant(negated):
            found[str(negated)] = None
    return list(found)


def print_automata(sizes: dict[str, list[tuple[int, int]]]) -> None:
    paper = {
        "TLBA": "5.56, 17.33; 53, 314",
        "SLBA": "30.89, 584.87; 389, 18196",
        "TA": "16.94, 310.43; 193, 10944",
    }
    head("automata", "average states", "edges", "most states", "edges", "paper (average; most)")
    for kind in KINDS:
        states, edges = zip(*sizes[kind], strict=True)
        averages = (f"{sum(numbers) / len(numbers):.2f}" for numbers in (states, edges))
        row(kind, *averages, max(states), max(edges), paper[kind])


def print_routes(all_runs: Runs, violated: Runs) -> None:
    print()
    titles = [f"{kind}/{check} {what}" for kind, check in (*ROUTES, EXTRA) for what in ("st", "tr")]
    head("", *titles)
    for name, runs in (("All", all_runs), ("Violated", violated)):
        n = runs.count
        average = [value / n for value in runs.total]
        relative = [100 * value / average[i % 2] for i, value in enumerate(average)]
        print_row(f"{name}, average", [f"{value:.1f}" for value in average])
        calls = [f"{value / n:.1f}" for value in runs.post_calls]
        print_row(f"{name}, average calls of post", [cell for call in calls for cell in (call, "")])
        print_row(f"{name}, largest", [str(value) for value in runs.largest])
        print_row(f"{name}, average % of TA product", [f"{value / n:.1f}" for value in runs.share])
        print_row(f"{name}, average in % of TLBA/se", [f"{value:.1f}" for value in relative])
        print_best(name, "", runs.visiting, n)
        print_best(name, ", by states stored", runs.storing, n)


def print_best(name: str, measure: str, best: Best, runs: int) -> None:
    print_row(f"{name}, % alone best{measure}", [f"{100 * value / runs:.1f}" for value in best.alone])
    print_row(f"{name}, % among the best{measure}", [f"{100 * value / runs:.1f}" for value in best.among])


def print_row(name: str, cells: list[str]) -> None:
    row(name, *cells, *[""] * (12 - len(cells)))
    if name in PAPER_1:
        row("paper", *PAPER_1[name].split(), "", "")


def table_1(arguments: argparse.Namespace) -> None:
    models = structures(arguments.structures, 100)
    sizes: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    all_runs, violated, second, refused = Runs(), Runs(), Second(), 0
    for formula in formulas(arguments.random):
        try:
            forms = automata(formula, TRANSLATORS[arguments.translator])
        except InputError:
            refused += 1
            continue
        for kind in KINDS:
            sizes[kind].append((forms[kind].form.states, len(forms[kind].form.edges)))
        for model in models:
            run(model, forms, all_runs, violated, second)
    print(f"{len(sizes['TA'])} formulas, {refused} more with too large SLBAs, {len(models)} structures,")
    print(f"{all_runs.count} runs, {violated.count} of them violated.\n")
    print_automata(sizes)
    print_routes(all_runs, violated)
    percent = 100 / all_runs.count
    print(f"\nThe second pass of tarjan+ ran {second.ran} times ({percent * second.ran:.3f} % of the runs)")
    print(f"and found a violation {second.found} times ({percent * second.found:.5f} %; paper: 0.00535 %).")


def run(
    model: _engine.Model, forms: dict[str, Built], all_runs: Runs, violated: Runs, second: Second
) -> None:
    outcomes = [forms[kind].search(model, check) for kind, check in (*ROUTES, EXTRA)]
    if len({outcome.accepting for outcome in outcomes}) != 1:
        sys.exit(f"the routes disagree: {[outcome.accepting for outcome in outcomes]}")
    whole = forms["TA"].whole(model)
    all_runs.add(outcomes, whole)
    plus = outcomes[len(ROUTES) - 1]
    if plus.accepting:
        violated.add(outcomes, whole)
    second.ran += plus.counters.passes == 2
    second.found += plus.counters.passes == 2 and plus.accepting


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for name, action, count in (("table1", table_1, 480), ("table2", table_2, 100)):
        command = commands.add_parser(name)
        command.add_argument("--translator", choices=list(TRANSLATORS), default="gastin-oddoux")
        command.add_argument("--structures", type=int, default=count)
        command.set_defaults(action=action)
        if name == "table1":
            command.add_argument(
                "--random", type=int, default=360, help="random formulas before the selection"
            )
        else:
            command.add_argument("--longest", type=int, default=5)
    commands.add_parser("variants").set_defaults(action=variants)
    arguments = parser.parse_args()
    arguments.action(arguments)


if __name__ == "__main__":
    main()
