"""Every checker against the contract, and the figures of the papers that tell the algorithms apart."""

from __future__ import annotations

import pytest
from checker_contract import GRAPHS, LONG, CheckerContract, Graph, applies, check, long_path

from buchi import _engine
from buchi.checkers.amended_nested import AmendedNested
from buchi.checkers.ascc import Ascc
from buchi.checkers.c99 import C99
from buchi.checkers.cvwy import Cvwy
from buchi.checkers.gmz import Gmz
from buchi.checkers.gv import Gv
from buchi.checkers.hpy import Hpy
from buchi.checkers.reach import Reach
from buchi.checkers.sd import Sd
from buchi.checkers.se import Se
from buchi.checkers.shortest import Shortest
from buchi.checkers.ta_scc import TaScc
from buchi.checkers.tarjan import Tarjan
from buchi.checkers.tarjan_plus import TarjanPlus
from buchi.checkers.tfla import Tfla
from buchi.checkers.tgrp import Tgrp
from buchi.models.bytecode import interpreted
from buchi.models.kripke import Kripke
from buchi.pipeline import registry
from buchi.pipeline.product import build_product
from buchi.schemas.table import table
from buchi.schemas.testing import Change, Start, TestingAutomaton


class TestCvwy(CheckerContract):
    checker = Cvwy


class TestHpy(CheckerContract):
    checker = Hpy


class TestGmz(CheckerContract):
    checker = Gmz


class TestSe(CheckerContract):
    checker = Se


class TestAmendedNested(CheckerContract):
    checker = AmendedNested


class TestSd(CheckerContract):
    checker = Sd


class TestReach(CheckerContract):
    checker = Reach


class TestGv(CheckerContract):
    checker = Gv


class TestTarjan(CheckerContract):
    checker = Tarjan


class TestC99(CheckerContract):
    checker = C99


class TestAscc(CheckerContract):
    checker = Ascc


class TestTfla(CheckerContract):
    checker = Tfla


class TestTgrp(CheckerContract):
    checker = Tgrp


class TestShortest(CheckerContract):
    checker = Shortest


def test_every_checker_is_under_contract() -> None:
    tested = {one.checker.name for one in CheckerContract.__subclasses__()} | set(TESTING)
    assert tested == set(registry.checkers())


def test_every_graph_is_tried() -> None:
    checkers = [one.checker for one in CheckerContract.__subclasses__()]
    for name, graph in GRAPHS.items():
        assert any(applies(checker.accepts, graph) for checker in checkers), name


NESTED = ("cvwy", "hpy", "gmz", "se", "and")
ON_THE_FLY = ("gv", "c99", "ascc", "tfla", "tgrp")
LARGE = 50


def acyclic(first: int) -> list[list[int]]:
    """Return a large subgraph without cycles whose first state is `first`: each state leads to the next two."""
    last = first + LARGE - 1
    return [[n for n in (s + 1, s + 2) if n <= last] for s in range(first, last + 1)]


def posts(kernel: str, graph: Graph) -> int:
    _, outcome = check(kernel, graph)
    assert outcome.accepting
    return outcome.counters.post_calls


def states(kernel: str, graph: Graph) -> int:
    _, outcome = check(kernel, graph)
    assert outcome.accepting
    return outcome.counters.states


class TestSchwoonEsparza:
    """Schwoon & Esparza (2005): what the text says of its figures 2, 4 and 6."""

    SEEN_FROM_BEHIND = Graph([[1], [0]], {1: 1})
    SEEN_AT_ONCE = Graph([[1], [0]], {0: 1})
    BESIDE_A_LARGE_GRAPH = Graph([[1, 2], [0], *acyclic(2)], {1: 1})
    AROUND_A_LARGE_GRAPH = Graph([[1], [2, 4], [3], [0], *acyclic(4)], {1: 1})

    @pytest.mark.parametrize(
        ("kernel", "expected"), [("cvwy", 4), ("hpy", 3), ("gmz", 3), ("se", 2), ("and", 2)]
    )
    def test_figure_2a(self, kernel: str, expected: int) -> None:
        """CVWY goes "from s1 to s0 and back again", HPY stops at s0; both searches begin with s0 and s1."""
        assert posts(kernel, self.SEEN_FROM_BEHIND) == expected

    @pytest.mark.parametrize(
        ("kernel", "expected"), [("cvwy", 4), ("hpy", 4), ("gmz", 2), ("se", 2), ("and", 2)]
    )
    def test_figure_2b(self, kernel: str, expected: int) -> None:
        """In HPY "both the blue and the red search need to search the whole automaton"; GMZ needs no red one."""
        assert posts(kernel, self.SEEN_AT_ONCE) == expected

    @pytest.mark.parametrize("kernel", [*NESTED, *ON_THE_FLY])
    def test_figure_4(self, kernel: str) -> None:
        """The cycle s0 s1 s0 is found "without examining the right part": s2 is generated, nothing beyond."""
        assert states(kernel, self.BESIDE_A_LARGE_GRAPH) == 3

    def test_figure_4_tarjan(self) -> None:
        """It "is bound to explore the whole automaton", in either order."""
        other_order = Graph([[2, 1], [0], *acyclic(2)], {1: 1})
        assert states("tarjan", self.BESIDE_A_LARGE_GRAPH) == LARGE + 2
        assert states("tarjan", other_order) == LARGE + 2

    @pytest.mark.parametrize("kernel", ON_THE_FLY)
    def test_figure_6(self, kernel: str) -> None:
        """SCC-based: "as soon as the cycle is closed, without visiting s2 and the states beyond"."""
        assert states(kernel, self.AROUND_A_LARGE_GRAPH) == 5

    @pytest.mark.parametrize("kernel", NESTED)
    def test_figure_6_nested(self, kernel: str) -> None:
        """It "needs to explore the large subgraph before the second DFS can start"."""
        assert states(kernel, self.AROUND_A_LARGE_GRAPH) == LARGE + 4


class TestRenault:
    """Renault et al. (2015), figure 2: bad cases for Tarjan and for Dijkstra."""

    LEFT = Graph([[1], [0, 2], *acyclic(2)], {0: 1})
    LENGTH = 30
    RIGHT = Graph([[1], *([n + 1] for n in range(1, LENGTH)), [0, LENGTH + 1], [0]], {LENGTH + 1: 1})

    @pytest.mark.parametrize("kernel", ON_THE_FLY)
    def test_left(self, kernel: str) -> None:
        """If (1, 0) is visited first, "the subgraph represented by this cloud will not be visited"."""
        assert states(kernel, self.LEFT) == 3

    def test_left_tarjan(self) -> None:
        """The cycle "is only detected when state 1 is popped", after the cloud."""
        assert states("tarjan", self.LEFT) == LARGE + 2

    @pytest.mark.parametrize("kernel", ON_THE_FLY)
    def test_right(self, kernel: str) -> None:
        """All "report an accepting cycle when transition (n, 0) is visited": each state has been left once."""
        assert posts(kernel, self.RIGHT) == self.LENGTH + 2


TESTING = {"tarjan+": TarjanPlus, "ta-scc": TaScc}
CHANGES = TestingAutomaton(
    propositions=("p",),
    states=1,
    initial=(Start(1, 0),),
    edges=(Change(0, 1, 0),),
    accepting=(0,),
    livelock=(),
)
"""p at first, and infinitely many changes."""
LIVELOCK = TestingAutomaton(
    propositions=("p",),
    states=2,
    initial=(Start(1, 0),),
    edges=(Change(0, 1, 1), Change(1, 1, 0)),
    accepting=(),
    livelock=(1,),
)
"""p at first, and never p after an odd number of changes."""


@pytest.mark.parametrize("kernel", [*TESTING, "tgrp", "shortest"])
@pytest.mark.parametrize(
    ("automaton", "edges", "where_p", "accepting"),
    [
        (CHANGES, [[1], [0]], {0}, True),
        (CHANGES, [[0]], {0}, False),  # stutters in a state that is Büchi- but not livelock-accepting
        (CHANGES, [[0, 1], [1]], {0}, False),
        (CHANGES, [[1], [2], [3], [0]], {0, 1}, True),
        (CHANGES, [[1], [0]], {1}, False),
        (LIVELOCK, [[1], [1]], {0}, True),
        (LIVELOCK, [[1], [0]], {0}, False),
        (LIVELOCK, [[0]], {0}, False),
        (LIVELOCK, [[1], [2], [3], [1]], {0}, True),
        (LIVELOCK, [[1], []], {0}, True),  # the deadlock stutters
        (LIVELOCK, [[1], [2], [2, 3], [3]], {0, 2, 3}, False),
        (LIVELOCK, [[1], [2, 0], [1]], {0}, True),
    ],
)
def test_testing_automata(
    kernel: str, automaton: TestingAutomaton, edges: list[list[int]], where_p: set[int], accepting: bool
) -> None:
    labels = [frozenset("p" if state in where_p else "") for state in range(len(edges))]
    model, tested = Kripke(("p",), edges, labels).model(), table(automaton)
    product = build_product(model, interpreted(model), tested, dict(model.constants), stutter=True)
    outcome = _engine.check(kernel, product, tested.acceptance, _engine.Control())
    assert outcome.accepting == accepting


@pytest.mark.parametrize("kernel", TESTING)
def test_two_million_stuttering_states(kernel: str) -> None:
    stays = TestingAutomaton(
        propositions=("m0",),
        states=2,
        initial=(Start(0, 0),),
        edges=(Change(0, 1, 1),),
        accepting=(),
        livelock=(1,),
    )
    model, tested = long_path()[0], table(stays)
    product = build_product(model, interpreted(model), tested, dict(model.constants), stutter=True)
    outcome = _engine.check(kernel, product, tested.acceptance, _engine.Control())
    assert outcome.accepting
    assert (outcome.counters.states, len(outcome.prefix) + len(outcome.cycle)) == (LONG, LONG)
