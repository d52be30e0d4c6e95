"""Certificates of products that tests have searched, checked by the small checker; and of whole checks."""

from __future__ import annotations

import io
from collections.abc import Mapping

from buchi import _engine
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Meaning, Model
from buchi.pipeline.certificates import small
from buchi.pipeline.certificates.container import PIECE, Piece, Reader, Writer
from buchi.pipeline.certificates.hoa_table import Clause, Cube, Edge, Table
from buchi.pipeline.certificates.writing import bytes_for, distinct
from buchi.schemas.automaton import Automaton
from buchi.schemas.certificate import CertificateHead, Numbering, PropertyText
from buchi.schemas.kinds import Kind


def certify_product(
    product: _engine.Product,
    model: Model,
    automaton: Automaton,
    meanings: Mapping[str, Meaning],
    *,
    stutter: bool,
) -> None:
    """Certify that a product which was searched has no accepting run. Raises InputError if that is not proved."""
    clauses = distinct(automaton.normal_form() or ())
    if not {fin for fin, _ in clauses} <= {fin for fin, _ in _engine.CertificateRows(product).numberings}:
        _engine.check("numbers", product, clauses, _engine.Control(), numbered=True)
    file = io.BytesIO(_written(product, model, automaton))
    subject = small.Subject(Evaluator(model), meanings, plain_table(automaton), (), stutter)
    assert small.check(Reader(file, "certificate"), subject, "certificate") == product.states


def _written(product: _engine.Product, model: Model, automaton: Automaton) -> bytes:
    rows = _engine.CertificateRows(product)
    file = io.BytesIO()
    writer = Writer(file, _head(product, model, automaton, rows.numberings))
    while (piece := rows.next())[0]:
        writer.add(Piece(True, *piece))
    for number, (fin, count) in enumerate(rows.numberings):
        wanted = [clause.inf for clause in distinct(automaton.normal_form() or ()) if clause.fin == fin]
        for begin in range(0, count if wanted else 0, PIECE):
            writer.add(Piece(False, number, rows.reasons(number, begin, wanted)))
    writer.end()
    return file.getvalue()


def _head(
    product: _engine.Product, model: Model, automaton: Automaton, numberings: list[tuple[int, int]]
) -> CertificateHead:
    return CertificateHead(
        model=None,
        property=PropertyText(given="process", text=""),
        deadlock="stutter",
        kind=Kind.TELA,
        checker="",
        backend="interpreted",
        letter=automaton.letter,
        automaton="",
        automaton_states=automaton.states,
        states=product.states,
        width=model.width + bytes_for(automaton.states),
        numberings=tuple(Numbering(fin=fin, numbers=numbers) for fin, numbers in numberings),
    )


def plain_table(automaton: Automaton) -> Table:
    """Return an automaton as the checkers have it, made without its text."""
    return Table(
        automaton.letter,
        automaton.propositions,
        automaton.states,
        tuple((Cube(*cube), state) for label, state in automaton.initial for cube in label),
        tuple(Edge(e.source, Cube(*c), e.marks, e.destination) for e in automaton.edges for c in e.label),
        automaton.sets,
        tuple(Clause(*clause) for clause in automaton.normal_form() or ()),
    )
