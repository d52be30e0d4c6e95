"""The routes of an experiment, with every name checked before anything runs; `all-applicable` written out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import ValidationError

from buchi.checkers.declaration import AnyChecker
from buchi.common.complaints import Complaint
from buchi.common.errors import InputError, nearest
from buchi.pipeline import arguments, registry, routes
from buchi.pipeline.experiments.reading import Document
from buchi.pipeline.experiments.run import Route
from buchi.pipeline.options import AUTO, MOST_WORKERS
from buchi.schemas.automaton import Letter
from buchi.schemas.experiment import ALL_APPLICABLE, KINDS, RouteChoice
from buchi.schemas.kinds import Kind

_LETTERS = {Kind.SLBA: Letter.DESTINATION, Kind.TA: Letter.CHANGE}


def routes_of(document: Document) -> list[Route]:
    """Return the routes. Raises InputError with the place of a name that is not known."""
    given = document.experiment.routes
    if isinstance(given, str):
        return list(_expanded(RouteChoice(kind=ALL_APPLICABLE, checker=ALL_APPLICABLE), 1))
    found: dict[str, Route] = {}
    for i, choice in enumerate(given):
        checked = _checked(choice, document, i)
        for route in _expanded(checked, _workers(checked, document, i)):
            same = found.setdefault(route.name, route)
            if replace(same, optional=route.optional) != route:
                message = f"another route is called {route.name}, and tables could not tell them apart"
                raise document.error(message, "routes", i, "name", suggestion="give each a name of its own")
            found[route.name] = replace(route, optional=same.optional and route.optional)
    return list(found.values())


def _checked(choice: RouteChoice | str, document: Document, index: int) -> RouteChoice:
    where = ("routes", index)
    if isinstance(choice, str):
        choice = _from_text(choice, document, index)
    known = [AUTO, ALL_APPLICABLE, *registry.checkers()]
    if choice.checker not in known:
        suggestion = nearest(choice.checker, known) or f"checkers: {', '.join(known)}"
        raise document.error(
            f"there is no checker {choice.checker}", *where, "checker", suggestion=suggestion
        )
    _check_translators(choice, document, index)
    return choice


def _workers(choice: RouteChoice, document: Document, index: int) -> int:
    """Return how many workers each run has; `auto` is what this machine has."""
    where = ("routes", index, "workers")
    try:
        count = arguments.workers(choice.workers)
    except InputError:
        raise document.error(f"there are 1 to {MOST_WORKERS} workers, or {AUTO}", *where) from None
    checker = registry.checkers().get(choice.checker)
    if count > 1 and checker is not None and not checker.accepts.workers:
        raise document.error(f"{checker.name} searches with one worker", *where)
    return count


def _from_text(text: str, document: Document, index: int) -> RouteChoice:
    if text == ALL_APPLICABLE:
        return RouteChoice(kind=ALL_APPLICABLE, checker=ALL_APPLICABLE)
    kind, _, checker = text.partition("/")
    try:
        return RouteChoice.model_validate({"kind": kind, "checker": checker or AUTO})
    except ValidationError:
        suggestion = nearest(kind, [k.value for k in Kind]) or "write KIND/CHECKER, such as tgba/ascc"
        raise document.error(
            f"{kind} is not a kind of automaton", "routes", index, suggestion=suggestion
        ) from None


def _check_translators(choice: RouteChoice, document: Document, index: int) -> None:
    known = routes.translators()
    for name in choice.through:
        if name not in (*known, *(kind.value for kind in Kind)):
            message = f"{name} is neither a kind of automaton nor a translator"
            raise document.error(
                message, "routes", index, "through", suggestion=nearest(name, [*known, *Kind])
            )
    for name, options in choice.options.items():
        where = ("routes", index, "options", name)
        if name not in known:
            raise document.error(f"there is no translator {name}", *where, suggestion=nearest(name, known))
        try:
            known[name].options.model_validate(options)
        except ValidationError as error:
            field, what = Complaint.of(error)
            fields = known[name].options.model_fields
            message = what if field in fields else "there is no such option"
            suggestion = f"its options: {', '.join(fields) or 'none'}"
            raise document.error(message, *where, field, suggestion=suggestion) from None


def _expanded(choice: RouteChoice, workers: int) -> Iterator[Route]:
    """Yield the routes that a choice stands for; where it stands for several, they are optional."""
    every_kind, every_checker = choice.kind == ALL_APPLICABLE, choice.checker == ALL_APPLICABLE
    kinds = KINDS if every_kind else (None if choice.kind is None else Kind(choice.kind),)
    for kind in kinds:
        for checker in registry.checkers().values() if every_checker else (choice.checker,):
            for reduce in _reduced(choice):
                if isinstance(checker, str):
                    yield _route(choice, kind, checker, workers, reduce, every_kind)
                elif (workers == 1 or checker.accepts.workers) and (
                    kind is None or _may_apply(checker, kind)
                ):
                    yield _route(choice, kind, checker.name, workers, reduce, True)


def _reduced(choice: RouteChoice) -> tuple[str, ...]:
    """Return how much of the model the routes of a choice search."""
    if isinstance(choice.reduce, bool):
        return ("on" if choice.reduce else "off",)
    return ("off", "on") if choice.reduce == "both" else (choice.reduce,)


def _may_apply(checker: AnyChecker, kind: Kind) -> bool:
    """Could this checker take automata of the kind? The rest depends on the automaton."""
    if checker.accepts.testing:
        return kind is Kind.TA
    return _LETTERS.get(kind, Letter.SOURCE) in checker.accepts.letters


def _route(
    choice: RouteChoice, kind: Kind | None, checker: str, workers: int, reduce: str, optional: bool
) -> Route:
    return Route(
        name=_name(choice, kind, checker, workers, reduce),
        kind=kind.value if kind else None,
        checker=checker,
        automaton=choice.automaton,
        through=choice.through,
        options=choice.options,
        workers=workers,
        reduce=reduce,
        optional=optional or choice.optional,
        whole=choice.whole,
    )


def _name(choice: RouteChoice, kind: Kind | None, checker: str, workers: int, reduce: str) -> str:
    """Return the name in tables: that given, else what tells routes apart."""
    several = ALL_APPLICABLE in (choice.kind, choice.checker) or choice.reduce == "both"
    if choice.name and not several:
        return choice.name
    way = [choice.name or choice.automaton, *choice.through, kind.value if kind else None]
    options = [f"{t}.{k}={v}" for t, given in choice.options.items() for k, v in given.items()]
    team = [f"{workers} workers"] if workers > 1 else []
    less = [{"on": "reduced", "auto": "reduced where it pays"}[reduce]] if reduce != "off" else []
    parts = [">".join(part for part in way if part) or "tgba", checker, *options, *team, *less]
    return "/".join(parts)
