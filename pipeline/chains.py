"""Chains of translators from what is forbidden to automata of every kind, each stage translated once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, get_args, get_origin

from buchi.common.ends import Limits
from buchi.common.errors import InputError, LimitReached
from buchi.pipeline import isolation, routes, translation
from buchi.pipeline.routes import Chain, Link
from buchi.schemas.kinds import AUTOMATA, Kind
from buchi.translators.translator import Options, Translator


def cheapest_chains(source: Kind) -> Iterator[tuple[Kind, Chain | str]]:
    """Yield for each kind the cheapest chain, or why there is none."""
    for kind in AUTOMATA:
        try:
            yield kind, routes.find_chain(source, kind)
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
    passed = {link.translator.source for link in before} | {here}
    for translator in known.values():
        if translator.source is here and translator.target not in passed:
            yield from _paths(
                translator.target, target, known, (*before, Link(translator, translator.options()))
            )


def _varied(chain: Chain) -> Iterator[Chain]:
    yield chain
    for i, link in enumerate(chain):
        for name, value in _choices(link.translator.options):
            varied = Link(link.translator, link.translator.options.model_validate({name: value}))
            yield (*chain[:i], varied, *chain[i + 1 :])


def _choices(options: type[Options]) -> Iterator[tuple[str, str]]:
    """Yield every value, other than the default, of options that list their values."""
    for name, declared in options.model_fields.items():
        if get_origin(declared.annotation) is Literal:
            values = get_args(declared.annotation)
            yield from ((name, value) for value in values if value != declared.default)


class Translations:
    """Takes chains; the stages that they share are translated once. `limits` hold for each stage.

    One child translates them all, one when it is asked for: only where a stage reaches a limit is there a new child.
    """

    def __init__(self, value: Any, limits: Limits, chains: Iterable[Chain]) -> None:
        self._value = value
        self._limits = limits
        self._known: dict[Chain, Any] = {}
        stages = dict.fromkeys(chain[: i + 1] for chain in chains for i in range(len(chain)))
        self._numbers = {stage: number for number, stage in enumerate(stages)}
        self._calls = isolation.Calls([partial(self._stage, stage) for stage in stages])

    def of(self, chain: Chain) -> Any:
        """Return the value at the end of a chain. Raises InputError or LimitReached."""
        if not chain:
            return self._value
        if chain not in self._known:
            self._known[chain] = self._translated(chain)
        known = self._known[chain]
        if isinstance(known, Exception):
            raise known
        return known

    def _translated(self, chain: Chain) -> Any:
        try:
            self.of(chain[:-1])
            return translation.in_child(partial(self._calls, self._numbers[chain]), self._limits)
        except InputError as error:
            return error
        except LimitReached as error:
            self._calls.close()  # its memory may be in pieces
            return error

    def _stage(self, chain: Chain) -> Any:
        """Translate a stage, in the child: it has the one before, from its parent or from itself."""
        link, before = chain[-1], chain[:-1]
        value = self._known[before] if before else self._value
        made = translation.limited(link.translator, value, link.options, self._limits)
        self._known[chain] = made
        return made

    def close(self) -> None:
        """End the child."""
        self._calls.close()
