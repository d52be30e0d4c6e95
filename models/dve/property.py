"""A property process to the automaton of the forbidden behaviours: its guards are the propositions.

It is a Büchi automaton that accepts by locations; every edge that leaves an accepting one carries the mark.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

from buchi.common.errors import InputError
from buchi.models.dve import syntax
from buchi.models.dve.declarations import Declarations
from buchi.models.dve.moves import with_sources
from buchi.models.dve.scope import Location, Names, Scope
from buchi.models.guarded import Const, Expr
from buchi.schemas.automaton import EVERY_LETTER, MAX_PROPOSITIONS, Automaton, Clause, Cube, Edge, Label


def automaton(
    process: syntax.Process, declarations: Declarations, scope: Scope
) -> tuple[Automaton, dict[str, Expr]]:
    """Return the automaton and the meaning of its propositions."""
    _check(process, scope)
    for declaration in process.declarations:
        declarations.declare(declaration, scope)
    for number, name in enumerate(process.locations):
        scope.declare(name, Location(-1, number))
    propositions: dict[str, Expr] = {}
    accepting = {scope.location(name) for name in process.accepting}
    edges = tuple(_edges(process, Names(scope), propositions, accepting))
    built = Automaton(
        propositions=tuple(propositions),
        states=len(process.locations),
        initial=((EVERY_LETTER, scope.location(process.initial)),),
        edges=edges,
        sets=1,
        acceptance=(Clause(fin=0, inf=1),),
    )
    return built, propositions


def _check(process: syntax.Process, scope: Scope) -> None:
    """A property process watches: it has no state but its location and changes nothing."""
    for declaration in process.declarations:
        if not declaration.constant:
            raise _refuse(scope, "declare variables", declaration.type)
    for name in process.committed[:1]:
        raise _refuse(scope, "have committed locations", name)
    for assertion in process.assertions[:1]:
        raise _refuse(scope, "have assertions", assertion.location)
    for transition in process.transitions:
        if transition.sync is not None:
            raise _refuse(scope, "use channels", transition.sync.channel)
        if transition.effects:
            raise _refuse(scope, "have effects", transition.effects[0].target.name)


def _refuse(scope: Scope, what: str, at: Token) -> InputError:
    hint = "its transitions have guards only, over the variables of the other processes"
    return scope.source.error(f"the property process cannot {what}", at, hint)


def _edges(
    process: syntax.Process, names: Names, propositions: dict[str, Expr], accepting: set[int]
) -> Iterator[Edge]:
    """Yield the edges, and collect the propositions of their labels by the way."""
    for source, transition in with_sources(process, names):
        label = _label(transition.guard, names, propositions)
        if len(propositions) > MAX_PROPOSITIONS:
            message = f"{process.name} has more than {MAX_PROPOSITIONS} different guards"
            raise names.source.error(message, process.name)
        if label:
            yield Edge(source, label, int(source in accepting), names.scope.location(transition.target))


def _label(guard: syntax.Guard | None, names: Names, propositions: dict[str, Expr]) -> Label:
    """Return the label of an edge; the empty one where the guard is never true."""
    condition = Const(1) if guard is None else names.lower(guard.condition)
    if guard is None or isinstance(condition, Const):
        return EVERY_LETTER if condition != Const(0) else ()
    text = names.written(guard.start, guard.end)
    propositions.setdefault(text, condition)
    return (Cube(true=1 << list(propositions).index(text), false=0),)
