"""The file of a certificate: a line that names the format, a line of JSON, then pieces, and at the end a digest.

A piece is a letter, two numbers of four bytes (little-endian) and as many bytes as the second one says, compressed with
zlib: `S` (how many states, length) their rows and numbers, `R` (which numbering, length) reasons. `E` is followed by
the SHA-256 of all that stands before it, and ends the file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from hashlib import sha256
from struct import Struct
from typing import BinaryIO, NamedTuple

from pydantic import ValidationError

from buchi.common.complaints import Complaint
from buchi.common.errors import InputError, Place
from buchi.schemas.certificate import CertificateHead

MAGIC = b"BUCHI CERTIFICATE 1\n"
STATES, REASONS, END = b"S", b"R", b"E"
PIECE = 1 << 16
"""States, or numbers, of one piece."""
LONGEST_HEAD = 512 << 20
"""The text of the model is in it."""
LONGEST_PIECE = 1 << 30
_SIZES = Struct("<II")
_VARINT = 6
"""Bytes of a number at most."""


class Piece(NamedTuple):
    """States (`number` of them) or reasons (of the numbering `number`), as bytes."""

    is_states: bool
    number: int
    content: bytes


class Writer:
    """Writes a certificate to a file."""

    def __init__(self, file: BinaryIO, head: CertificateHead) -> None:
        self._file = file
        self._digest = sha256()
        self._write(MAGIC + head.model_dump_json().encode() + b"\n")

    def add(self, piece: Piece) -> None:
        """Append a piece, compressed several times as fast as by `zlib`, which reads it."""
        from isal import isal_zlib

        content = isal_zlib.compress(piece.content, 1)
        letter = STATES if piece.is_states else REASONS
        self._write(letter + _SIZES.pack(piece.number, len(content)))
        self._write(content)

    def end(self) -> None:
        """Append the digest."""
        self._write(END)
        self._file.write(self._digest.digest())

    def _write(self, content: bytes) -> None:
        self._digest.update(content)
        self._file.write(content)


class Reader:
    """Reads a certificate. Raises InputError, which names the place; it takes no more memory than a piece needs."""

    def __init__(self, file: BinaryIO, source: str) -> None:
        self._file = file
        self._source = source
        self._digest = sha256()
        self._at = 0
        self._rows = 0
        if self._taken(len(MAGIC), "the name of the format") != MAGIC:
            raise InputError(
                "this is no certificate of this version",
                Place(source, 1),
                "it begins with BUCHI CERTIFICATE 1",
            )
        self.head = self._read_head()

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces; at the end the digest is compared."""
        while (letter := self._taken(1, "the end")) != END:
            if letter not in (STATES, REASONS):
                raise self.error(f"no piece begins with {letter!r}")
            number, length = _SIZES.unpack(self._taken(_SIZES.size, "a piece"))
            if length > LONGEST_PIECE:
                raise self.error("a piece is too long")
            most = self._most_bytes(letter, number)
            yield Piece(letter == STATES, number, self._inflated(self._taken(length, "a piece"), most))
        if self._digest.digest() != self._file.read(32):
            raise self.error("the digest is another one: the file was damaged or changed")
        if self._file.read(1):
            raise self.error("there is more after the end")
        if self._rows != self.head.states:
            raise self.error(f"there are {self._rows} states, not the {self.head.states} announced")

    def error(self, message: str) -> InputError:
        """Return what is wrong here."""
        return InputError(f"{message} (before byte {self._at})", Place(self._source))

    def _read_head(self) -> CertificateHead:
        line = self._file.readline(LONGEST_HEAD)
        self._digest.update(line)
        self._at += len(line)
        if not line.endswith(b"\n"):
            raise InputError("the head of the certificate has no end", Place(self._source, 2))
        try:
            return CertificateHead.model_validate_json(line)
        except ValidationError as error:
            raise InputError(f"the head is wrong: {Complaint.of(error)}", Place(self._source, 2)) from None

    def _most_bytes(self, letter: bytes, number: int) -> int:
        """Return how long the content of a piece may be."""
        numberings = len(self.head.numberings)
        if letter == REASONS:
            if number >= numberings:
                raise self.error(f"there is no numbering {number}")
            return PIECE * 64
        self._rows += number
        if not 0 < number <= PIECE:
            raise self.error(f"a piece of {number} states")
        return number * (self.head.width * (_VARINT + 1) + 1 + _VARINT * numberings)

    def _inflated(self, content: bytes, most: int) -> bytes:
        inflater = zlib.decompressobj()
        try:
            result = inflater.decompress(content, most + 1)
        except zlib.error:
            raise self.error("a piece cannot be unpacked") from None
        if len(result) > most or not inflater.eof or inflater.unused_data:
            raise self.error("a piece is longer or shorter than it says")
        return result

    def _taken(self, count: int, what: str) -> bytes:
        content = self._file.read(count)
        if len(content) < count:
            raise self.error(f"the file ends within {what}")
        self._digest.update(content)
        self._at += count
        return content
