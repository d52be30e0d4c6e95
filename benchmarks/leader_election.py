"""Seed 002, Table 1: nested and SCC-based checks on leader election with extinction.

    python benchmarks/leader_election.py

Models and properties are our own, in the spirit of the paper's, which lists neither: nine properties, of automata that
are weak and not, violated and not. Every check searches the same product with the TLBA of the negation, in the same
order.
`st` are the states stored: those visited and their successors. `tr` are the transitions generated, each time they are,
`dp` is the depth of the call stack.
After the tables: which of the observations that the paper draws from its table hold in ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from buchi import _engine
from buchi.models.backends import Backend, build
from buchi.models.dve import DVE
from buchi.models.guarded import Model
from buchi.models.propositions import parse_proposition
from buchi.pipeline.product import build_product
from buchi.schemas.claims import Claims
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tlba import LtlToTlba
from buchi.translators.spot_helpers.translation import SpotOptions

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LEADS = "(Node_0.leads || Node_1.leads || Node_2.leads)"
TURNS = " && ".join(f"(GF Node_{a}.leads -> GF Node_{b}.leads)" for a, b in ((0, 1), (1, 2), (2, 0)))
BOTH_JOIN = "(Node_1.joining && Node_2.joining)"
PROPERTIES = {
    "A": "GF Node_0.start -> FG !Node_1.leads",
    "B": "FG !Node_0.leads",
    "C": "G !(Node_0.leads && Node_1.leads)",
    "D": f"GF Node_0.start -> GF {LEADS}",
    "E": f"G (Node_1.start -> F {BOTH_JOIN})",
    "F": f"G (Node_2.start -> F {LEADS})",
    "G": "G !Node_1.leads",
    "H": f"GF Node_0.leads -> GF {BOTH_JOIN}",
    "I": TURNS,
}
NESTED = {"hpy": "HPY", "gmz": "GMZ", "se": "New"}
SCC_BASED = {"c99": "Couv", "gv": "GV"}
NOTHING = ((0, 1 << 31),)
"""An acceptance that no edge meets, so that the whole product is searched."""


@dataclass(frozen=True)
class Case:
    """A property of a variant: its product, and what each check did there."""

    variant: int
    name: str
    weak: bool
    whole: _engine.Counters
    outcomes: dict[str, _engine.Outcome]

    @property
    def violated(self) -> bool:
        return self.outcomes["se"].accepting

    def states(self, check: str) -> int:
        return self.outcomes[check].counters.states

    def transitions(self, check: str) -> int:
        return self.outcomes[check].counters.transitions


def cases(variant: int) -> list[Case]:
    path = EXAMPLES / f"leader_extinction_{variant}.dve"
    model = DVE().load(path.read_text(), path.name).model
    engine = build(model, Backend.COMPILED).engine
    return [case_of(variant, name, model, engine) for name in PROPERTIES]


def case_of(variant: int, name: str, model: Model, engine: _engine.Model) -> Case:
    automaton = LtlToTlba().run(parse_ltl(PROPERTIES[name], name).negated(), SpotOptions())
    meanings = {text: parse_proposition(text, model) for text in automaton.propositions}

    def search(check: str, acceptance: Sequence[tuple[int, int]]) -> _engine.Outcome:
        product = build_product(model, engine, automaton, meanings, stutter=True)
        return _engine.check(check, product, acceptance, _engine.Control())

    outcomes = {check: search(check, automaton.acceptance) for check in NESTED | SCC_BASED}
    assert len({outcome.accepting for outcome in outcomes.values()}) == 1
    weak = bool(automaton.observed(Claims(weak=True)).weak)
    return Case(variant, name, weak, search("ascc", NOTHING).counters, outcomes)


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(*cells: str) -> None:
    row(*cells)
    print("|" + "---|" * len(cells))


def prefix(case: Case) -> list[object]:
    yes_no = "yes" if case.weak else "no"
    return [case.variant, case.name, yes_no, case.whole.states, case.whole.transitions]


def print_nested(violated: list[Case]) -> None:
    print("\nWith cycles, nested searches:\n")
    columns = [f"{title} {what}" for title in NESTED.values() for what in ("st", "tr", "dp")]
    head("variant", "φ", "weak", "states", "trans", *columns)
    for case in violated:
        cells: list[object] = []
        for check in NESTED:
            counters = case.outcomes[check].counters
            cells += [counters.states, counters.transitions, counters.max_depth]
        row(*prefix(case), *cells)


def print_scc_based(violated: list[Case]) -> None:
    print("\nWith cycles, SCC-based searches:\n")
    columns = ("Couv/GV st", "visited", "Couv dp", "GV dp", "Couv tr", "GV tr", "Roots", "Current")
    head("variant", "φ", "weak", "states", "trans", *columns)
    for case in violated:
        couv, gv = (case.outcomes[check].counters for check in SCC_BASED)
        states = couv.states if couv.states == gv.states else f"{couv.states}/{gv.states}"
        depths, transitions = (couv.max_depth, gv.max_depth), (couv.transitions, gv.transitions)
        visited = gv.post_calls  # once for each
        row(*prefix(case), states, visited, *depths, *transitions, couv.max_stack, gv.max_stack)


def print_whole(holding: list[Case]) -> None:
    print("\nWithout cycles, transitions generated:\n")
    checks = NESTED | SCC_BASED
    head("variant", "φ", "weak", "states", "depth", *checks.values(), "Roots", "Current")
    for case in holding:
        stacks = [case.outcomes[check].counters.max_stack for check in SCC_BASED]
        transitions = [case.transitions(check) for check in checks]
        row(*prefix(case)[:4], case.outcomes["gv"].counters.max_depth, *transitions, *stacks)


def state(claim: str, among: list[Case], holds: Callable[[Case], bool]) -> None:
    bad = [f"{case.variant}{case.name}" for case in among if not holds(case)]
    exceptions = f"; not in {', '.join(bad)}" if bad else ""
    print(f"- {claim}: {len(among) - len(bad)} of {len(among)}{exceptions}")


def earlier(check: str, than: str) -> Callable[[Case], bool]:
    return lambda case: case.states(check) < case.states(than)


def no_later(check: str, *than: str) -> Callable[[Case], bool]:
    return lambda case: all(case.states(check) <= case.states(other) for other in than)


def less_work(check: str, than: str) -> Callable[[Case], bool]:
    return lambda case: case.transitions(check) < case.transitions(than)


def no_more_work(check: str, than: str) -> Callable[[Case], bool]:
    return lambda case: case.transitions(check) <= case.transitions(than)


def stack(case: Case, check: str) -> int:
    return case.outcomes[check].counters.max_stack


def exactly_twice(case: Case) -> bool:
    return case.transitions("c99") == 2 * case.transitions("gv") == 2 * case.whole.transitions


def print_observations(violated: list[Case], holding: list[Case]) -> None:
    weak, both = [case for case in violated if case.weak], [*violated, *holding]
    print("\nObservations, in how many cases:\n")
    state("New finds a cycle with no more states than HPY and GMZ", violated, no_later("se", "hpy", "gmz"))
    state("New finds it with fewer states than HPY", violated, earlier("se", "hpy"))
    state("New finds it with fewer states than GMZ", violated, earlier("se", "gmz"))
    state("New generates no more transitions than HPY", both, no_more_work("se", "hpy"))
    state("New generates no more transitions than GMZ: GMZ is never faster", both, no_more_work("se", "gmz"))
    state("GV: no more states than HPY and GMZ", violated, no_later("gv", "hpy", "gmz"))
    state("GV, weak automata: fewer transitions than HPY", weak, less_work("gv", "hpy"))
    state("GV, weak automata: fewer transitions than GMZ", weak, less_work("gv", "gmz"))
    state("GV: no more states than New", violated, no_later("gv", "se"))
    state("GV: fewer states than New", violated, earlier("gv", "se"))
    state("Couv stops at the same state as GV", violated, lambda c: c.states("c99") == c.states("gv"))
    state("Couv generates more transitions than GV before a cycle", violated, less_work("gv", "c99"))
    state("Roots is no larger than Current", both, lambda c: stack(c, "c99") <= stack(c, "gv"))
    state("Roots is at most a tenth of Current", both, lambda c: 10 * stack(c, "c99") <= stack(c, "gv"))
    state("without cycles Couv generates every transition exactly twice, GV once", holding, exactly_twice)


def main() -> None:
    every = [*cases(1), *cases(2)]
    violated = [case for case in every if case.violated]
    holding = [case for case in every if not case.violated]
    print_nested(violated)
    print_scc_based(violated)
    print_whole(holding)
    print_observations(violated, holding)


if __name__ == "__main__":
    main()
