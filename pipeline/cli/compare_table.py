"""A comparison as a table for people and as CSV."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from buchi.common.ends import Verdict
from buchi.common.option_names import option
from buchi.common.words import counted, duration, harmless_cell
from buchi.pipeline.cli.render import STYLES
from buchi.pipeline.memory import format_size
from buchi.schemas.comparison import Comparison, Row

Number = int | float | None
Line = list[Text]

SIZES: dict[str, Callable[[Row], Number]] = {
    "state": lambda row: row.automaton.states if row.automaton else None,
    "edge": lambda row: row.automaton.edges if row.automaton else None,
}
COUNTERS: dict[str, Callable[[Row], Number]] = {
    "states": lambda row: row.states,
    "transitions": lambda row: row.transitions,
    "posts": lambda row: row.post_calls,
    "depth": lambda row: row.max_depth,
    "time": lambda row: row.seconds,
    "memory": lambda row: row.bytes,
    "length": lambda row: row.counterexample,
}
"""What is compared of an automaton and of a search; in each the least is the best."""
BEST = "*"


def render_comparison(
    result: Comparison, *, refused: bool = False, width: int | None = None
) -> Iterator[Text]:
    """Yield the verdict, the table, and how many other routes were not taken, or with `refused` why not.

    `width` is that of the terminal, if the table goes to one.
    """
    ended = ", interrupted" if result.interrupted else ""
    yield Text.assemble((result.verdict.value, STYLES[result.verdict]), _by_how_many(result), ended)
    yield from (Text(assertion) for assertion in dict.fromkeys(_failed_assertions(result)))
    if result.taken():
        yield from compare_table(result, width)
    yield Text()
    yield from refusals(result) if refused or not result.taken() else _not_taken(result)


def _failed_assertions(result: Comparison) -> Iterator[str]:
    return (row.assertion.words() for row in result.rows if row.assertion is not None)


def _by_how_many(result: Comparison) -> str:
    """Count the routes that gave the verdict; some may have reached a limit instead."""
    taken = len(result.taken())
    if taken == 0:
        return ": no route was taken"
    agreed = sum(row.verdict is result.verdict for row in result.taken())
    routes = counted(taken, "route")
    proved = sum(row.certified is not None for row in result.taken())
    certified = f", {proved:,} of them certified" if proved else ""
    return f" by {routes}{certified}" if agreed == taken else f" by {agreed:,} of {routes}{certified}"


def compare_table(result: Comparison, width: int | None = None) -> Iterator[Text]:
    """Yield a heading for each automaton and a line for each checker; an asterisk marks the best of each column.

    Numbers are exact where the table then fits into `width`.
    """
    groups = [list(rows) for _, rows in groupby(result.taken(), key=lambda row: (row.kind, row.route))]
    best = _least(result, SIZES)
    title, *lines = _searches(result, _EXACT)
    if width is not None and max(map(len, (title, *lines))) > width:
        title, *lines = _searches(result, _SHORT)
    yield title
    for rows in groups:
        yield from _heading(rows[0], best, width)
        yield from (lines.pop(0) for _ in rows)


def _least(result: Comparison, columns: dict[str, Callable[[Row], Number]]) -> dict[str, Number]:
    """Return the least value of each column among the routes that reached a verdict."""
    decided = result.decided()
    return {
        name: min((number for row in decided if (number := read(row)) is not None), default=None)
        for name, read in columns.items()
    }


def _heading(row: Row, best: dict[str, Number], width: int | None) -> Iterator[Text]:
    """Yield what is known of an automaton; where the route does not fit beside it, it goes below."""
    sizes = [_size(noun, read(row), best[noun]) for noun, read in SIZES.items()]
    heading = Text.assemble((row.kind, "bold"), ": ", sizes[0], ", ", sizes[1])
    route = f"({row.route})"
    if width is None or len(heading) + 2 + len(route) <= width:
        yield heading.append(f"  {route}", "dim")
        return
    yield heading
    yield from (Text(f"    {line}", "dim") for line in textwrap.wrap(route, max(width - 4, 20)))


def _size(noun: str, count: Number, best: Number) -> Text:
    return _marked(f"{count:,}", count == best).append(f" {noun}" if count == 1 else f" {noun}s")


@dataclass(frozen=True)
class _Writing:
    """How the cells of a table are written."""

    titles: Mapping[str, str]
    number: Callable[[int], str]
    unknown: str

    def cell(self, name: str, number: Number, best: Number, row: Row) -> Text:
        """Return a number and whether it is the best: so is each time and size that is shown as the same."""
        if number is None:
            return Text("")
        shown = self._shown(name, number)
        rounded = name in ("time", "memory") and best is not None and shown == self._shown(name, best)
        is_best = (number == best or rounded) and row.verdict is not Verdict.UNKNOWN
        return _marked(shown, is_best)

    def _shown(self, name: str, number: int | float) -> str:
        if name == "time":
            return duration(number)
        return format_size(int(number)) if name == "memory" else self.number(int(number))

    def ended(self, row: Row) -> Text:
        """Return what is to be said of a search beside its counters."""
        words = [f"{row.passes} passes"] if row.passes and row.passes > 1 else []
        words += [self.unknown.format(row.reason.value)] if row.reason else []
        words += [f"error: {row.error}"] if row.error else []
        return Text(", ".join(words), style="dim")


def _abbreviated(number: int) -> str:
    """Return a number in six characters at most, as far as there are prefixes."""
    if number < 100_000:
        return f"{number:,}"
    value, prefix = number / 1000, "k"
    for larger in "MGT":
        if value < 999.5:
            break
        value, prefix = value / 1000, larger
    return f"{value:.0f}{prefix}" if value >= 99.95 else f"{value:.1f}{prefix}"


_EXACT = _Writing({name: name for name in COUNTERS}, "{:,}".format, "unknown: {}")
_SHORT = _Writing({**_EXACT.titles, "transitions": "trans."}, _abbreviated, "({})")


def _searches(result: Comparison, writing: _Writing) -> list[Text]:
    """Return the line of titles, and one for each search."""
    best = _least(result, COUNTERS)
    lines = [[Text("checker"), *(Text(writing.titles[name]) for name in COUNTERS), Text()]]
    for row in result.taken():
        cells = [writing.cell(name, read(row), best[name], row) for name, read in COUNTERS.items()]
        lines.append([Text(row.check or ""), *cells, writing.ended(row)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [_aligned(line, widths, "" if i else "dim") for i, line in enumerate(lines)]


def _aligned(line: Line, widths: Sequence[int], style: str = "") -> Text:
    """Return the cells in their columns: the first to the left, counters to the right, the end as it is."""
    first, *counters, ended = line
    text = Text("  ", style=style).append(first).append(" " * (widths[0] - len(first)))
    for cell, width in zip(counters, widths[1:-1], strict=True):
        room = "" if cell.plain.endswith(BEST) else " "  # where other lines have the mark
        text.append(" " * (width - len(cell) + 2 - len(room))).append(cell).append(room)
    if not counters[-1]:
        text.rstrip()
        text.append(" ")
    text.append(" ").append(ended)
    text.rstrip()
    return text


def _marked(shown: str, is_best: bool) -> Text:
    return Text(shown + BEST * is_best, style="bold green" if is_best else "")


def _not_taken(result: Comparison) -> Iterator[Text]:
    """Say that there are more routes, and of which kinds none was taken."""
    count = len(result.rows) - len(result.taken())
    if count == 0:
        return
    taken = {row.kind for row in result.taken()}
    absent = ", ".join(dict.fromkeys(row.kind for row in result.rows if row.kind not in taken))
    among = f", among them all to {absent}" if absent else ""
    yield Text(f"{counted(count, 'route')} not taken{among}: {option('refusals')} tells why", style="dim")


def refusals(result: Comparison) -> Iterator[Text]:
    """Yield a line for each reason why routes of a kind were not taken."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for row in result.rows:
        if row.refusal is not None:
            groups.setdefault((row.kind, row.route, row.refusal), []).append(row.checker or "")
    for (kind, route, refusal), checkers in groups.items():
        who = " ".join(filter(None, checkers))
        yield Text(f"{kind} ({route}){f' {who}' if who else ''}: {refusal}", style="dim")


def as_csv(result: Comparison) -> str:
    """Return all rows as CSV, those that were not taken with the reason."""
    out = io.StringIO()
    rows = [_flat(row) for row in result.rows]
    writer = csv.DictWriter(out, _FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


_SIZES = ("states", "edges", "sets", "pairs")
_FIELDS = [
    name
    for field in Row.model_fields
    for name in ([f"automaton_{size}" for size in _SIZES] if field == "automaton" else [field])
]


def _flat(row: Row) -> dict[str, object]:
    cells: dict[str, object] = row.model_dump(mode="json", exclude={"automaton"})
    cells["translators"] = row.route
    cells["assertion"] = row.assertion and row.assertion.words()
    cells = {name: harmless_cell(cell) for name, cell in cells.items()}
    size = row.automaton
    return {**cells, **({f"automaton_{name}": getattr(size, name) for name in _SIZES} if size else {})}
