"""Checks one model against several properties: one verdict for each, and what they come to together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from buchi.common.ends import Reason
from buchi.common.errors import InputError, InternalError
from buchi.models.frontend import Loaded
from buchi.pipeline import isolation, registry
from buchi.pipeline.fairness import conditions
from buchi.pipeline.loading import ModelLike, load_model, name_of
from buchi.pipeline.options import AUTO, CheckOptions, Overflow
from buchi.pipeline.prepared import Executable
from buchi.pipeline.properties import forbidden_by
from buchi.pipeline.property_files import Wanted
from buchi.pipeline.questions import Answered, Question, Questions, without_answer
from buchi.pipeline.routes import NO_WISHES, Wishes
from buchi.pipeline.search import Deadline
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts, outcome_of

Told: TypeAlias = Callable[[PropertyVerdict], None]
"""Is told each verdict when it is known."""


@dataclass(frozen=True)
class Shared:
    """What holds for all properties: how the model is run, the time of all, how automata are made."""

    options: CheckOptions
    wishes: Wishes = NO_WISHES
    jobs: int = 1
    file: str | None = None
    """Where the properties are from, if they are from a file."""


def check_all(
    model: ModelLike, properties: Sequence[Wanted], shared: Shared, told: Told = lambda verdict: None
) -> Verdicts:
    """Check a model against properties, several at a time if `jobs` says so.

    The time limit of `shared` is that of all together, and its memory is shared by what is done at a time. Raises
    InputError for bad input, before anything is searched; a limit or Ctrl-C gives `unknown`.
    """
    began = time.monotonic()
    asked = _asked(model, properties, shared)
    found: dict[int, PropertyVerdict] = {}
    for answered in asked.answers(min(shared.jobs, len(properties))):
        found[answered.number] = _verdict(properties[answered.number], answered)
        told(found[answered.number])
    for number, wanted in enumerate(properties):
        if number not in found:
            lost = Answered(number, without_answer(wanted.options, Reason.INTERRUPTED))
            found[number] = _verdict(wanted, lost)
            told(found[number])
    verdicts = tuple(found[number] for number in range(len(properties)))
    return Verdicts.of(name_of(model), shared.file, verdicts, time.monotonic() - began)


def _asked(model: ModelLike, properties: Sequence[Wanted], shared: Shared) -> Questions:
    """Read the model and all formulas. Raises InputError."""
    deadline = Deadline(shared.options.limits.seconds)
    options = shared.options.bounded()
    isolation.limit(options.limits.seconds, options.limits.bytes)
    loaded = load_model(model, overflow_is_error=options.overflow is Overflow.ERROR)
    share = max(1, (options.limits.bytes or 1) // shared.jobs)
    asked = [_question(wanted, loaded, name_of(model), share) for wanted in properties]
    executable = Executable(loaded, options.backend)
    _ = executable.engine  # within the limits of all
    isolation.limit(None, None)
    return Questions(executable, asked, shared.wishes, deadline, twice=True)


def _question(wanted: Wanted, loaded: Loaded, model: str, share: int) -> Question:
    """Return what is asked by a property; `share` is the memory that it may take. Raises InputError."""
    limits = wanted.options.limits
    limits = limits._replace(bytes=min(share, limits.bytes or share))
    try:
        if wanted.options.checker != AUTO:
            registry.checker(wanted.options.checker)
        conditions(loaded.model, wanted.options.fair, wanted.options.fair_by)
        forbidden = forbidden_by(wanted.ltl, None, loaded, model)
    except InputError as error:
        raise wanted.wrong(error) from None
    return Question(wanted.name, forbidden, replace(wanted.options, limits=limits))


def _verdict(wanted: Wanted, answered: Answered) -> PropertyVerdict:
    """Return a property with what became of it."""
    result, error = answered.result, answered.error
    if result is not None:
        outcome = outcome_of(result.verdict, wanted.expected)
    else:
        outcome = Outcome.BUG if isinstance(error, InternalError) else Outcome.ERROR
    return PropertyVerdict(
        name=wanted.name,
        ltl=wanted.ltl,
        description=wanted.description,
        line=wanted.place.line if wanted.place else None,
        expected=wanted.expected,
        outcome=outcome,
        error=None if error is None else str(error),
        result=result,
    )
