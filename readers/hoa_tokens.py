"""The tokens of HOA text, with their places."""

from __future__ import annotations

import re

from buchi.common.errors import InputError, Place

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no text in HOA has, nor a terminal should get: control characters but tab and newline, halves of characters."""
UNPRINTED = re.compile(r"[\x00-\x1f]")
_COMMENT = re.compile(r"/\*|\*/")
_SHOWN = 160
_TOKEN = re.compile(
    r"""[ \t\n]*
    (?: (?P<header>[A-Za-z_][\w.-]*:) | (?P<word>[A-Za-z_][\w.-]*) | (?P<number>\d+) | (?P<alias>@[\w-]+)
    | (?P<string>"[^"\\]*(?:\\.[^"\\]*){0,99999}") | (?P<marker>--[A-Z]+--) | (?P<sign>[][(){}!&|]) | (?P<comment>/\*)
    | (?P<other>[^ \t\n]))""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)


def place_in(text: str, source: str, position: int) -> Place:
    """Return line and column of a position, with the line itself unless it is long."""
    start = text.rfind("\n", 0, position) + 1
    line = text[start : start + _SHOWN + 1].partition("\n")[0]
    shown = line if len(line) <= _SHOWN and not CONTROL.search(line) else None
    return Place(source, text.count("\n", 0, start) + 1, position - start + 1, shown)


class Tokens:
    """The tokens of a text, one at a time: `kind` (empty at the end), `token`, and where it starts."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.kind, self.token, self.start, self.stop = "", "", 0, 0
        self.dropped: list[tuple[int, int]] = []
        self.next()

    def next(self) -> None:
        """Go to the next token; comments are dropped."""
        self._match()
        while self.kind == "comment":
            self.stop = self._comment_end(self.start)
            self.dropped.append((self.start, self.stop))
            self._match()
        if self.kind == "other":
            quote = self.token == '"'
            raise self.error("this string does not end" if quote else "this is no token of HOA")

    def _match(self) -> None:
        found = _TOKEN.match(self.text, self.stop)
        if found is None:
            self.kind, self.token, self.start = "", "", len(self.text)
            return
        self.kind = found.lastgroup or ""
        self.token = found.group(self.kind)
        self.start, self.stop = found.span(self.kind)

    def _comment_end(self, start: int) -> int:
        """Comments may be nested."""
        depth = 0
        for mark in _COMMENT.finditer(self.text, start):
            depth += 1 if mark.group() == "/*" else -1
            if depth == 0:
                return mark.end()
        raise self.error("this comment does not end", start)

    def error(self, message: str, position: int | None = None, suggestion: str | None = None) -> InputError:
        """Return the complaint about the present token."""
        place = place_in(self.text, self.source, self.start if position is None else position)
        return InputError(message, place, suggestion)

    def expected(self, what: str) -> InputError:
        """Return the complaint that something else comes here."""
        found = f"{self.token[:40]} comes" if self.kind else "there is an unexpected end"
        return self.error(f"{found} where {what} should be")

    def at(self, sign: str) -> bool:
        """Is this the token?"""
        return self.token == sign

    def take(self, sign: str) -> None:
        """Go over a token that must be here."""
        if self.token != sign:
            raise self.expected(sign)
        self.next()

    def number(self, what: str, limit: int) -> int:
        """Go over a number below the limit."""
        if self.kind != "number":
            raise self.expected(what)
        if len(self.token) > 9 or int(self.token) >= limit:
            shown = self.token if len(self.token) <= 20 else f"with {len(self.token)} digits"
            raise self.error(f"{what} {shown} is too large: it must be below {limit}")
        value = int(self.token)
        self.next()
        return value

    def plain(self) -> str:
        """Return the text with blanks in place of what was dropped."""
        parts, last = [], 0
        for start, stop in sorted(self.dropped):
            if start < last:  # a comment within a header that is dropped too
                continue
            parts += [self.text[last:start], re.sub(r"[^\n]", " ", self.text[start:stop])]
            last = stop
        return "".join([*parts, self.text[last:]])
