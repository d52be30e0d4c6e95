"""Certificates of products that tests have searched, checked by the small checker; and certificates taken apart."""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from buchi import _engine
from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.models.bytecode import interpreted
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Meaning, Model
from buchi.models.stubborn import StubbornSets
from buchi.pipeline.answer import Answer
from buchi.pipeline.certificates import fast, small
from buchi.pipeline.certificates.container import END, MAGIC, PIECE, REASONS, STATES, Piece, Reader, Writer
from buchi.pipeline.certificates.evidence import Evidence
from buchi.pipeline.certificates.hoa_table import Clause, Cube, Edge, Table
from buchi.pipeline.certificates.writing import bytes_for, distinct
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.task import Task
from buchi.schemas.automaton import Automaton, Letter
from buchi.schemas.certificate import CertificateHead, Numbering, PropertyText
from buchi.schemas.kinds import Kind


def certify_product(
    product: _engine.Product,
    model: Model,
    automaton: Automaton,
    meanings: Mapping[str, Meaning],
    *,
    stutter: bool,
    sets: StubbornSets | None = None,
) -> None:
    """Certify that a product which was searched has no accepting run. Raises InputError if that is not proved.

    One of which commands were left out is certified by both checkers; they have to agree.
    """
    clauses = distinct(automaton.normal_form() or ())
    if not {fin for fin, _ in clauses} <= {fin for fin, _ in _engine.CertificateRows(product).numberings}:
        _engine.check("numbers", product, clauses, _engine.Control(), numbered=True)
    content = _written(product, model, automaton)
    subject = small.Subject(Evaluator(model), meanings, plain_table(automaton), (), stutter, sets)
    assert certified_states(content, subject) == product.states


def certified_states(content: bytes, subject: small.Subject) -> int:
    """Let the small checker look at it, and the fast one, too, where commands may be left out: they have to agree."""

    def reader() -> Reader:
        return Reader(io.BytesIO(content), "certificate")

    if subject.sets is None:
        return small.check(reader(), subject, "certificate")
    engine = interpreted(subject.evaluator.model)
    try:
        states = small.check(reader(), subject, "certificate")
    except InputError:
        with pytest.raises(InputError):
            fast.check(reader(), subject, engine, "certificate")
        raise
    assert fast.check(reader(), subject, engine, "certificate") == states
    return states


FEW = 500
"""States of products that the small checker looks at in no time."""


def with_a_certificate(evidence_of: Callable[..., Evidence | None]) -> Callable[..., Evidence | None]:
    """Let the small checker look at each `holds` on its way, where there is a certificate at all."""

    def evidence_after(answer: Answer, task: Task, product: _engine.Product, *rest: Any) -> Evidence | None:
        if answer.ready is not None and answer.verdict is Verdict.HOLDS and product.states <= FEW:
            checker = answer.ready.choice.checker
            options = replace(task.options, certified=True, certificate=None)
            evidence = Evidence(replace(task, options=options), Deadline(None))
            with evidence, suppress(InputError):  # an acceptance of too many conditions has none
                evidence.take(product, answer.ready.automaton, checker.name, nobody)
                if type(checker).__module__.startswith("buchi."):  # one that a test makes up may lie
                    evidence.certified()
        return evidence_of(answer, task, product, *rest)

    return evidence_after


def _written(product: _engine.Product, model: Model, automaton: Automaton) -> bytes:
    rows = _engine.CertificateRows(product)
    file = io.BytesIO()
    head = bare_head(model, automaton.letter, automaton.states, product.states, rows.numberings)
    writer = Writer(file, head)
    while (piece := rows.next())[0]:
        writer.add(Piece(True, *piece))
    for number, (fin, count) in enumerate(rows.numberings):
        wanted = [clause.inf for clause in distinct(automaton.normal_form() or ()) if clause.fin == fin]
        for begin in range(0, count if wanted else 0, PIECE):
            writer.add(Piece(False, number, rows.reasons(number, begin, wanted)))
    writer.end()
    return file.getvalue()


def bare_head(
    model: Model, letter: Letter, automaton_states: int, states: int, numberings: list[tuple[int, int]]
) -> CertificateHead:
    """Return a head for checkers that are told by us what it is about."""
    return CertificateHead(
        model=None,
        property=PropertyText(given="process", text=""),
        deadlock="stutter",
        kind=Kind.TELA,
        checker="",
        backend="interpreted",
        letter=letter,
        automaton="",
        automaton_states=automaton_states,
        states=states,
        width=model.width + bytes_for(automaton_states),
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


@dataclass
class Open:
    """A certificate taken apart, so that it can be damaged and put together again."""

    head: dict[str, Any]
    rows: list[bytes]
    numbers: list[list[int]]
    """For each numbering, those of the rows."""
    reasons: list[bytes]
    """For each numbering, those of all numbers."""

    @classmethod
    def of(cls, content: bytes) -> Open:
        """Read it by itself: this is not the code that is tested."""
        head_line = content.split(b"\n", 2)[1]
        head = json.loads(head_line)
        at = len(MAGIC) + len(head_line) + 1
        count = len(head["numberings"])
        found = cls(head, [], [[] for _ in range(count)], [b""] * count)
        while content[at : at + 1] != END:
            letter, number, length = struct.unpack_from("<cII", content, at)
            piece = zlib.decompress(content[at + 9 : at + 9 + length])
            at += 9 + length
            if letter == STATES:
                found._read(piece, number)
            else:
                found.reasons[number] += piece
        return found

    def _read(self, piece: bytes, count: int) -> None:
        values, row = iter(piece), bytearray(self.head["width"])
        for _ in range(count):
            at = 0
            while distance := _varint(values):
                at += distance
                row[at - 1] = next(values)
            self.rows.append(bytes(row))
        for numbers in self.numbers:
            number = 0
            for _ in range(count):
                change = _varint(values)
                number += change >> 1 ^ -(change & 1)
                numbers.append(number)

    def closed(self, *, states: int | None = None) -> bytes:
        """Put it together, with a digest that is right."""
        self.head["states"] = len(self.rows) if states is None else states
        content = MAGIC + json.dumps(self.head).encode() + b"\n"
        if self.rows:
            content += _piece(STATES, len(self.rows), self._states())
        for number, reasons in enumerate(self.reasons):
            content += _piece(REASONS, number, reasons) if reasons else b""
        return sealed(content)

    def _states(self) -> bytes:
        piece, before = bytearray(), bytes(self.head["width"])
        for row in self.rows:
            last = 0
            for at, (old, new) in enumerate(zip(before, row, strict=False), 1):
                if old != new:
                    piece += bytes([*_varint_of(at - last), new])
                    last = at
            piece.append(0)
            before = row
        for numbers in self.numbers:
            for old, new in pairwise([0, *numbers]):
                piece += bytes(_varint_of((new - old) << 1 if new >= old else ((old - new) << 1) - 1))
        return bytes(piece)


def sealed(content: bytes) -> bytes:
    """Return all of a certificate but its end with the end that goes with it."""
    return content + END + sha256(content + END).digest()


def _piece(letter: bytes, number: int, content: bytes) -> bytes:
    packed = zlib.compress(content)
    return letter + struct.pack("<II", number, len(packed)) + packed


def _varint(values: Iterator[int]) -> int:
    value = shift = 0
    while (byte := next(values)) >= 128:
        value |= (byte & 127) << shift
        shift += 7
    return value | byte << shift


def _varint_of(value: int) -> list[int]:
    digits = []
    while value >= 128:
        digits.append(value & 127 | 128)
        value >>= 7
    return [*digits, value]
