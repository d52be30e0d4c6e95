"""Documents in XML, read by the standard library's expat as a stream of elements.

A document type is refused before it is read, so that no entity is ever expanded and nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from xml.parsers import expat

from buchi.common.errors import InputError, Place

Start: TypeAlias = Callable[[str, dict[str, str]], None]
End: TypeAlias = Callable[[str], None]

DEEPEST = 1000
"""Elements within each other."""


class Markup:
    """An XML text; `start` and `end` are told its elements by their names without namespaces."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._text = text
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.buffer_text = True
        self._pieces: list[str] = []
        self._depth = 0

    def read(self, start: Start, end: End) -> None:
        """Read the text to its end. Raises InputError."""
        names: dict[str, str] = {}

        def begin(name: str, attributes: dict[str, str]) -> None:
            self._depth += 1
            if self._depth > DEEPEST:
                raise self.error(f"elements are nested more than {DEEPEST} deep")
            local = names.get(name)
            if local is None:
                local = names[name] = _local(name)
            start(local, attributes)

        def finish(name: str) -> None:
            self._depth -= 1
            end(names[name])

        self._parser.StartElementHandler, self._parser.EndElementHandler = begin, finish
        try:
            self._parser.Parse(self._text, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            place = Place(self.source, error.lineno, error.offset + 1)
            raise InputError(f"this is not XML: {what}", place) from None

    def collect(self) -> None:
        """Begin to keep the text between elements."""
        self._pieces.clear()
        self._parser.CharacterDataHandler = self._pieces.append

    def collected(self) -> str:
        """End it, and return what was kept."""
        self._parser.CharacterDataHandler = None
        return "".join(self._pieces)

    @property
    def here(self) -> int:
        """Where the reader is; a cheap number that `error` turns into a line."""
        return self._parser.CurrentByteIndex

    def error(self, message: str, at: int | None = None, suggestion: str | None = None) -> InputError:
        """Return the error that points at a place of the text, or at where the reader is."""
        before = self._text.encode(errors="surrogatepass")[: self.here if at is None else at]
        start = before.rfind(b"\n") + 1
        column = len(before[start:].decode(errors="replace")) + 1
        return InputError(message, Place(self.source, before.count(b"\n") + 1, column), suggestion)

    def _refuse_doctype(self, *_: object) -> None:
        raise self.error("a document type is not supported", suggestion="remove <!DOCTYPE …>")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
