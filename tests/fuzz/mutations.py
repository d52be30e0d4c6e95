"""Small changes of texts, so that most of a text stays meaningful: the fuzzer that needs nothing but Python."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

LONGEST = 4096
NUMBERS = b"0 1 2 -1 31 32 255 256 32768 65535 1000000 2147483647 -2147483648 4294967296".split()
NUMBERS += [b"9223372036854775808", b"1e308", b"9" * 60]
"""Where something may end."""
DICTIONARIES = Path(__file__).parent / "dictionaries"
_ESCAPED = re.compile(rb"\\(?:x([0-9a-f]{2})|(.))")
_PIECE = re.compile(rb"[^\n;,]*[\n;,]?")
_WORD = re.compile(rb"\w+|[^\w\s]")
_KINDS = (re.compile(rb"\d+"), re.compile(rb"[A-Za-z_]\w*"), re.compile(rb"[^\w\s\"'(){}\[\]]"))
_GROUP = re.compile(rb"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")


def tokens(target: str) -> list[bytes]:
    """Return the words of the language of a target, from its dictionary for libFuzzer."""
    lines = (DICTIONARIES / f"{target}.dict").read_bytes().splitlines()
    return [_ESCAPED.sub(_unescaped, line[1:-1]) for line in lines]


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 16)]) if found[1] else found[2]


class Mutator:
    """Makes inputs of a target from those it knows; equal seeds give equal inputs.

    Half of the changes keep the form of a text: they exchange words of a kind, lines, parts in parentheses.
    """

    def __init__(self, target: str, known: Sequence[bytes], seed: int) -> None:
        self._known = known
        self._draw = random.Random(f"{target} {seed}")
        self._tokens = tokens(target)
        gentle: list[Callable[[bytes], bytes]] = [
            self._word,
            self._word,
            self._piece,
            self._group,
            self._count,
        ]
        rough = [
            self._splice,
            self._delete,
            self._repeat,
            self._insert,
            self._replace,
            self._number,
            self._byte,
        ]
        self._changes = gentle * 2 + rough

    def inputs(self, count: int) -> Iterator[bytes]:
        """Yield inputs, each changed in one to three ways."""
        for _ in range(count):
            data = self._draw.choice(self._known)
            for _ in range(self._draw.choice([1, 1, 1, 2, 3])):
                data = self._draw.choice(self._changes)(data)
            yield data[:LONGEST]

    def _found(self, pattern: re.Pattern[bytes]) -> bytes:
        """Return something of this form from any text."""
        found = pattern.findall(self._draw.choice(self._known))
        return self._draw.choice(found) if found else b""

    def _at_one(self, pattern: re.Pattern[bytes], data: bytes, text: bytes) -> bytes:
        """Put a text in the place of something of this form."""
        found = list(pattern.finditer(data))
        if not found:
            return data + text
        start, stop = self._draw.choice(found).span()
        return data[:start] + text + data[stop:]

    def _word(self, data: bytes) -> bytes:
        kind = self._draw.choice(_KINDS)
        return self._at_one(kind, data, self._found(kind))

    def _group(self, data: bytes) -> bytes:
        return self._at_one(_GROUP, data, self._found(_GROUP))

    def _count(self, data: bytes) -> bytes:
        return self._at_one(_KINDS[0], data, b"%d" % self._draw.randrange(5))

    def _piece(self, data: bytes) -> bytes:
        """Leave out, repeat or move a line or part of a list, or take one from another text."""
        pieces = _PIECE.findall(data)
        at, to = self._draw.randrange(len(pieces)), self._draw.randrange(len(pieces))
        change = self._draw.randrange(4)
        if change == 0:
            del pieces[at]
        else:
            new = (pieces[at], self._found(_PIECE), pieces.pop(at) if change == 3 else b"")[change - 1]
            pieces.insert(to, new)
        return b"".join(pieces)

    def _span(self, data: bytes, longest: int = 40) -> tuple[int, int]:
        start = self._draw.randrange(len(data) + 1)
        return start, min(len(data), start + self._draw.randint(1, longest))

    def _splice(self, data: bytes) -> bytes:
        other = self._draw.choice(self._known)
        start, stop = self._span(other, 200)
        at = self._draw.randrange(len(data) + 1)
        return data[:at] + other[start:stop] + data[at:]

    def _delete(self, data: bytes) -> bytes:
        start, stop = self._span(data)
        return data[:start] + data[stop:]

    def _repeat(self, data: bytes) -> bytes:
        """Repeat a part; sometimes so often that it nests deeply."""
        start, stop = self._span(data)
        return data[:stop] + data[start:stop] * self._draw.choice([1, 1, 2, 100]) + data[stop:]

    def _insert(self, data: bytes) -> bytes:
        at = self._draw.randrange(len(data) + 1)
        return data[:at] + self._draw.choice(self._tokens) + data[at:]

    def _replace(self, data: bytes) -> bytes:
        return self._at_one(_WORD, data, self._draw.choice(self._tokens))

    def _number(self, data: bytes) -> bytes:
        return self._at_one(_KINDS[0], data, self._draw.choice(NUMBERS))

    def _byte(self, data: bytes) -> bytes:
        at = self._draw.randrange(len(data) + 1)
        return data[:at] + bytes([self._draw.randrange(256)]) + data[at + 1 :]
