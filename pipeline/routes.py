"""Routes: forms are the nodes, translators the edges of a graph; a route is a cheapest path through it."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from buchi.common.errors import InputError, nearest
from buchi.pipeline import configuration, registry
from buchi.pipeline.translation import NO_LIMITS, Limits, translate
from buchi.schemas.kinds import Kind
from buchi.translators.translator import Options, Translator

Route = tuple[Translator, ...]


@dataclass(frozen=True)
class Stage:
    """A step of a route that was taken; `seconds` includes the validation of the result."""

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


def find_route(
    source: Kind, target: Kind, through: Sequence[str] = (), known: Mapping[str, Translator] | None = None
) -> Route:
    """Return the cheapest chain from one kind to another that passes `through` kinds or translators, in order."""
    known = translators() if known is None else known
    route: list[Translator] = []
    here = source
    for name in through:
        if name in known:
            route += [*_cheapest(here, known[name].source, known), known[name]]
        else:
            route += _cheapest(here, _kind(name, known), known)
        here = route[-1].target if route else here
    return (*route, *_cheapest(here, target, known))


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


def parse_options(texts: Sequence[str], known: Mapping[str, Translator]) -> dict[str, Options]:
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
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        known = ", ".join(translator.options.model_fields) or "none"
        raise InputError(
            f"the option {field} of {translator.name}: {first['msg'].lower()}",
            suggestion=f"its options: {known}",
        ) from None


def take(
    value: Any,
    route: Route,
    options: Mapping[str, Options] | None = None,
    limits: Limits = NO_LIMITS,
    *,
    apart: bool = False,
) -> Iterator[Stage]:
    """Run the translators one after the other, each on the validated result of the one before.

    `apart` if the end of one that reaches a limit must not be that of this process.
    """
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    for translator in route:
        start = time.perf_counter()
        rest = limits if end is None else limits._replace(seconds=max(0.0, end - time.monotonic()))
        value = translate(translator, value, (options or {}).get(translator.name), rest, apart=apart)
        yield Stage(translator.name, value, time.perf_counter() - start)
