"""A text given by the user, and the messages that point into it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lark import Lark, Token, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr, TerminalDef

from buchi.common.errors import InputError, Place

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "OPERATOR": "an operator",
    "PREFIX": None,
    "STRING": None,
    "CALL": None,
    "_MEMBER": None,
    "TYPE": "'byte' or 'int'",
    "MODE": "'async'",
    "$END": "the end of the text",
}
"""What to call a terminal of the grammar in a message; None where naming it would not help."""

_SHOWN = 160
"""Columns of a line that a message shows."""
_LONGEST = 500
"""Characters of a message; what is longer repeats a long name."""


@dataclass(frozen=True)
class Source:
    """A text and the name under which messages mention it."""

    name: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines, with tabs as single spaces so that a caret stands under its column."""
        return [line.rstrip("\r").replace("\t", " ") for line in self.text.split("\n")]

    def place(self, line: int, column: int) -> Place:
        """Return the place with its line of text, if the column is near enough its beginning to be shown."""
        shown = column <= _SHOWN and line <= len(self.lines)  # YAML knows more ends of lines
        return Place(self.name, line, column, self.lines[line - 1][:_SHOWN] if shown else None)

    def error(self, message: str, at: Token, suggestion: str | None = None) -> InputError:
        """Return the error that points at a token."""
        return InputError(_shortened(message), self.place(at.line or 1, at.column or 1), suggestion)

    def syntax_error(self, parser: Lark, error: UnexpectedInput) -> InputError:
        """Explain why the parser stopped, and what it would have accepted there."""
        if self.text.startswith("/*", error.pos_in_stream):
            return InputError("this comment is never closed", self.place(error.line, error.column))
        if isinstance(error, UnexpectedToken) and error.token.type == "$END":
            line, column, before = len(self.lines), len(self.lines[-1]) + 1, self.text
        else:
            line, column, before = error.line, error.column, self.text[: error.pos_in_stream]
        return InputError(_shortened(self._found(error)), self.place(line, column), _expected(parser, before))

    def _found(self, error: UnexpectedInput) -> str:
        if isinstance(error, UnexpectedToken):
            token = error.token
            return "unexpected end of the text" if token.type == "$END" else f"unexpected {str(token)!r}"
        return f"unexpected {self.text[error.pos_in_stream or 0]!r}"


def _shortened(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def _expected(parser: Lark, before: str) -> str | None:
    """Say what could follow a text. It is parsed again, since the parser that failed has gone on already."""
    interactive = parser.parse_interactive(before)
    interactive.exhaust_lexer()
    terminals = {terminal.name: terminal for terminal in parser.terminals}
    names: set[str] = interactive.accepts()  # type: ignore[no-untyped-call]
    words = sorted({word for name in names if (word := _word(name, terminals.get(name)))})
    return f"expected {' or '.join(words)}" if words else None


def _word(name: str, terminal: TerminalDef | None) -> str | None:
    """Return how a message calls a terminal: its own text for keywords and signs."""
    if name in _WORDS:
        return _WORDS[name]
    if terminal is None:
        return None
    pattern = terminal.pattern
    if isinstance(pattern, PatternStr):
        return f"'{pattern.value}'"
    return f"'{pattern.value.removesuffix(chr(92) + 'b')}'"
