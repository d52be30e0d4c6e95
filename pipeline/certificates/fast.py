"""The fast checker of certificates: drives `engine/certify.cpp`, which keeps up with a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn

from buchi import _engine
from buchi.common.ends import Reason
from buchi.common.errors import InputError, LimitReached, Place
from buchi.models.evaluate import State
from buchi.models.guarded import Model, StepTest
from buchi.models.stubborn import StubbornSets
from buchi.pipeline import isolation
from buchi.pipeline.certificates.container import Reader
from buchi.pipeline.certificates.programs import program
from buchi.pipeline.certificates.refusing import refusal, shown
from buchi.pipeline.certificates.small import Subject
from buchi.schemas.automaton import Letter

SLICE = 1 << 15
"""Rows that are checked at once by one thread."""
_LETTERS = {Letter.SOURCE: 0, Letter.DESTINATION: 1, Letter.CHANGE: 2}


def check(
    reader: Reader,
    subject: Subject,
    engine: _engine.Model,
    source: str,
    look: Callable[[], object] = int,
    workers: int = 1,
) -> int:
    """Check a certificate with successors from `engine`; return how many states it has. Raises InputError.

    `look` is called again and again: it may raise where there is no more time.
    """
    acceptance = subject.acceptance()
    certifier = _prepared(reader, subject, engine)
    for one in reader.head.numberings:
        infs = [clause.inf for clause in acceptance if clause.fin == one.fin]
        certifier.add_numbering(one.fin, infs, one.numbers, reader.head.states)
    missing = {clause.fin for clause in acceptance} - {one.fin for one in reader.head.numberings}
    if missing and reader.head.states:
        raise _refused(source, f"there is no numbering for a clause with the Fin marks {min(missing):b}")
    try:
        _read(reader, certifier, look)
    except ValueError as problem:  # what is wrong with a piece
        raise _refused(source, str(problem)) from None
    if acceptance:
        _check(certifier, subject, source, look, workers)
    return certifier.count


def _refused(source: str, what: str) -> InputError:
    return InputError(f"the certificate is refused: {what}", Place(source))


def _prepared(reader: Reader, subject: Subject, engine: _engine.Model) -> _engine.Certifier:
    model, table, head = subject.evaluator.model, subject.table, reader.head
    _check_memory(reader)
    certifier = _engine.Certifier(
        engine, head.states, head.width - model.width, _LETTERS[table.letter], subject.stutter
    )
    meanings = [subject.meanings[name] for name in table.propositions]
    product = certifier.product
    product.set_propositions(
        [value for constants in model.tables for value in constants],
        [[] if isinstance(one, StepTest) else program(model, one) for one in meanings],
        [
            (number, one.what == "moved", one.negated, _flags(one.commands, model))
            for number, one in enumerate(meanings)
            if isinstance(one, StepTest)
        ],
    )
    product.set_automaton(
        table.states,
        [(cube.yes, cube.no, state) for cube, state in table.initial],
        [(e.source, e.cube.yes, e.cube.no, e.marks, e.target) for e in table.edges],
    )
    product.set_fairness([(one.strong, one.mark, _flags(one.commands, model)) for one in subject.fair])
    if subject.sets is not None:
        _set_stubborn(certifier, model, subject.sets)
    return certifier


def _set_stubborn(certifier: _engine.Certifier, model: Model, sets: StubbornSets) -> None:
    known = sets.known
    conjuncts = []
    for number, enablers in enumerate(known.enablers):
        leaving = known.leaving[number]
        place = [] if leaving is None else program(model, leaving.place(model))
        leavers = () if leaving is None else leaving.commands
        conjuncts.append((program(model, known.conjuncts[number]), enablers, place, leavers))
    certifier.set_stubborn(
        known.tests, known.conflicts, conjuncts, sorted(sets.visible), sorted(sets.visible | sets.breaking)
    )


def _flags(commands: Iterable[int], model: Model) -> list[bool]:
    named = frozenset(commands)
    return [number in named for number in range(len(model.commands))]


def _check_memory(reader: Reader) -> None:
    """Raise LimitReached where what the head announces does not fit."""
    head, left = reader.head, isolation.memory_left()
    numbers = sum(4 * head.states + 2 * one.numbers for one in head.numberings)
    if left is not None and head.states * (head.width + 3 + 12) + numbers > left:
        raise LimitReached(Reason.MEMORY, "the certificate has more states than there is memory for")


def _read(reader: Reader, certifier: _engine.Certifier, look: Callable[[], object]) -> None:
    for piece in reader.pieces():
        look()
        if piece.is_states:
            certifier.read(piece.content, piece.number)
        else:
            certifier.read_reasons(piece.number, piece.content)


def _check(
    certifier: _engine.Certifier,
    subject: Subject,
    source: str,
    look: Callable[[], object],
    workers: int,
) -> None:
    problem = certifier.check_start()
    if problem is not None:
        raise _refused(source, f"{problem.what}: {shown(subject.evaluator, *_state(problem.other, subject))}")

    def check(begin: int) -> _engine.Problem | None:
        look()
        return certifier.check(begin, min(begin + SLICE, certifier.count))

    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(check, range(0, certifier.count, SLICE)):
            if found is not None:
                pool.shutdown(wait=True, cancel_futures=True)
                _refuse(found, certifier, subject, source)


def _refuse(
    problem: _engine.Problem, certifier: _engine.Certifier, subject: Subject, source: str
) -> NoReturn:
    assert problem.row is not None
    row = _state(certifier.row(problem.row), subject)
    other = _state(problem.other, subject) if problem.other else None
    raise refusal(source, problem.what, subject.evaluator, problem.row, row, other)


def _state(row: bytes, subject: Subject) -> tuple[State, int]:
    width = subject.evaluator.model.width
    return subject.evaluator.unpack(row[:width]), int.from_bytes(row[width:], "little")
