"""Answers one question by one route: makes the automaton, chooses the check, searches the product, replays.

What is known so far can be told at any moment, so that an end before time is an answer too.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from buchi import _engine
from buchi.checkers.declaration import Strength
from buchi.checkers.look import Look
from buchi.checkers.reach import Reach
from buchi.common.ends import Reason, Verdict
from buchi.common.errors import AssertionFails, InputError, LimitReached
from buchi.common.option_names import option
from buchi.pipeline import gain
from buchi.pipeline.dispatch import Choice, choose_checker
from buchi.pipeline.ended import Ended
from buchi.pipeline.options import Pairs, Reduce
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import kind_to_check
from buchi.pipeline.search import Asked, Deadline, Watch
from buchi.pipeline.task import Task
from buchi.schemas.counters import Counters
from buchi.schemas.kinds import Kind
from buchi.schemas.result import Counterexample

if TYPE_CHECKING:
    from buchi.pipeline.certificates.evidence import Evidence
    from buchi.schemas.certificate import Certified

log = logging.getLogger(__name__)
LOOKED_AT = 1 << 14
"""States of a first look by a check for terminal automata, before a team searches."""


@dataclass(frozen=True)
class Ready:
    """All that a search needs: an automaton, and a checker that takes it."""

    automaton: Prepared
    choice: Choice


@dataclass
class Answer:
    """What is known of the answer to a question; at first that an automaton of this kind is to be checked."""

    kind: Kind
    workers: int = 1
    ready: Ready | None = None
    ended: Ended | None = None
    found: Counterexample | None = None
    """The counterexample, once it was replayed."""
    certified: Certified | None = None
    """That there is none, where that was to be certified."""
    reduced: bool = False
    """Was only a part of the model searched that is enough?"""
    not_reduced: str | None = None
    """Why there is no such part, where one would have been searched."""
    cut: Reason | None = None
    """What ended the work, where that was not the search itself."""
    _began: float = field(default_factory=time.monotonic)

    @property
    def verdict(self) -> Verdict:
        """The verdict: `violated` only by a run that was replayed, `holds` only by a search that was done."""
        if self.found is not None:
            return Verdict.VIOLATED
        ended = self.ended
        done = ended is not None and ended.reason is None and ended.lasso is None and self.cut is None
        return Verdict.HOLDS if done else Verdict.UNKNOWN

    @property
    def reason(self) -> Reason | None:
        """Why the verdict is unknown."""
        if self.found is not None:
            return None
        return self.cut or (self.ended.reason if self.ended else None)

    @property
    def counters(self) -> Counters:
        """What the search counted; the time is that of all the work where there was none."""
        if self.ended is not None:
            return self.ended.counters
        return Counters(seconds=time.monotonic() - self._began)

    @contextmanager
    def ends_early(self) -> Iterator[None]:
        """Let a limit, Ctrl-C or a lack of memory inside the block be the reason why this is not known."""
        try:
            yield
        except LimitReached as limit:
            self.cut = limit.reason
            log.info("ended early: %s", limit)
        except KeyboardInterrupt:
            self.cut = Reason.INTERRUPTED
        except MemoryError:
            self.cut = Reason.MEMORY


def prepare(answer: Answer, task: Task, made: Callable[[Kind], Prepared]) -> None:
    """Make the automaton of the kind that suits, and choose its checker. Raises InputError and LimitReached."""
    options, value = task.options, task.forbidden.value
    answer.kind = kind_to_check(value, options.via, options.checker)
    automaton = made(answer.kind)
    choice = choose_checker(
        options.checker,
        automaton.table,
        total=task.stutter,
        workers=options.workers,
        numbered=options.wants_certificate,
    )
    if options.pairs is Pairs.TOGETHER:
        _check_pairs(choice, options.workers)
    if options.via is None and answer.kind is Kind.TFLA != value.kind:
        choice = replace(choice, why=f"{choice.why}; Fin was removed from the one given")
    answer.ready = Ready(automaton, choice)


def _check_pairs(choice: Choice, workers: int) -> None:
    together = option("pairs", Pairs.TOGETHER.value)
    if not choice.checker.accepts.pairs:
        how = f"{option('via', 'tgra')} {option('checker', 'tgrp')}"
        raise InputError(
            f"{together}: {choice.checker.name} does not search pair by pair", suggestion=f"try {how}"
        )
    if workers == 1:
        raise InputError(f"{together} needs several workers", suggestion=f"try {option('workers', 2)}")


def decide(answer: Answer, task: Task, deadline: Deadline, watch: Watch) -> None:
    """Search the product, and replay what is found. Raises LimitReached; a counterexample that is none is a bug.

    An assertion of the model that fails is a violation, too, whether the search met it or not: what `holds` means does
    not depend on the route.
    """
    assert answer.ready is not None, "nothing was prepared"
    try:
        product, ended = task.widening(lambda: _searched(answer, task, deadline, watch))
    except AssertionFails as met:
        answer.ended = task.way_to(met, deadline, watch)
        answer.found = answer.ended.found
        return
    answer.ended = ended
    if ended.lasso is None:
        searched = task.reduced() if answer.reduced else task
        evidence = _evidence(answer, searched, product, deadline, watch)
        del product  # its memory may be needed
        with evidence or nullcontext():
            _check_assertions(answer, searched, deadline, watch)
            if evidence is not None and answer.verdict is Verdict.HOLDS:
                answer.certified = evidence.certified()
        return
    answer.found = task.replayed(ended.lasso, product, answer.ready.automaton, deadline)
    if ended.reason is not None:
        log.warning("the search for a shorter counterexample was not finished (%s)", ended.reason.value)


def _evidence(
    answer: Answer, task: Task, product: _engine.Product, deadline: Deadline, watch: Watch
) -> Evidence | None:
    """Return the certificate of a product that was searched to its end, if one is asked for."""
    if answer.verdict is not Verdict.HOLDS or not task.options.wants_certificate:
        return None
    from buchi.pipeline.certificates.evidence import Evidence  # most checks need none

    assert answer.ready is not None
    with ExitStack() as stack:
        evidence = stack.enter_context(Evidence(task, deadline))
        evidence.take(product, answer.ready.automaton, answer.ready.choice.checker.name, watch)
        stack.pop_all()
    return evidence


def _check_assertions(answer: Answer, task: Task, deadline: Deadline, watch: Watch) -> None:
    """Look for an assertion that fails in states that the automaton kept a search from."""
    assert answer.ready is not None
    assert answer.ended is not None
    asserts = bool(task.model.loaded.model.assertions)
    if answer.ended.reason is None and asserts and not answer.ready.automaton.goes_everywhere:
        ended = task.assertions(deadline, watch)
        if ended.reason is not None or ended.found is not None:
            answer.ended, answer.found = ended, ended.found


def _searched(answer: Answer, task: Task, deadline: Deadline, watch: Watch) -> tuple[_engine.Product, Ended]:
    """Return the product and how the search of it ended."""
    assert answer.ready is not None
    answer.reduced = task.options.reduce is Reduce.ON
    automaton, checker = answer.ready.automaton, answer.ready.choice.checker
    product = task.product(automaton)
    ended = _first_look(answer, task, product, deadline, watch)
    if ended is not None:
        return product, ended
    better = _Better(task)
    ended = task.search(product, automaton, checker, deadline, watch, asked=better.asked())
    if not better.found:
        answer.not_reduced = better.why_not
        return product, ended
    del product  # its memory may be needed
    task, answer.reduced = task.reduced(), True
    product = task.product(automaton)
    return product, task.search(product, automaton, checker, deadline, watch)


class _Better:
    """Is it better to search a part of the model than to go on with all of it?"""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.found = False
        self.why_not: str | None = None

    def asked(self) -> Asked | None:
        """Return what a search is asked; nothing unless it is to be found out."""
        return Asked(gain.ASKED_AT, self._is_found) if self._task.options.reduce is Reduce.AUTO else None

    def _is_found(self) -> bool:
        kept = self._task.kept
        self.found = kept is not None and gain.pays(self._task.model, kept)
        if not self.found:
            self.why_not = self._task.not_reduced or "not reduced: stubborn sets would save too little"
        return self.found


def _first_look(
    answer: Answer, task: Task, product: _engine.Product, deadline: Deadline, watch: Watch
) -> Ended | None:
    """Look near the start before the check that `auto` chose; return what is found there, or what ended all.

    Who names a checker gets that checker and nothing else. One for terminal automata begins near the start by itself.
    """
    assert answer.ready is not None
    automaton, choice = answer.ready.automaton, answer.ready.choice
    is_terminal = choice.checker.accepts.strength is Strength.TERMINAL
    if choice.why is None or is_terminal or Look.accepts.refusal(automaton.table) is not None:
        return None
    takes_reach = Reach.accepts.refusal(automaton.table, total=task.stutter) is None
    near, look = (task.bounded(LOOKED_AT), Reach()) if takes_reach else (task, Look())
    ended = near.search(product, automaton, look, deadline, watch)
    if ended.lasso is not None:
        answer.ready = Ready(automaton, replace(choice, why=f"{choice.why}; a first look was enough"))
    elif ended.reason in (None, Reason.STATES):
        return None
    return ended
