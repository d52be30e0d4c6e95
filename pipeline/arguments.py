"""From the words of the command line, or the arguments of the functions, to the typed options of the pipeline."""

from __future__ import annotations

import re
from enum import Enum
from typing import TypeVar

from buchi.common.ends import Limits
from buchi.common.errors import InputError, nearest
from buchi.common.option_names import option
from buchi.models.backends import Backend
from buchi.pipeline.memory import parse_size
from buchi.pipeline.options import AUTO, MOST_WORKERS, CheckOptions, Deadlock, ExploreOptions, Overflow
from buchi.schemas.kinds import automaton_kind

Choice = TypeVar("Choice", bound=Enum)


MOST_SECONDS = 10**9
"""About thirty years."""
MOST_STATES = 10**18


def limits(timeout: float | None, max_states: int | None, max_memory: str | int | None) -> Limits:
    """Return the limits of a run; a size is a number of bytes, or a text such as 2GiB."""
    check_timeout(timeout)
    _check_within("max_states", max_states, MOST_STATES)
    return Limits(seconds=timeout, states=max_states, bytes=None if max_memory is None else _size(max_memory))


def check_timeout(timeout: float | None) -> None:
    """Refuse a time that no clock could keep. Raises InputError."""
    _check_within("timeout", timeout, MOST_SECONDS)


def _check_within(name: str, value: float | None, most: int) -> None:
    if value is not None and not 0 < value <= most:  # no number at all (nan) is in no range
        raise InputError(
            f"{option(name)} must be more than 0 and at most {most:,}", suggestion="leave it out for no limit"
        )


def _size(wanted: str | int) -> int:
    try:
        return parse_size(wanted)
    except InputError as error:
        raise InputError(f"{option('max_memory')}: {error.message}", suggestion=error.suggestion) from None


def explore_options(backend: str, overflow: str, within: Limits) -> ExploreOptions:
    """Return the options of an exploration."""
    return ExploreOptions(
        backend=_choice(Backend, "backend", backend),
        overflow=_choice(Overflow, "overflow", overflow),
        limits=within,
    )


SHORTEST = "shortest"
"""The checker that gives a shortest counterexample."""


def check_options(
    common: ExploreOptions, via: str | None, checker: str, deadlock: str, order: str, workers: int
) -> CheckOptions:
    """Return the options of a check."""
    return CheckOptions(
        backend=common.backend,
        overflow=common.overflow,
        limits=common.limits,
        via=None if via is None else automaton_kind(via, option("via", via)),
        checker=checker,
        deadlock=_choice(Deadlock, "deadlock", deadlock),
        seed=parse_order(order),
        workers=_workers(workers),
    )


def _workers(count: int) -> int:
    if not 1 <= count <= MOST_WORKERS:
        raise InputError(f"{option('workers', count)} is not a number from 1 to {MOST_WORKERS}")
    return count


def checker_name(checker: str, shortest: bool) -> str:
    """Return the checker that two options ask for together."""
    if not shortest or checker == SHORTEST:
        return checker
    if checker != AUTO:
        raise InputError(
            f"{option('shortest')} is a search of its own: it excludes {option('checker', checker)}"
        )
    return SHORTEST


def _choice(choices: type[Choice], name: str, text: str) -> Choice:
    """Return the member of an enumeration that `text` names."""
    try:
        return choices(text)
    except ValueError:
        known = [str(choice.value) for choice in choices]
        hint = nearest(text, known) or f"it is one of {', '.join(known)}"
        raise InputError(f"{option(name, text)} is not a choice", suggestion=hint) from None


MOST_SEED = (1 << 64) - 1


def parse_order(text: str) -> int | None:
    """Return the seed of `random:SEED`, None for the order of the model."""
    if text == "model":
        return None
    match = re.fullmatch(r"random:(\d{1,20})", text, re.ASCII)
    if match is None or int(match[1]) > MOST_SEED:
        raise InputError(
            f"{option('order', text)} is not an order",
            suggestion=f"give `model` or `random:SEED`, such as random:7; the greatest seed is {MOST_SEED}",
        )
    return int(match[1])
