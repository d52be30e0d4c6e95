"""From the words of the command line to the typed options of the pipeline."""

from __future__ import annotations

import re
from enum import Enum
from typing import TypeVar

from buchi.models.backends import Backend
from buchi.pipeline.dispatch import AUTO
from buchi.pipeline.memory import parse_size
from buchi.pipeline.options import CheckOptions, Deadlock, ExploreOptions, Overflow
from buchi.schemas.errors import InputError, nearest
from buchi.schemas.result import Limits

Choice = TypeVar("Choice", bound=Enum)


def limits(timeout: float | None, max_states: int | None, max_memory: str | None) -> Limits:
    """Return the limits of a run."""
    _check_positive("--timeout", timeout)
    _check_positive("--max-states", max_states)
    size = None if max_memory is None else parse_size(max_memory)
    return Limits(seconds=timeout, states=max_states, bytes=size)


def _check_positive(option: str, value: float | None) -> None:
    if value is not None and not value > 0:
        raise InputError(f"{option} must be more than 0, not {value:g}")


def explore_options(backend: str, overflow: str, within: Limits) -> ExploreOptions:
    """Return the options of an exploration."""
    return ExploreOptions(
        backend=_choice(Backend, "--backend", backend),
        overflow=_choice(Overflow, "--overflow", overflow),
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
        via=via,
        checker=checker,
        deadlock=_choice(Deadlock, "--deadlock", deadlock),
        seed=parse_order(order),
        workers=workers,
    )


def output_form(json: bool, csv: bool) -> str:
    """Return how to print a comparison."""
    if json and csv:
        raise InputError("--json and --csv exclude each other")
    return "json" if json else "csv" if csv else "text"


def checker_name(checker: str, shortest: bool) -> str:
    """Return the checker that two options ask for together."""
    if not shortest or checker == SHORTEST:
        return checker
    if checker != AUTO:
        raise InputError(f"--shortest is a search of its own: it excludes --checker {checker}")
    return SHORTEST


def _choice(choices: type[Choice], option: str, text: str) -> Choice:
    """Return the member of an enumeration that `text` names."""
    try:
        return choices(text)
    except ValueError:
        known = [str(choice.value) for choice in choices]
        hint = nearest(text, known) or f"it is one of {', '.join(known)}"
        raise InputError(f"{option} {text} is not a choice", suggestion=hint) from None


def parse_order(text: str) -> int | None:
    """Return the seed of `random:SEED`, None for the order of the model."""
    if text == "model":
        return None
    match = re.fullmatch(r"random:(\d+)", text)
    if match is None or int(match[1]) >= 1 << 64:
        raise InputError(
            f"--order {text} is not an order", suggestion="give `model` or `random:SEED`, such as random:7"
        )
    return int(match[1])
