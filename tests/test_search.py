"""The scaffolding of searches: limits, interrupts, progress, and checkers written in plain Python."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from types import SimpleNamespace
from typing import ClassVar

import pytest
from rich.console import Console
from runner import PETERSON

from buchi import _engine
from buchi.checkers.declaration import Accepts, Lasso, Strength
from buchi.common.ends import Limits, Reason, Verdict
from buchi.common.errors import LimitReached
from buchi.pipeline import registry
from buchi.pipeline.check import check
from buchi.pipeline.cli.progress import progress_line, shown_progress
from buchi.pipeline.explore import explore
from buchi.pipeline.options import CheckOptions, ExploreOptions
from buchi.pipeline.registry import Group, Plugins
from buchi.pipeline.search import PATIENCE, Deadline, run_watched
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Edge, Letter
from buchi.schemas.result import CheckResult

FORMULAS = ["G !(A.critical && B.critical)", "G (A.hungry -> F A.critical)", "GF A.critical", "F G A.waiting"]


class EveryCycle:
    """A checker in plain Python: for each edge with the mark, is its source reachable from its target?"""

    name: ClassVar = "every-cycle"
    summary: ClassVar = "by brute force"
    paper: ClassVar = "none"
    accepts: ClassVar = Accepts(max_sets=1)

    def find(self, product, acceptance):
        parents = self.reach(product, product.initial())
        for source in parents:
            for target, marks in product.post(source):
                if acceptance[0].inf & ~marks == 0:
                    back = self.reach(product, [target])
                    if source in back:
                        return Lasso(self.path(parents, source)[:-1], [source, *self.path(back, source)][:-1])
        return None

    @staticmethod
    def reach(product, starts):
        parents, pending = dict.fromkeys(starts), list(starts)
        while pending:
            state = pending.pop()
            product.note_depth(len(pending))
            for target, _ in product.post(state):
                if target not in parents:
                    parents[target] = state
                    pending.append(target)
        return parents

    @staticmethod
    def path(parents, state):
        found = [state]
        while (state := parents[state]) is not None:
            found.append(state)
        return found[::-1]


@pytest.fixture
def every_cycle(monkeypatch):
    """Install the checker above as a plugin would be."""
    known = {group: registry.plugins(group) for group in Group}
    found = {**known[Group.CHECKERS].found, EveryCycle.name: EveryCycle()}
    monkeypatch.setattr(registry, "plugins", {**known, Group.CHECKERS: Plugins(found)}.__getitem__)
    return EveryCycle.name


class TestPythonCheckers:
    @pytest.mark.parametrize("formula", FORMULAS)
    def test_they_agree_with_the_engine_and_their_runs_replay(self, every_cycle, formula):
        found = check(PETERSON, ltl=formula, options=CheckOptions(checker=every_cycle))
        expected = check(PETERSON, ltl=formula)
        assert (found.verdict, found.checker) == (expected.verdict, every_cycle)
        assert found.transitions > 0
        assert found.post_calls > 0
        if found.verdict is Verdict.HOLDS:
            assert found.states == expected.states

    @pytest.mark.parametrize(
        ("limits", "reason"),
        [
            (Limits(states=1000), Reason.STATES),
            (Limits(seconds=0.5), Reason.TIME),
            (Limits(bytes=1 << 20), Reason.MEMORY),
        ],
    )
    def test_they_keep_to_the_limits(self, every_cycle, counter, limits, reason):
        options = CheckOptions(checker=every_cycle, limits=limits)
        found = check(counter, ltl="G x <= 255", options=options)
        assert (found.verdict, found.reason) == (Verdict.UNKNOWN, reason)
        assert found.states > 0

    @pytest.mark.parametrize("checker", ["every-cycle", "ascc", "reach", "gv"])
    def test_a_limit_is_the_most_states_that_may_be_stored_whoever_searches(self, every_cycle, checker):
        formula = "G !(A.critical && B.critical)"

        def checked(most: int | None) -> CheckResult:
            options = CheckOptions(checker=checker, limits=Limits(states=most))
            return check(PETERSON, ltl=formula, options=options)

        states = checked(None).states
        assert checked(states).verdict is Verdict.HOLDS
        short = checked(states - 1)
        assert (short.reason, short.states) == (Reason.STATES, states)

    def test_they_can_be_interrupted(self, every_cycle, counter):
        interrupt_after(0.7)
        found = check(counter, ltl="G x <= 255", options=CheckOptions(checker=every_cycle))
        assert (found.verdict, found.reason) == (Verdict.UNKNOWN, Reason.INTERRUPTED)
        assert found.states > 0


def interrupt_after(seconds, number=signal.SIGINT):
    threading.Timer(seconds, os.kill, (os.getpid(), number)).start()


class TestEngineSearches:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_interrupt(self, counter, number):
        before = signal.getsignal(number)
        interrupt_after(0.5, number)
        found = explore(counter)
        assert found.reason is Reason.INTERRUPTED
        assert found.counters.states > 0
        assert signal.getsignal(number) is before

    def test_in_another_thread_than_the_main_one(self, counter):
        results = []
        options = ExploreOptions(limits=Limits(states=1000))
        thread = threading.Thread(target=lambda: results.append(explore(counter, options)))
        thread.start()
        thread.join()
        assert results[0].reason is Reason.STATES

    def test_progress_can_be_watched(self, counter):
        seen = []
        explore(
            counter,
            ExploreOptions(limits=Limits(seconds=1)),
            lambda now: seen.append((now.states, now.bytes)),
        )
        assert seen == sorted(seen)
        assert seen[-1][0] > 0

    @pytest.mark.parametrize("limits", [Limits(seconds=5), Limits(bytes=30 << 20), Limits(states=10)])
    def test_a_violation_is_no_further_than_its_state(self, tmp_path, limits):
        """The cycle after it would be longer than any limit."""
        path = tmp_path / "far.dve"
        path.write_text(
            "int x, y;\nprocess P { state go; init go; trans\n"
            "go -> go { guard x < 30000; effect x = x + 1; },\n"
            "go -> go { guard x == 30000; effect x = 0, y = y + 1; };\n}\nsystem async;\n"
        )
        found = check(path, ltl="G x < 5", options=CheckOptions(checker="reach", limits=limits))
        assert (found.verdict, found.counterexample.length) == (Verdict.VIOLATED, 5)


class TestRunWatched:
    def test_an_exception_of_the_work_arrives(self):
        with pytest.raises(ZeroDivisionError):
            run_watched(lambda: 1 // 0, lambda: None, lambda: None)

    def test_work_that_does_not_stop_can_be_left(self):
        release, heeded = threading.Event(), []

        def stop() -> None:
            heeded.append(1)
            interrupt_after(0.1)  # again, once this one has arrived: two at a time would count as one

        interrupt_after(0.2)
        with pytest.raises(KeyboardInterrupt):
            run_watched(lambda: release.wait(30), stop, lambda: None)
        release.set()
        assert len(heeded) == PATIENCE


class TestDeadline:
    def test_no_limit(self):
        assert Deadline(None).remaining() is None

    def test_time_passes(self):
        deadline = Deadline(0.05)
        assert 0 < (deadline.remaining() or 0) <= 0.05
        time.sleep(0.06)
        with pytest.raises(LimitReached):
            deadline.remaining()


class TestAccepts:
    @staticmethod
    def automaton(letter=Letter.SOURCE, clauses=((0, 1),), edges=()):
        return Automaton(
            letter=letter,
            propositions=(),
            states=1,
            initial=((EVERY_LETTER, 0),),
            edges=tuple(Edge(source, EVERY_LETTER, marks, 0) for source, marks in edges),
            sets=4,
            acceptance=tuple(Clause(fin, inf) for fin, inf in clauses),
        )

    @pytest.mark.parametrize(
        ("accepts", "automaton", "why"),
        [
            (Accepts(), {}, None),
            (Accepts(), {"clauses": [(0, 0b1111)]}, None),
            (Accepts(), {"clauses": []}, None),
            (Accepts(), {"letter": Letter.CHANGE}, "reads destination or source letters, not change letters"),
            (Accepts(max_sets=1), {"clauses": [(0, 0b101)]}, "takes at most 1 Inf set, not 2"),
            (Accepts(), {"clauses": [(0, 1), (0, 2)]}, "takes at most 1 clause in the acceptance, not 2"),
            (Accepts(), {"clauses": [(2, 1)]}, "needs an acceptance condition without Fin"),
            (Accepts(strength=Strength.TERMINAL), {"edges": [(0, 1)]}, None),
            (Accepts(strength=Strength.WEAK), {"edges": [(0, 1), (0, 0)]}, "needs a weak automaton"),
            (Accepts(fin=True, max_clauses=None), {"clauses": [(2, 1), (8, 4)]}, None),
        ],
    )
    def test_refusals(self, accepts, automaton, why):
        assert accepts.refusal(self.automaton(**automaton)) == why


def test_every_kernel_declared_is_there():
    declared = {getattr(checker, "kernel", None) for checker in registry.checkers().values()}
    assert declared - {None} <= set(_engine.kernels())


def test_the_line_of_progress():
    now = SimpleNamespace(states=1234567, transitions=5, depth=999, bytes=5 << 30)
    assert progress_line(now, 10) == "1,234,567 states · 123,457 states/s · depth 999 · 5.0 GiB · 10 s"
    now.depth = 0
    assert "depth" not in progress_line(now, 10)
    assert progress_line(now, 10, "tgba with ascc").startswith("tgba with ascc · 1,234,567 states")


def test_progress_is_shown_on_a_terminal_only(counter):
    options = ExploreOptions(limits=Limits(seconds=1.5))
    shown = {}
    for terminal in (True, False):
        file = io.StringIO()
        with shown_progress(Console(file=file, force_terminal=terminal)) as watch:
            explore(counter, options, watch)
        shown[terminal] = file.getvalue()
    assert "states/s" in shown[True]
    assert shown[False] == ""
