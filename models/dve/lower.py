"""Syntax tree to guarded commands.

Variables come in the order of declaration: globals and channels, then for each process its program counter
and locals. All names are declared before any transition is read, since a process may speak of one declared
after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from pathlib import PurePath

from buchi.common.errors import nearest
from buchi.common.interrupts import held_back
from buchi.models.dve import syntax
from buchi.models.dve.commands import commands
from buchi.models.dve.declarations import Declarations
from buchi.models.dve.moves import Process, moves
from buchi.models.dve.scope import Names, ProcessName, Scope
from buchi.models.frontend import Loaded
from buchi.models.guarded import Assertion, Binary, Const, Expr, Model, Read
from buchi.models.source import Source


def lower(
    system: syntax.System, source: Source, *, overflow_is_error: bool, constants: Mapping[str, int]
) -> Loaded:
    """Return the model and the automaton of its property process. Raises InputError.

    `constants` are values that take the place of those in the text.
    """
    watcher = _property(system, source)
    _check(system, source, watcher)
    declarations, top = Declarations(source, overflow_is_error, constants), Scope(source)
    for declaration in system.declarations:
        declarations.declare(declaration, top)
    scopes = {process.name: Scope(source, process.name.value, top) for process in system.processes}
    for process in system.processes:
        top.declare(process.name, ProcessName(None if process is watcher else scopes[process.name]))
    processes = [_process(p, declarations, scopes[p.name]) for p in system.processes if p is not watcher]
    declarations.check_given()
    model = _model(source, declarations, processes)
    if watcher is None:
        return Loaded(model)
    with held_back():  # automata are slow to load, and most models have no property
        from buchi.models.dve import property as property_process

    return Loaded(model, *property_process.automaton(watcher, declarations, scopes[watcher.name]))


def _property(system: syntax.System, source: Source) -> syntax.Process | None:
    if system.property is None:
        return None
    for process in system.processes:
        if process.name == system.property:
            return process
    known = [process.name for process in system.processes]
    message = f"there is no process {system.property} to be the property"
    raise source.error(message, system.property, nearest(system.property, known))


def _check(system: syntax.System, source: Source, watcher: syntax.Process | None) -> None:
    if system.mode == "sync":
        hint = "write 'system async;' if its processes may move one at a time"
        raise source.error("synchronous composition is not supported", system.mode, hint)
    if not [process for process in system.processes if process is not watcher]:
        raise source.error("the model has no process", system.mode)


def _process(process: syntax.Process, declarations: Declarations, scope: Scope) -> Process:
    counter = declarations.process(process, scope)
    for declaration in process.declarations:
        declarations.declare(declaration, scope)
    for name in process.accepting:
        scope.location(name)
    committed = frozenset(scope.location(name) for name in process.committed)
    return Process(process, counter, Names(scope), committed)


def _model(source: Source, declarations: Declarations, processes: list[Process]) -> Model:
    variables = tuple(declarations.variables)
    shared = _some_process_committed(processes)
    every_move = [move for process in processes for move in moves(process, variables)]
    return Model(
        name=PurePath(source.name).name.removesuffix(".dve"),
        variables=variables,
        commands=tuple(commands(every_move, committing=bool(shared))),
        tables=tuple(declarations.tables),
        shared=shared,
        assertions=tuple(assertion for process in processes for assertion in _assertions(process)),
        constants=declarations.constants,
        overflow_is_error=declarations.overflow_is_error,
    )


def _some_process_committed(processes: list[Process]) -> tuple[Expr, ...]:
    tests = [
        Binary("==", Read(process.counter), Const(location))
        for process in processes
        for location in sorted(process.committed)
    ]
    while len(tests) > 1:  # a balanced tree: there may be more of them than an expression may nest
        pairs = zip_longest(tests[::2], tests[1::2])
        tests = [left if right is None else Binary("or", left, right) for left, right in pairs]
    return tuple(tests)


def _assertions(process: Process) -> list[Assertion]:
    return [
        Assertion(
            f"{process.syntax.name}.{assertion.location}",
            ((process.counter, process.names.scope.location(assertion.location)),),
            process.names.lower(assertion.condition),
            process.names.written(assertion.start, assertion.end),
            assertion.location.line,
        )
        for assertion in process.syntax.assertions
    ]
