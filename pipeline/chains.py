"""Chains of translators from what is forbidden to automata of every kind, each stage translated once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin

from buchi.common.errors import InputError, LimitReached
from buchi.pipeline import routes, translation
from buchi.pipeline.search import Deadline
from buchi.schemas.kinds import AUTOMATA, Kind
from buchi.schemas.result import Limits
from buchi.translators.translator import Options, Translator


@dataclass(frozen=True)
class Step:
    """A translator, and the one option of it that is not the default."""

    translator: Translator
    option: tuple[str, str] | None = None

    def __str__(self) -> str:
        return self.translator.name + (f" {self.option[0]}={self.option[1]}" if self.option else "")

    @property
    def options(self) -> Options:
        """The options to run it with."""
        return self.translator.options.model_validate(dict([self.option]) if self.option else {})


Chain = tuple[Step, ...]


def cheapest_chains(source: Kind) -> Iterator[tuple[Kind, Chain | str]]:
    """Yield for each kind the cheapest chain, or why there is none."""
    for kind in AUTOMATA:
        try:
            yield kind, tuple(Step(translator) for translator in routes.find_route(source, kind))
        except InputError as error:
            yield kind, error.message


def all_chains(source: Kind) -> Iterator[tuple[Kind, Chain | str]]:
    """Yield for each kind every chain without detours.

    Each is tried with the default options, and with every other choice for one option at a time.
    """
    known = routes.translators()
    for kind in AUTOMATA:
        found = [varied for plain in _paths(source, kind, known, ()) for varied in _varied(plain)]
        yield from ((kind, chain) for chain in found)
        if not found:
            yield kind, f"no translators lead from {source} to {kind}"


def _paths(here: Kind, target: Kind, known: Mapping[str, Translator], before: Chain) -> Iterator[Chain]:
    if here is target:
        yield before
        return
    passed = {step.translator.source for step in before} | {here}
    for translator in known.values():
        if translator.source is here and translator.target not in passed:
            yield from _paths(translator.target, target, known, (*before, Step(translator)))


def _varied(chain: Chain) -> Iterator[Chain]:
    yield chain
    for i, step in enumerate(chain):
        for option in _choices(step.translator.options):
            yield (*chain[:i], Step(step.translator, option), *chain[i + 1 :])


def _choices(options: type[Options]) -> Iterator[tuple[str, str]]:
    """Yield every value, other than the default, of options that list their values."""
    for name, declared in options.model_fields.items():
        if get_origin(declared.annotation) is Literal:
            values = get_args(declared.annotation)
            yield from ((name, value) for value in values if value != declared.default)


@dataclass
class Translations:
    """Takes chains; the stages that they share are translated once. `limits` hold for each stage."""

    value: Any
    limits: Limits
    _known: dict[Chain, Any] = field(default_factory=dict)

    def of(self, chain: Chain) -> Any:
        """Return the value at the end of a chain. Raises InputError or LimitReached."""
        if not chain:
            return self.value
        if chain not in self._known:
            self._known[chain] = self._translated(chain)
        known = self._known[chain]
        if isinstance(known, Exception):
            raise known
        return known

    def _translated(self, chain: Chain) -> Any:
        try:
            value, step = self.of(chain[:-1]), chain[-1]
            seconds = Deadline(self.limits.seconds).remaining()
            within = translation.Limits(seconds, self.limits.bytes)
            return translation.translate(step.translator, value, step.options, within, apart=True)
        except (InputError, LimitReached) as error:
            return error
