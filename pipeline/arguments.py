"""From the words of the command line, or the arguments of the functions, to the typed options of the pipeline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from random import randrange
from typing import TypeVar

from buchi.common.ends import Limits
from buchi.common.errors import InputError, nearest
from buchi.common.option_names import option
from buchi.models.backends import Backend
from buchi.pipeline.loading import Given
from buchi.pipeline.memory import parse_size
from buchi.pipeline.options import (
    AUTO,
    AUTO_SHORTEST,
    MOST_WORKERS,
    Apart,
    CheckOptions,
    Deadlock,
    ExploreOptions,
    Fair,
    FairBy,
    FairTo,
    Overflow,
    Pairs,
    Reduce,
)
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


def given(model: str, words: Sequence[str] | None) -> str | Given:
    """Return a model with the constants of words such as N=4; without any, as it is."""
    constants: dict[str, int] = {}
    for word in words or ():
        name, _, value = (part.strip() for part in word.partition("="))
        if not name or not re.fullmatch(r"[+-]?\d{1,10}", value, re.ASCII):
            raise InputError(
                f"{option('define', word)} gives no constant a value",
                suggestion="write NAME=NUMBER, such as N=4",
            )
        if name in constants:
            raise InputError(f"{option('define', word)} gives {name} a second value")
        constants[name] = int(value)
    return Given(Path(model), tuple(constants.items())) if constants else model


def explore_options(
    backend: str,
    overflow: str,
    within: Limits,
    threads: int | str = 1,
    coverage: bool = False,
    reduce: str | None = None,
) -> ExploreOptions:
    """Return the options of an exploration."""
    if coverage and reduce == Reduce.ON.value:
        raise InputError(f"{option('coverage')} is of all states, and {option('reduce')} leaves some out")
    return ExploreOptions(
        backend=_choice(Backend, "backend", backend),
        overflow=_choice(Overflow, "overflow", overflow),
        limits=within,
        workers=workers(threads),
        coverage=coverage,
        reduce=Reduce.OFF if reduce is None else _choice(Reduce, "reduce", reduce),
    )


SHORTEST = "shortest"
"""The checker that gives a shortest counterexample."""


def check_options(
    common: ExploreOptions,
    via: str | None,
    checker: str,
    deadlock: str,
    order: str,
    team: int | str,
    pairs: str = Pairs.ONE_BY_ONE.value,
    fair: Sequence[str] = (),
    fair_by: str = FairBy.PROCESS.value,
    ends: str | None = None,
) -> CheckOptions:
    """Return the options of a check."""
    return CheckOptions(
        backend=common.backend,
        overflow=common.overflow,
        limits=common.limits,
        coverage=common.coverage,
        reduce=common.reduce,
        via=None if via is None else automaton_kind(via, option("via", via)),
        checker=checker,
        deadlock=_choice(Deadlock, "deadlock", deadlock),
        seed=parse_order(order),
        workers=workers(team),
        pairs=_choice(Pairs, "pairs", pairs),
        fair=tuple(map(fair_to, fair)),
        fair_by=_choice(FairBy, "fair_by", fair_by),
        ends=ends,
    )


def with_certificate(
    options: CheckOptions, certified: bool, certificate: str | Path | None = None, apart: Apart | None = None
) -> CheckOptions:
    """Return options by which a `holds` is certified, or its certificate kept; `auto` then reduces nothing."""
    if apart is not None and (certified or certificate is not None):
        raise InputError(
            f"a certificate is of one search, and {option('race')}, {option('isolate')} or {option('executor')} "
            "has several",
            suggestion="leave them out",
        )
    if not certified and certificate is None:
        return options
    whole = Reduce.OFF if options.reduce is Reduce.AUTO else options.reduce  # it proves more
    file = None if certificate is None else Path(certificate)
    return replace(options, certified=certified, certificate=file, reduce=whole)


def ends(deadlock_free: bool, end: str | None, deadlock: str) -> str | None:
    """Return where the model may end; None where that is not the question."""
    if not deadlock_free and end is None:
        return None
    asked = option("deadlock_free") if end is None else option("end", end)
    if deadlock == Deadlock.DROP.value:
        raise InputError(f"{asked} asks for runs that end: {option('deadlock', deadlock)} leaves them out")
    return "false" if end is None else end


def fair_to(text: str) -> FairTo:
    """Return what `weak`, `strong:P` or `weak:P,Q` asks for."""
    strength, colon, names = text.partition(":")
    listed = tuple(name.strip() for name in names.split(",")) if colon else ()
    if not all(listed):
        raise InputError(
            f"{option('fair', text)} names nothing",
            suggestion=f"give {strength} for all, or {strength}:P,Q for some",
        )
    return FairTo(_choice(Fair, "fair", strength), listed)


def workers(wanted: int | str, name: str = "workers") -> int:
    """Return how many threads search: a number, or `auto` for the cores that this process may use."""
    if wanted == AUTO:
        from buchi.pipeline.cores import cores

        return min(cores(), MOST_WORKERS)
    number = _number(wanted)
    if number is None or not 1 <= number <= MOST_WORKERS:
        raise InputError(f"{option(name, wanted)} is not a number from 1 to {MOST_WORKERS}, or {AUTO}")
    return number


def reduce(wanted: str | None, checker: str) -> str:
    """Return whether to search less than all where nothing is said: who names a checker gets that and nothing else."""
    if wanted is not None:
        return wanted
    return Reduce.AUTO.value if checker == AUTO else Reduce.OFF.value


def apart(race: bool, isolate: bool, executor: str) -> Apart | None:
    """Return which processes a check has besides its own; None if it has none."""
    is_here = executor == "local"
    return Apart(race=race, executor=executor) if race or isolate or not is_here else None


def threads(wanted: int | str | None, apart: Apart | None) -> int:
    """Return how many threads a check has where nothing is said: one, or in a race on this machine all there are."""
    if wanted is not None:
        return workers(wanted)
    return workers(AUTO) if apart is not None and apart.race and apart.executor == "local" else 1


def jobs(wanted: int | str | None, isolate: bool) -> int | None:
    """Return how many processes work at a time; None if all is done in one."""
    if wanted is None:
        return 1 if isolate else None
    return workers(wanted, "jobs")


def _number(wanted: int | str) -> int | None:
    if isinstance(wanted, int):
        return wanted
    return int(wanted) if re.fullmatch(r"\d{1,9}", wanted, re.ASCII) else None


def checker_name(checker: str, shortest: bool) -> str:
    """Return the checker that two options ask for together."""
    if not shortest or checker == SHORTEST:
        return checker
    if checker != AUTO:
        raise InputError(
            f"{option('shortest')} is a search of its own: it excludes {option('checker', checker)}"
        )
    return AUTO_SHORTEST


def _choice(choices: type[Choice], name: str, text: str) -> Choice:
    """Return the member of an enumeration that `text` names."""
    try:
        return choices(text)
    except ValueError:
        known = [str(choice.value) for choice in choices]
        hint = nearest(text, known) or f"it is one of {', '.join(known)}"
        raise InputError(f"{option(name, text)} is not a choice", suggestion=hint) from None


SECONDS_TO_DRAW = 60.0
"""For the translation of a formula whose product is drawn."""


def drawing(via: str | None, deadlock: str, overflow: str) -> CheckOptions:
    """Return the options of a picture; what is drawn is too small to be compiled for."""
    within = Limits(seconds=SECONDS_TO_DRAW)
    common = explore_options(Backend.INTERPRETED.value, overflow, within)
    return check_options(common, via, AUTO, deadlock, "model", 1)


def overflow(text: str) -> Overflow:
    """Return what storing a value that does not fit means."""
    return _choice(Overflow, "overflow", text)


MOST_SEED = (1 << 64) - 1


def seed(wanted: int | None) -> int:
    """Return a seed: the one that is wanted, or else a new one."""
    if wanted is None:
        return randrange(NEW_SEEDS)
    if not 0 <= wanted <= MOST_SEED:
        raise InputError(f"{option('seed', wanted)} is not a seed", suggestion=f"the greatest is {MOST_SEED}")
    return wanted


NEW_SEEDS = 10_000
"""Seeds of which one is taken where none is given: short enough to be typed again."""


def check_position(trace: object, at: int | None) -> None:
    """Refuse a state of a trace where there is no trace. Raises InputError."""
    if trace is None and at is not None:
        raise InputError(
            f"{option('at', at)} is a state of a trace", suggestion=f"give {option('trace')}, too"
        )


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
