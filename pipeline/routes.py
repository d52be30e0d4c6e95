"""From one kind to another: kinds are the nodes, translators the edges of a graph; a chain is a path through it."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from buchi.common.complaints import Complaint
from buchi.common.ends import Limits
from buchi.common.errors import InputError, nearest
from buchi.pipeline import configuration, registry
from buchi.pipeline.translation import NO_LIMITS, translate
from buchi.schemas.kinds import Kind
from buchi.translators.translator import Options, Translator


@dataclass(frozen=True)
class Link:
    """A translator, and the options to run it with."""

    translator: Translator
    options: Options

    def __str__(self) -> str:
        chosen = self.options.model_dump(mode="json", exclude_defaults=True)
        return " ".join([self.translator.name, *(f"{name}={value}" for name, value in chosen.items())])


Chain = tuple[Link, ...]


@dataclass(frozen=True)
class Wishes:
    """What is asked of a chain: kinds or translators to pass through, in order, and options of translators."""

    through: tuple[str, ...] = ()
    options: Mapping[str, Options] = field(default_factory=dict)

    @classmethod
    def of(cls, through: Sequence[str], options: Sequence[str] = ()) -> Wishes:
        """Return what names, and texts such as `tgra-tfla.method=literal`, ask for. Raises InputError."""
        return cls(tuple(through), _parse_options(options, translators()) if options else {})


NO_WISHES = Wishes()


@dataclass(frozen=True)
class Stage:
    """A link of a chain that was taken; `seconds` includes the validation of the result."""

    translator: str
    value: Any
    seconds: float


def translators() -> dict[str, Translator]:
    """Return all translators by name: those installed, then those of the user's configuration."""
    found: dict[str, Translator] = dict(registry.translators())
    for name, translator in configuration.external_translators().items():
        if name in found:
            raise InputError(f"the configuration declares a translator {name}, which is the name of another")
        found[name] = translator
    return found


def find_chain(
    source: Kind,
    target: Kind,
    wishes: Wishes = NO_WISHES,
    known: Mapping[str, Translator] | None = None,
) -> Chain:
    """Return the cheapest chain from one kind to another that is as wished. Raises InputError."""
    known = translators() if known is None else known
    path: list[Translator] = []
    here = source
    for name in wishes.through:
        if name in known:
            path += [*_cheapest(here, known[name].source, known), known[name]]
        else:
            path += _cheapest(here, _kind(name, known), known)
        here = path[-1].target if path else here
    path += _cheapest(here, target, known)
    return tuple(Link(t, wishes.options.get(t.name) or t.options()) for t in path)


def _kind(name: str, known: Mapping[str, Translator]) -> Kind:
    kinds = [kind.value for kind in Kind]
    if name in kinds:
        return Kind(name)
    close = nearest(name, [*kinds, *known]) or f"translators: {', '.join(known)}"
    raise InputError(f"{name!r} is neither a kind of automaton nor a translator", suggestion=close)


def _cheapest(source: Kind, target: Kind, known: Mapping[str, Translator]) -> list[Translator]:
    """Dijkstra's algorithm; equal costs are decided by the order of registration."""
    queue: list[tuple[int, tuple[int, ...], Kind]] = [(0, (), source)]
    order = list(known.values())
    done: set[Kind] = set()
    while queue:
        cost, path, here = heapq.heappop(queue)
        if here is target:
            return [order[i] for i in path]
        if here in done:
            continue
        done.add(here)
        for i, translator in enumerate(order):
            if translator.source is here and translator.target not in done:
                heapq.heappush(queue, (cost + _cost(translator), (*path, i), translator.target))
    raise InputError(_no_way(source, target, known.values()))


def _cost(translator: Translator) -> int:
    """Embeddings that change nothing cost more, so that a route that does some work is preferred."""
    return int(getattr(translator, "cost", 1))


def _no_way(source: Kind, target: Kind, known: Iterable[Translator]) -> str:
    into = sorted({translator.source.value for translator in known if translator.target is target})
    hint = f"; {target} can be made from {', '.join(into)}" if into else ""
    return f"no translators lead from {source} to {target}{hint}"


def _parse_options(texts: Sequence[str], known: Mapping[str, Translator]) -> dict[str, Options]:
    """Return the options of each translator named in texts such as `tgra-tfla.method=literal`."""
    fields: dict[str, dict[str, str]] = {}
    for text in texts:
        path, equals, value = text.partition("=")
        name, dot, field = path.rpartition(".")
        if not (equals and dot):
            raise InputError(f"the option {text!r} is not of the form TRANSLATOR.NAME=VALUE")
        if name not in known:
            raise InputError(f"there is no translator {name!r}", suggestion=nearest(name, known))
        fields.setdefault(name, {})[field] = value
    return {name: _typed(known[name], given) for name, given in fields.items()}


def _typed(translator: Translator, given: dict[str, str]) -> Options:
    try:
        return translator.options.model_validate(given)
    except ValidationError as error:
        where, what = Complaint.of(error)
        known = ", ".join(translator.options.model_fields) or "none"
        raise InputError(
            f"the option {where} of {translator.name}: {what.lower()}", suggestion=f"its options: {known}"
        ) from None


def take(value: Any, chain: Chain, limits: Limits = NO_LIMITS, *, apart: bool = False) -> Iterator[Stage]:
    """Run the translators one after the other, each on the validated result of the one before.

    `apart` if the end of one that reaches a limit must not be that of this process.
    """
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    for link in chain:
        start = time.perf_counter()
        rest = limits if end is None else limits._replace(seconds=max(0.0, end - time.monotonic()))
        value = translate(link.translator, value, link.options, rest, apart=apart)
        yield Stage(link.translator.name, value, time.perf_counter() - start)


def convert(value: Any, target: Kind, wishes: Wishes = NO_WISHES, limits: Limits = NO_LIMITS) -> Any:
    """Return what becomes of a value in the cheapest chain to a kind. Raises InputError and LimitReached."""
    for stage in take(value, find_chain(value.kind, target, wishes), limits):
        value = stage.value
    return value
