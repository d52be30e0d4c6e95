"""The verdicts on several properties for people: a row for each when it is known, and then what went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len, set_cell_size

from buchi.common.words import duration
from buchi.pipeline.cli.lines import Line, line
from buchi.pipeline.cli.render import REASONS
from buchi.pipeline.cli.trace_text import Shown, render_counterexample
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts

if TYPE_CHECKING:
    from buchi.pipeline.property_files import Wanted

NARROWEST = 16
"""Columns that a name has at least, as long as there is another column to leave out."""
GAP = 2
_STYLES = {
    Outcome.PASSED: "bold green",
    Outcome.FAILED: "bold red",
    Outcome.UNKNOWN: "bold yellow",
    Outcome.ERROR: "bold red",
    Outcome.BUG: "bold red",
}


class Column(NamedTuple):
    """A column beside that of the names: its title, and how wide it is."""

    title: str
    width: int
    right: bool = False


VERDICT, EXPECTED = Column("verdict", 8), Column("expected", 12)
STATES, TIME = Column("states", 13, right=True), Column("time", 10, right=True)


class Table:
    """A table whose rows are printed one by one, so that its columns are as wide as they may have to be."""

    def __init__(self, properties: Sequence[Wanted], width: int | None) -> None:
        self._begun = False
        expects = any(wanted.expected for wanted in properties)
        self._columns = [VERDICT, *[EXPECTED] * expects, STATES, TIME]
        self._name = max(len("property"), *(cell_len(_plain(wanted.name)) for wanted in properties))
        if width is not None:
            while len(self._columns) > 1 and self._left(width) < min(self._name, NARROWEST):
                self._columns.pop()
            self._name = max(1, min(self._name, self._left(width)))

    def _left(self, width: int) -> int:
        """Return the columns of a terminal that are left for names."""
        return width - sum(GAP + column.width for column in self._columns)

    def lines(self, one: PropertyVerdict) -> Iterator[Line]:
        """Yield the row of a property; before the first one, the titles."""
        if not self._begun:
            self._begun = True
            titles = [self._shortened("property"), *(_fitted(c.title, c) for c in self._columns)]
            yield _row([(title, "dim") for title in titles])
        yield self._row(one)

    def _row(self, one: PropertyVerdict) -> Line:
        style = {VERDICT: _STYLES[one.outcome]}
        cells = [(_fitted(_cell(one, column), column), style.get(column, "")) for column in self._columns]
        return _row([(self._shortened(_plain(one.name)), ""), *cells])

    def _shortened(self, name: str) -> str:
        if cell_len(name) > self._name:
            return set_cell_size(name, self._name - 1) + "…"
        return set_cell_size(name, self._name)


def _row(cells: Sequence[tuple[str, str]]) -> Line:
    """Return the cells with gaps between them, and nothing behind the last."""
    pieces: list[str | tuple[str, str]] = []
    for i, (text, style) in enumerate(cells):
        pieces += [" " * GAP] if i else []
        pieces.append((text if i + 1 < len(cells) else text.rstrip(), style))
    return line(*pieces)


def _fitted(text: str, column: Column) -> str:
    return text.rjust(column.width) if column.right else text.ljust(column.width)


def _cell(one: PropertyVerdict, column: Column) -> str:
    if column is VERDICT:
        return one.verdict.value if one.error is None else one.outcome.value
    if column is EXPECTED:
        as_expected = "yes" if one.outcome is Outcome.PASSED else f"no: {one.expected and one.expected.value}"
        return as_expected if one.expected else ""
    if one.result is None:
        return ""
    return f"{one.result.states:,}" if column is STATES else duration(one.result.seconds)


def details(verdicts: Verdicts, trace: str | None = None, width: int | None = None) -> Iterator[Line]:
    """Yield how many passed, and of each property that did not what there is to tell."""
    yield line(verdicts.summary())
    for one in verdicts.properties:
        if one.outcome is not Outcome.PASSED:
            yield line("")
            yield from _detail(one, trace, width)


def _detail(one: PropertyVerdict, trace: str | None, width: int | None) -> Iterator[Line]:
    result = one.result
    why = f": {REASONS[result.reason]}" if result is not None and result.reason else ""
    word = one.verdict.value if one.error is None else one.outcome.value
    expected = f", {one.expected.value} was expected" if one.expected else ""
    yield line((_plain(one.name), "bold"), "  ", (word, _STYLES[one.outcome]), f"{why}{expected}")
    if one.ltl not in (None, one.name):
        yield line(f"  {_plain(one.ltl or '')}", style="dim")
    if one.description:
        yield line(f"  {_plain(one.description)}", style="dim")
    if one.error is not None:
        yield line(one.error)
    if result is not None and result.counterexample is not None:
        yield from render_counterexample(result.counterexample, Shown(trace, result.checker, width))


def _plain(text: str) -> str:
    """Return a text in one line that cannot steer the terminal."""
    return "".join(c if c.isprintable() else "�" for c in text)
