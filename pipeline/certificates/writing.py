"""Writes the certificate of a product that was searched and has no accepting run."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import BinaryIO, Literal

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models.backends import Backend
from buchi.pipeline import isolation
from buchi.pipeline.certificates.container import PIECE, Piece, Writer
from buchi.pipeline.options import Overflow, Reduce
from buchi.pipeline.prepared import Executable, Prepared
from buchi.pipeline.search import Deadline
from buchi.pipeline.table import table
from buchi.pipeline.task import Task
from buchi.schemas.automaton import EVERY_LETTER, Automaton, Clause, Edge, Letter
from buchi.schemas.certificate import CertificateHead, Fairness, ModelText, Numbering, PropertyText
from buchi.schemas.kinds import Kind


def clauses_of(prepared: Prepared) -> tuple[Clause, ...]:
    """Return the clauses that a certificate is about. Raises InputError where they are too many."""
    return distinct(one_disjunction(prepared.table))


def one_disjunction(automaton: Automaton) -> tuple[Clause, ...]:
    """Return the acceptance of an automaton as one disjunction. Raises InputError where it is too long."""
    clauses = automaton.normal_form()
    if clauses is None:
        raise InputError("there is no certificate for an acceptance of so many conditions")
    return clauses


def distinct(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the clauses that reasons are given for: each once, and none that no run satisfies."""
    return tuple(dict.fromkeys(clause for clause in clauses if not clause.fin & clause.inf))


def write(
    file: BinaryIO,
    task: Task,
    prepared: Prepared,
    product: _engine.Product,
    checker: str,
    deadline: Deadline,
) -> None:
    """Write what was searched to a file. Raises LimitReached and InputError."""
    isolation.stage("writing the certificate")
    clauses = clauses_of(prepared)
    rows = _engine.CertificateRows(product)
    numberings = rows.numberings
    writer = Writer(file, _head(task, prepared, product.states, numberings, checker))
    while (piece := rows.next())[0]:
        deadline.remaining()
        writer.add(Piece(True, *piece))
    for number, (fin, count) in enumerate(numberings):
        wanted = [clause.inf for clause in clauses if clause.fin == fin]
        for begin in range(0, count if wanted else 0, PIECE):
            deadline.remaining()
            writer.add(Piece(False, number, rows.reasons(number, begin, wanted)))
    writer.end()


def _head(
    task: Task, prepared: Prepared, states: int, numberings: Sequence[tuple[int, int]], checker: str
) -> CertificateHead:
    automaton = table(prepared.form)
    options, given = task.options, task.forbidden.given
    fair = (Fairness(strength=one.strength.value, names=one.names) for one in options.fair)
    return CertificateHead(
        model=_model(task.model, options.overflow),
        property=PropertyText(given=given.how, text=given.text),
        deadlock=options.deadlock.value,
        fair=tuple(fair),
        fair_by=options.fair_by.value,
        reduced=options.reduce is Reduce.ON,
        kind=Kind(prepared.form.kind),
        checker=checker,
        backend="compiled" if task.model.built.backend is Backend.COMPILED else "interpreted",
        letter=automaton.letter,
        automaton=automaton_text(automaton),
        automaton_states=automaton.states,
        states=states,
        width=task.model.engine.width + bytes_for(automaton.states),
        numberings=tuple(Numbering(fin=fin, numbers=numbers) for fin, numbers in numberings),
    )


def _model(model: Executable, overflow: Overflow) -> ModelText | None:
    loaded = model.loaded
    if loaded.source is None:
        return None
    name, text, constants = loaded.source
    types = tuple(v.type.name for v in loaded.model.variables) if loaded.model.widens else None
    digest = sha256(text.encode()).hexdigest()
    how: Literal["wrap", "error"] = "error" if overflow is Overflow.ERROR else "wrap"
    return ModelText(name=name, text=text, sha256=digest, overflow=how, types=types, constants=constants)


def bytes_for(states: int) -> int:
    """Return how many bytes of a row are the state of an automaton."""
    return 1 if states <= 1 << 8 else 2 if states <= 1 << 16 else 4


def automaton_text(automaton: Automaton) -> str:
    """Return an automaton in HOA; one that does not read sources gets a state that says where it begins.

    Raises InputError where its acceptance is too long.
    """
    from buchi.translators.hoa import write_hoa

    plain = {**dict(automaton), "acceptance": one_disjunction(automaton), "further": ()}
    if automaton.letter is not Letter.SOURCE:
        first = automaton.states
        starts = (Edge(first, label, 0, state) for label, state in automaton.initial if label)
        plain["states"], plain["initial"] = first + 1, ((EVERY_LETTER, first),)
        plain["edges"] = (*automaton.edges, *starts)
    plain.pop("kind", None)
    return write_hoa(Automaton.model_construct(**plain))
