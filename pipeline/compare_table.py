"""A comparison as a table for people and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby

from rich.text import Text

from buchi.pipeline.memory import format_size
from buchi.pipeline.render import STYLES
from buchi.schemas.comparison import Comparison, Row
from buchi.schemas.result import Verdict

Number = int | float | None
Line = list[Text]

SIZES: dict[str, Callable[[Row], Number]] = {
    "states": lambda row: row.automaton.states if row.automaton else None,
    "edges": lambda row: row.automaton.edges if row.automaton else None,
}
COUNTERS: dict[str, Callable[[Row], Number]] = {
    "states": lambda row: row.states,
    "transitions": lambda row: row.transitions,
    "posts": lambda row: row.post_calls,
    "depth": lambda row: row.max_depth,
    "seconds": lambda row: row.seconds,
    "memory": lambda row: row.bytes,
    "length": lambda row: row.counterexample,
}
"""What is compared of an automaton and of a search; in each the least is the best."""
BEST = "*"


def render_comparison(result: Comparison) -> Iterator[Text]:
    """Yield the verdict, the table, and why other routes were not taken."""
    ended = ", interrupted" if result.interrupted else ""
    yield Text.assemble((result.verdict.value, STYLES[result.verdict]), _by_how_many(result), ended)
    if result.taken():
        yield from compare_table(result)
    yield Text()
    yield from refusals(result)


def _by_how_many(result: Comparison) -> str:
    """Count the routes that gave the verdict; some may have reached a limit instead."""
    taken = len(result.taken())
    if taken == 0:
        return ": no route was taken"
    agreed = sum(row.verdict is result.verdict for row in result.taken())
    count = f"{taken:,}" if agreed == taken else f"{agreed:,} of {taken:,}"
    return f" by {count} route{'' if taken == 1 else 's'}"


def compare_table(result: Comparison) -> Iterator[Text]:
    """Yield a heading for each automaton and a line for each checker; an asterisk marks the best of each column."""
    groups = [list(rows) for _, rows in groupby(result.taken(), key=lambda row: (row.kind, row.route))]
    best_size, best = _least(result, SIZES), _least(result, COUNTERS)
    heads = [Text("checker"), *(Text(name) for name in COUNTERS), Text()]
    searches = [[_search(row, best) for row in rows] for rows in groups]
    widths = [max(map(len, column)) for column in zip(heads, *chain(*searches), strict=True)]
    yield _aligned(heads, widths, style="dim")
    for rows, lines in zip(groups, searches, strict=True):
        yield _heading(rows[0], best_size)
        yield from (_aligned(line, widths) for line in lines)


def _least(result: Comparison, columns: dict[str, Callable[[Row], Number]]) -> dict[str, Number]:
    """Return the least value of each column among the routes that reached a verdict."""
    decided = result.decided()
    return {
        name: min((number for row in decided if (number := read(row)) is not None), default=None)
        for name, read in columns.items()
    }


def _heading(row: Row, best: dict[str, Number]) -> Text:
    sizes = [_size(name, read(row), best[name], row) for name, read in SIZES.items()]
    return Text.assemble((row.kind, "bold"), ": ", sizes[0], ", ", sizes[1], (f"  ({row.route})", "dim"))


def _size(name: str, count: Number, best: Number, row: Row) -> Text:
    noun = name.removesuffix("s") if count == 1 else name
    return _cell(name, count, best, row).append(f" {noun}")


def _search(row: Row, best: dict[str, Number]) -> Line:
    counters = [_cell(name, read(row), best[name], row) for name, read in COUNTERS.items()]
    ended = [f"{row.passes} passes"] if row.passes and row.passes > 1 else []
    ended += [f"unknown: {row.reason.value}"] if row.reason else []
    return [Text(row.checker or ""), *counters, Text(", ".join(ended), style="dim")]


def _aligned(line: Line, widths: Sequence[int], style: str = "") -> Text:
    """Return the cells in their columns: the first to the left, counters to the right, the end as it is."""
    first, *counters, ended = line
    text = Text("  ", style=style).append(first).append(" " * (widths[0] - len(first)))
    for cell, width in zip(counters, widths[1:-1], strict=True):
        room = "" if cell.plain.endswith(BEST) else " "  # where other lines have the mark
        text.append(" " * (width - len(cell) + 2 - len(room))).append(cell).append(room)
    text.append(" ").append(ended)
    text.rstrip()
    return text


def _cell(name: str, number: Number, best: Number, row: Row) -> Text:
    """Return a number and whether it is the best: so is each that is shown as the same."""
    if number is None:
        return Text("")
    shown = _shown(name, number)
    is_best = best is not None and shown == _shown(name, best) and row.verdict is not Verdict.UNKNOWN
    return Text(shown + BEST * is_best, style="bold green" if is_best else "")


def _shown(name: str, number: int | float) -> str:
    if name == "memory":
        return format_size(int(number))
    return f"{number:.3f}" if name == "seconds" else f"{number:,}"


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
    size = row.automaton
    return {**cells, **({f"automaton_{name}": getattr(size, name) for name in _SIZES} if size else {})}
