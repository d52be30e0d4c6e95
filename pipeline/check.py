"""Checks a model against a property: translate, choose a checker, search the product, replay."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from buchi import _engine
from buchi.checkers.declaration import AnyChecker, Lasso
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.pipeline import search
from buchi.pipeline.dispatch import choose_checker
from buchi.pipeline.faults import faults_of
from buchi.pipeline.loading import load_model
from buchi.pipeline.options import CheckOptions, Deadlock, Overflow
from buchi.pipeline.product import build_model, build_product
from buchi.pipeline.properties import Forbidden, Form, automaton_kind, forbidden_by, kind_to_check, to_form
from buchi.pipeline.replay import Run, replay
from buchi.pipeline.search import Deadline, Ended, Watch, nobody
from buchi.schemas.automaton import Automaton
from buchi.schemas.errors import InputError, LimitReached
from buchi.schemas.kinds import Kind
from buchi.schemas.result import AutomatonSize, CheckResult, Counterexample, Reason, Verdict
from buchi.schemas.table import table

log = logging.getLogger(__name__)


@dataclass
class _Progress:
    """What is known so far, so that an end before time can tell it."""

    kind: Kind
    form: Form | None = None
    checker: AnyChecker | None = None
    ended: Ended = field(default_factory=lambda: Ended(None))


def check(
    model: Path | str,
    *,
    ltl: str | None = None,
    automaton: Path | str | None = None,
    options: CheckOptions | None = None,
    watch: Watch = nobody,
) -> CheckResult:
    """Check the model in a file.

    The property is the formula `ltl`, or that no run is accepted by the `automaton` in a HOA file, or else by
    the property process of the model. Raises InputError for bad input; a limit or Ctrl-C gives `unknown`.
    """
    options = options or CheckOptions()
    if options.workers != 1:
        raise InputError(
            f"--workers {options.workers}: no installed checker searches with several threads yet"
        )
    started, known = time.monotonic(), _Progress(automaton_kind(options.via) or Kind.TGBA)
    try:
        return _check(Path(model), ltl, Path(automaton) if automaton else None, options, watch, known)
    except LimitReached as limit:
        reason = _reason(limit)
        log.info("ended early: %s", limit.reason)
    except KeyboardInterrupt:
        reason = Reason.INTERRUPTED
    except MemoryError:
        reason = Reason.MEMORY
    seconds = known.ended.seconds or time.monotonic() - started
    return _result(known, replace(known.ended, reason=reason, seconds=seconds), None)


def _reason(limit: LimitReached) -> Reason:
    """Return what kind of limit ended a translation, whose message says more."""
    return next((reason for reason in Reason if reason.value in limit.reason), Reason.MEMORY)


def _check(
    path: Path, ltl: str | None, hoa: Path | None, options: CheckOptions, watch: Watch, known: _Progress
) -> CheckResult:
    deadline = Deadline(options.limits.seconds)
    loaded = load_model(path, overflow_is_error=options.overflow is Overflow.ERROR)
    forbidden = forbidden_by(ltl, hoa, loaded, str(path))
    known.kind = kind_to_check(forbidden.value, automaton_kind(options.via))
    form = to_form(forbidden.value, known.kind, options.limits, deadline)
    known.form, automaton = form, table(form)
    known.checker = choose_checker(options.checker, automaton)
    product = _product(loaded, automaton, forbidden, options)
    with faults_of(loaded.model, automaton.propositions):
        ended = search.check(product, automaton, known.checker, options.limits, deadline, watch)
    known.ended = ended
    found = None if ended.lasso is None else _replayed(ended.lasso, product, loaded, forbidden, options)
    return _result(known, ended, found)


def _product(
    loaded: Loaded, automaton: Automaton, forbidden: Forbidden, options: CheckOptions
) -> _engine.Product:
    engine = build_model(loaded.model, options.backend)
    stutter = options.deadlock is Deadlock.STUTTER
    return build_product(
        loaded.model, engine, automaton, forbidden.meanings, stutter=stutter, seed=options.seed
    )


def _replayed(
    lasso: Lasso, product: _engine.Product, loaded: Loaded, forbidden: Forbidden, options: CheckOptions
) -> Counterexample:
    run = Run(
        [product.model_state(state) for state in lasso.prefix],
        [product.model_state(state) for state in lasso.cycle],
    )
    stutter = options.deadlock is Deadlock.STUTTER
    return replay(run, Evaluator(loaded.model), forbidden.meanings, forbidden.judge, stutter=stutter)


def _result(known: _Progress, ended: Ended, found: Counterexample | None) -> CheckResult:
    return CheckResult(
        verdict=_verdict(ended, found),
        kind=known.kind.value,
        checker=known.checker.name if known.checker else None,
        workers=1,
        automaton=_size(known.form) if known.form else None,
        states=ended.states,
        transitions=ended.transitions,
        post_calls=ended.post_calls,
        max_depth=ended.max_depth,
        seconds=ended.seconds,
        bytes=ended.bytes,
        reason=ended.reason,
        counterexample=found,
    )


def _verdict(ended: Ended, found: Counterexample | None) -> Verdict:
    if found is not None:
        return Verdict.VIOLATED
    return Verdict.HOLDS if ended.reason is None else Verdict.UNKNOWN


def _size(form: Form) -> AutomatonSize:
    """Return the size of an automaton as its own kind counts it; only the acceptance is that of its table."""
    automaton = table(form)
    return AutomatonSize(
        states=form.states, edges=len(form.edges), sets=automaton.sets, pairs=len(automaton.acceptance)
    )
