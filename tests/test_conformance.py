"""Every checker against the contract, and the figures of the papers that tell the algorithms apart."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from checker_contract import BUCHI, GRAPHS, Graph, applies, cycle, long_path
from products import assert_accepting, product_of, search

from buchi import _engine
from buchi.checkers.declaration import AnyChecker, KernelChecker
from buchi.common.ends import Reason
from buchi.models.bytecode import interpreted
from buchi.models.kripke import Kripke
from buchi.pipeline import registry
from buchi.pipeline.product import build_product
from buchi.pipeline.table import table
from buchi.schemas.testing import TA_ACCEPTANCE, Change, Start, TestingAutomaton

CHECKERS = registry.checkers()
"""Also those of other packages: what one declares decides which graphs it gets."""
ORDINARY = [name for name, checker in CHECKERS.items() if not checker.accepts.testing]
ONE_SELF_LOOP = GRAPHS["a self-loop that is not accepting"]
FOR_BUCHI = [name for name in ORDINARY if applies(CHECKERS[name].accepts, ONE_SELF_LOOP)]
FOR_PATHS = [name for name in CHECKERS if name in FOR_BUCHI or CHECKERS[name].accepts.testing]
DEEP = 20_000
"""States in a path: more frames than fit on a stack of `STACK` bytes."""
STACK = 256 << 10
LONG = 2_000_000


@pytest.mark.parametrize("name", CHECKERS)
def test_it_says_what_it_is(name: str) -> None:
    checker = CHECKERS[name]
    assert checker.name == name
    assert checker.summary
    assert checker.paper
    assert not isinstance(checker, KernelChecker) or checker.kernel in _engine.kernels()


@pytest.mark.parametrize("name", ORDINARY)
def test_it_is_right_on_every_graph_that_it_takes(name: str) -> None:
    checker, tried = CHECKERS[name], set()
    for title, graph in GRAPHS.items():
        if applies(checker.accepts, graph):
            product = graph.product()
            outcome = search(checker, product, graph.acceptance)
            assert (title, outcome.accepting) == (title, graph.accepting)
            if outcome.accepting:
                assert_accepting(product, outcome, [graph.acceptance])
            tried.add(graph.accepting)
    assert tried == {True, False}


def test_every_graph_is_tried() -> None:
    for title, graph in GRAPHS.items():
        assert any(applies(CHECKERS[name].accepts, graph) for name in ORDINARY), title


@pytest.mark.parametrize("name", FOR_BUCHI)
def test_it_counts(name: str) -> None:
    checker = CHECKERS[name]
    counters = search(checker, ONE_SELF_LOOP.product(), BUCHI).counters
    assert counters.states == 1
    assert counters.transitions == counters.post_calls >= 1
    assert counters.max_depth == 1 or not isinstance(checker, KernelChecker)


@pytest.mark.parametrize("name", FOR_BUCHI)
def test_a_limit_ends_it(name: str) -> None:
    checker = CHECKERS[name]
    outcome = search(checker, Graph(cycle(100)).product(), BUCHI, states=10)
    assert (outcome.reason, outcome.accepting) == (Reason.STATES, False)
    assert outcome.counters.states == 11


STAYS = TestingAutomaton(
    propositions=("m0",),
    states=2,
    initial=(Start(0, 0),),
    edges=(Change(0, 1, 1),),
    accepting=(),
    livelock=(1,),
)
"""m0 becomes true and stays so."""


def run_along_a_path(checker: AnyChecker, length: int) -> None:
    """The end of the path is the cycle; `gv` begins its cycle after the accepting edge, so that it comes twice."""
    model, automaton = long_path(length)
    if checker.accepts.testing:
        automaton = table(STAYS)
    product = build_product(model, interpreted(model), automaton, dict(model.constants), stutter=True)
    outcome = search(checker, product, automaton.acceptance)
    assert outcome.accepting
    assert outcome.counters.states == length
    assert len(outcome.prefix) + len(outcome.cycle) in (length, length + 1)


@pytest.mark.parametrize("name", FOR_PATHS)
def test_a_long_path_needs_no_recursion(name: str) -> None:
    """A search that calls itself would end the process."""
    run_with_a_small_stack(lambda: run_along_a_path(CHECKERS[name], DEEP))


def run_with_a_small_stack(work: Callable[[], None]) -> None:
    done = []
    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=lambda: done.append(work()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert done == [None]


@pytest.mark.parametrize("name", ["ascc", "and", "ta-scc"])
def test_two_million_states_in_one_path(name: str) -> None:
    """Components, colours, and stuttering: what is kept beside a path grows with it."""
    run_along_a_path(CHECKERS[name], LONG)


NESTED = ("cvwy", "hpy", "gmz", "se", "and")
ON_THE_FLY = ("gv", "c99", "ascc", "tfla", "tgrp")
LARGE = 50


def acyclic(first: int) -> list[list[int]]:
    """Return a large subgraph without cycles whose first state is `first`: each state leads to the next two."""
    last = first + LARGE - 1
    return [[n for n in (s + 1, s + 2) if n <= last] for s in range(first, last + 1)]


def counters(kernel: str, graph: Graph) -> _engine.Counters:
    outcome = _engine.check(kernel, graph.product(), graph.acceptance, _engine.Control())
    assert outcome.accepting
    return outcome.counters


def posts(kernel: str, graph: Graph) -> int:
    return counters(kernel, graph).post_calls


def states(kernel: str, graph: Graph) -> int:
    return counters(kernel, graph).states


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


def takes_testing_automata(checker: AnyChecker) -> bool:
    return checker.accepts.refusal(table(CHANGES)) is None


@pytest.mark.parametrize("name", [name for name in CHECKERS if takes_testing_automata(CHECKERS[name])])
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
    name: str, automaton: TestingAutomaton, edges: list[list[int]], where_p: set[int], accepting: bool
) -> None:
    labels = [frozenset("p" if state in where_p else "") for state in range(len(edges))]
    product = product_of(Kripke(("p",), edges, labels), table(automaton))
    outcome = search(CHECKERS[name], product, TA_ACCEPTANCE)
    assert outcome.accepting == accepting
    if accepting:
        assert_accepting(product, outcome, [TA_ACCEPTANCE])
