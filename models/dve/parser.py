"""DVE text to syntax tree. The tree is built while parsing, without a concrete tree in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from lark import Lark, Token, UnexpectedInput

from buchi.common.errors import InputError, Place
from buchi.models.dve import syntax
from buchi.models.expressions import GRAMMAR, ExpressionBuilder, Postfix
from buchi.models.parsers import make_parser
from buchi.models.source import Source

_Node = TypeVar("_Node")


def parse(source: Source) -> syntax.System:
    """Parse a DVE text. Raises InputError."""
    if not source.text.strip():
        raise InputError(
            "the model is empty",
            Place(source.name),
            "a DVE model has processes and ends with 'system async;'",
        )
    parser = _parser()
    try:
        return parser.parse(source.text)  # type: ignore[return-value]
    except UnexpectedInput as error:
        raise source.syntax_error(parser, error) from None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return make_parser("dve", GRAMMAR + grammar, _TreeBuilder())


def _flat(lists: Iterable[list[_Node]]) -> list[_Node]:
    return [node for nodes in lists for node in nodes]


class _TreeBuilder(ExpressionBuilder):
    """One method for each rule of the grammar, called with the results of its parts."""

    def start(self, parts: list[Any]) -> syntax.System:
        """The whole text."""
        mode, name = parts.pop()
        declarations = [part for part in parts if not isinstance(part, syntax.Process)]
        processes = [part for part in parts if isinstance(part, syntax.Process)]
        return syntax.System(declarations, processes, mode, name)

    def system(self, parts: list[Any]) -> tuple[Token, Token | None]:
        """`system async property P;`."""
        return parts[0], parts[1]

    def variables(self, parts: list[Any]) -> syntax.Variables:
        """`const byte a = 1, b[2];`."""
        constant, kind, *items = parts
        return syntax.Variables(constant is not None, kind, items)

    def item(self, parts: list[Any]) -> syntax.Item:
        """`b[2] = {1, 2}`."""
        return syntax.Item(*parts)

    def braces(self, values: list[Postfix]) -> syntax.Braces:
        """`{1, 2}`."""
        return syntax.Braces(values)

    def channels(self, names: list[Token]) -> syntax.Channels:
        """`channel a, b;`."""
        return syntax.Channels(None, [(name, None) for name in names])

    def typed_channels(self, parts: list[Any]) -> syntax.Channels:
        """`channel {byte, int} c[4];`."""
        return syntax.Channels(parts[0], parts[1:])

    def types(self, types: list[Token]) -> list[Token]:
        """`{byte, int}`."""
        return types

    def channel(self, parts: list[Any]) -> tuple[Token, Postfix]:
        """`c[4]`."""
        return parts[0], parts[1]

    def process(self, parts: list[Any]) -> syntax.Process:
        """A process and its sections."""
        name, *sections, transitions = parts

        def every(kind: type[_Node]) -> list[_Node]:
            return [section for section in sections if isinstance(section, kind)]

        declarations = every(syntax.Variables)
        locations, initial = sections[len(declarations) : len(declarations) + 2]
        return syntax.Process(
            name=name,
            declarations=declarations,
            locations=locations,
            initial=initial,
            committed=_flat(section.locations for section in every(syntax.Committed)),
            accepting=_flat(section.locations for section in every(syntax.Accepting)),
            assertions=_flat(section.assertions for section in every(syntax.Assertions)),
            transitions=transitions or [],
        )

    def locations(self, names: list[Token]) -> list[Token]:
        """`state a, b;`."""
        return names

    def initially(self, names: list[Token]) -> Token:
        """`init a;`."""
        return names[0]

    def committed(self, names: list[Token]) -> syntax.Committed:
        """`commit a;`."""
        return syntax.Committed(names)

    def accepting(self, names: list[Token]) -> syntax.Accepting:
        """`accept a;`."""
        return syntax.Accepting(names)

    def assertions(self, parts: list[Any]) -> syntax.Assertions:
        """`assert a: x == 1, b: y == 2;`; a condition ends where the next token begins."""
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return syntax.Assertions([replace(assertion, end=token.start_pos) for assertion, token in pairs])

    def assertion(self, parts: list[Any]) -> syntax.Assertion:
        """`a: x == 1`."""
        location, colon, condition = parts
        return syntax.Assertion(location, condition, colon.end_pos, colon.end_pos)

    def transitions(self, parts: list[syntax.Transition]) -> list[syntax.Transition]:
        """All transitions of a process."""
        return parts

    def transition(self, parts: list[Any]) -> syntax.Transition:
        """`a -> b { ... }`."""
        source, target, guard, sync, effects = parts
        return syntax.Transition(source, target, guard, sync, effects or [])

    def guard(self, parts: list[Any]) -> syntax.Guard:
        """`guard x == 1;`; the text between the outer tokens names the proposition of a property."""
        keyword, condition, end = parts
        return syntax.Guard(condition, keyword.end_pos, end.start_pos)

    def send(self, parts: list[Any]) -> syntax.Send:
        """`sync c!1;`."""
        return syntax.Send(parts[0], parts[1:])

    def receive(self, parts: list[Any]) -> syntax.Receive:
        """`sync c?x;`."""
        return syntax.Receive(parts[0], parts[1:])

    def effects(self, parts: list[syntax.Effect]) -> list[syntax.Effect]:
        """`effect x = 1, y = 2;`."""
        return parts

    def effect(self, parts: list[Any]) -> syntax.Effect:
        """`x = 1`."""
        return syntax.Effect(*parts)

    def target(self, parts: list[Any]) -> syntax.Target:
        """`x` or `a[i]`."""
        return syntax.Target(*parts)
