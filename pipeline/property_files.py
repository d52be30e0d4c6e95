"""The properties that are to be checked together: formulas, or those of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from buchi.common.ends import Limits, Verdict
from buchi.common.errors import InputError, Place, nearest
from buchi.common.option_names import option
from buchi.pipeline import isolation
from buchi.pipeline.arguments import fair_to
from buchi.pipeline.chosen_limits import limits_of
from buchi.pipeline.options import CheckOptions, Deadlock, FairBy, FairTo
from buchi.pipeline.yaml_documents import Document, Kind
from buchi.schemas import kinds
from buchi.schemas.properties import Properties, Property

FILE = Kind(Properties, "a file of properties", "the key properties")


@dataclass(frozen=True)
class Wanted:
    """A property as it was given; `place` is that of its formula in a file."""

    name: str
    ltl: str
    options: CheckOptions
    expected: Verdict | None = None
    description: str | None = None
    place: Place | None = None

    def wrong(self, error: InputError) -> InputError:
        """Return an error of its formula with the place in the file, if it has one."""
        if self.place is None:
            return error
        column = error.place.column if error.place else None
        at = f" (column {column} of the formula)" if column else ""
        return InputError(f"{self.name}: {error.message}{at}", self.place, error.suggestion)


def given(
    formulas: Mapping[str, str] | Sequence[str],
    file: Path | str | None,
    only: Sequence[str],
    options: CheckOptions,
) -> tuple[Wanted, ...]:
    """Return the properties that are given: formulas, or a file, or some of it. Raises InputError."""
    if file is not None:
        if formulas:
            raise InputError(f"{option('ltl')} and {option('properties')} exclude each other")
        return _by_file(file, only, options)
    if isinstance(formulas, str) or not formulas:
        raise InputError(f"{option('ltl')} is no list of formulas", suggestion=f"give {option('properties')}")
    if only:
        raise InputError(f"{option('only')} belongs to {option('properties')}")
    return _by_formulas(formulas, options)


def _by_formulas(formulas: Mapping[str, str] | Sequence[str], options: CheckOptions) -> tuple[Wanted, ...]:
    """Return formulas as properties, each by its name or else by itself. Raises InputError."""
    if isinstance(formulas, Mapping):
        return tuple(Wanted(name, ltl, options) for name, ltl in formulas.items())
    for ltl, number in Counter(formulas).items():
        if number > 1:
            raise InputError(f"{option('ltl', ltl)} is given twice")
    return tuple(Wanted(ltl, ltl, options) for ltl in formulas)


def _by_file(file: Path | str, only: Sequence[str], options: CheckOptions) -> tuple[Wanted, ...]:
    """Return the properties of a file, or those with some names. Raises InputError."""
    isolation.stage(f"reading {file}", reads=True)
    document = FILE.read(file)
    found = document.value.named()
    for name in only:
        if name not in found:
            hint = nearest(name, found) or f"there are {', '.join(list(found)[:20])}"
            raise InputError(f"there is no property {name}", Place(str(file)), hint)
    return tuple(_wanted(document, name, found[name], options) for name in dict.fromkeys(only or found))


def _wanted(document: Document[Properties], name: str, given: Property, options: CheckOptions) -> Wanted:
    """Return a property of a file: what it says itself goes before what is said for all."""
    own = limits_of(given.limits, document, "properties", name, "limits")
    how = replace(
        options,
        via=kinds.Kind(given.via) if given.via else options.via,
        checker=given.checker or options.checker,
        deadlock=Deadlock(given.deadlock) if given.deadlock else options.deadlock,
        fair=options.fair if given.fair is None else _fair(document, name, given.fair),
        fair_by=FairBy(given.fair_by) if given.fair_by else options.fair_by,
        limits=_within(own, options.limits),
    )
    place = document.place("properties", name, "ltl")
    return Wanted(name, given.ltl, how, given.expect and Verdict(given.expect), given.description, place)


def _fair(document: Document[Properties], name: str, wanted: Sequence[str]) -> tuple[FairTo, ...]:
    try:
        return tuple(map(fair_to, wanted))
    except InputError as error:
        where = ("properties", name, "fair")
        raise document.error(error.message, *where, suggestion=error.suggestion) from None


def _within(own: Limits, whole: Limits) -> Limits:
    """Return the limits of a property: its own, within those of all. The time of all is that of no single one."""
    states = [number for number in (own.states, whole.states) if number is not None]
    sizes = [number for number in (own.bytes, whole.bytes) if number is not None]
    return Limits(own.seconds, min(states, default=None), min(sizes, default=None))
