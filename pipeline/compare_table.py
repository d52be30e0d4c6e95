"""A comparison as a table for people and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from rich.table import Table
from rich.text import Text

from buchi.pipeline.memory import format_size
from buchi.pipeline.render import STYLES
from buchi.schemas.comparison import Comparison, Row
from buchi.schemas.result import Verdict

Number = int | float | None

COLUMNS: dict[str, Callable[[Row], Number]] = {
    "automaton": lambda row: row.automaton.states if row.automaton else None,
    "edges": lambda row: row.automaton.edges if row.automaton else None,
    "states": lambda row: row.states,
    "transitions": lambda row: row.transitions,
    "post calls": lambda row: row.post_calls,
    "depth": lambda row: row.max_depth,
    "seconds": lambda row: row.seconds,
    "memory": lambda row: row.bytes,
    "length": lambda row: row.counterexample,
}
"""What is compared; in each the least is the best."""
BEST = "*"


def render_comparison(result: Comparison) -> Iterator[Text | Table]:
    """Yield the verdict, the table, and why other routes were not taken."""
    count = len(result.taken())
    how = f"by {count} route{'' if count == 1 else 's'}" + (", interrupted" if result.interrupted else "")
    yield Text.assemble((result.verdict.value, STYLES[result.verdict]), f" {how}")
    yield Text()
    yield compare_table(result)
    yield Text()
    yield from refusals(result)


def compare_table(result: Comparison) -> Table:
    """Return one row for each route that was taken; an asterisk marks the best of each column."""
    table = Table(box=None, pad_edge=False)
    for name in ("kind", "route", "checker", "verdict"):
        table.add_column(name, overflow="fold")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    best = {name: _least(result, read) for name, read in COLUMNS.items()}
    for row in result.taken():
        cells = [_cell(name, read(row), best[name], row) for name, read in COLUMNS.items()]
        table.add_row(row.kind, row.route, row.checker, _verdict(row), *cells)
    return table


def _least(result: Comparison, read: Callable[[Row], Number]) -> Number:
    """Return the least value among the routes that reached a verdict."""
    decided = (row for row in result.taken() if row.verdict is not Verdict.UNKNOWN)
    return min((number for row in decided if (number := read(row)) is not None), default=None)


def _cell(name: str, number: Number, best: Number, row: Row) -> Text:
    if number is None:
        return Text("")
    is_best = number == best and row.verdict is not Verdict.UNKNOWN
    return Text(_shown(name, number) + (BEST if is_best else " "), style="bold green" if is_best else "")


def _shown(name: str, number: int | float) -> str:
    if name == "memory":
        return format_size(int(number))
    return f"{number:.4f}" if name == "seconds" else f"{number:,}"


def _verdict(row: Row) -> str:
    assert row.verdict is not None
    return row.verdict.value + (f" ({row.reason.value})" if row.reason else "")


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
