"""The report on the terminal, for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from io import StringIO
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as Shown
from rich.text import Text

from buchi.pipeline.report.cases import Results
from buchi.pipeline.report.counters import Counter
from buchi.pipeline.report.numbers import MISSING, times, written
from buchi.pipeline.report.summary import certified_share, summarise
from buchi.pipeline.report.tables import (
    Cell,
    Percent,
    Table,
    comparisons,
    count,
    disputes_table,
    ends_table,
    messages_table,
    sizes_table,
    unexpected_table,
)

WIDEST = 160
"""A table that is wider than the terminal is broken by the terminal: figures broken within cells read worse."""


def shown(table: Table, style: str = "") -> Shown:
    """Return a table to be printed."""
    result = Shown(
        title=Text(plain(table.title), style="bold"),
        title_justify="left",
        caption=Text(plain(table.note)) if table.note else None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        style=style,
    )
    for i, title in enumerate(table.columns):
        text = any(isinstance(row[i], str) for row in table.rows)
        result.add_column(Text(title), justify="left" if text else "right", overflow="fold")
    for row in table.rows:
        result.add_row(*(Text(plain(cell), style=style) for cell in row))
    return result


def plain(cell: Cell) -> str:
    """Return a cell as text; a name cannot steer the terminal."""
    if isinstance(cell, str):
        return "".join(c if c.isprintable() else "�" for c in cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, Percent):
        return MISSING if cell.value is None else f"{cell.value:.1f} %"
    ratio = "" if cell.ratio is None or cell.ratio == 1 else f" {times(cell.ratio)}"
    return written(cell.value, cell.unit) + ratio


def lines(results: Results, counters: Sequence[Counter], width: int) -> list[Text]:
    """Return a report for a terminal of this width: disagreements first."""
    printed = StringIO()
    wide = Console(file=printed, force_terminal=True, width=max(width, WIDEST), highlight=False)
    _show(results, counters, wide)
    found = map(Text.from_ansi, printed.getvalue().splitlines())
    return [*found]


def _show(results: Results, counters: Sequence[Counter], console: Console) -> None:
    summary = summarise(results)
    parts = (count(summary.runs, "run"), count(summary.cases, "case"), count(summary.routes, "route"))
    replaced = f" ({count(results.replaced, 'earlier run')} of the same left out)" if results.replaced else ""
    share = certified_share(results)
    console.print(Text(", ".join(parts) + replaced + (f"; certified: {share}" if share else "")))
    if summary.disputed:
        console.print(Text(f"{count(summary.disputed, 'disagreement')} between routes", style="bold red"))
        console.print(shown(disputes_table(results), style="red"))
    if summary.unexpected:
        console.print(shown(unexpected_table(results), style="red"))
    for table in _tables(results, counters):
        console.print(shown(table))


def _tables(results: Results, counters: Sequence[Counter]) -> list[Table]:
    found = [
        ends_table(results),
        messages_table(results),
        *comparisons(results, counters),
        sizes_table(results),
    ]
    return [table for table in found if table.rows]


def as_json(results: Results, counters: Sequence[Counter]) -> str:
    """Return a report as one JSON object: what was run, who disagrees, and the tables with all digits."""
    tables = [disputes_table(results), unexpected_table(results), *_tables(results, counters)]
    content = {
        **asdict(summarise(results)),
        "facts": dict(summarise(results).facts),
        "baseline": results.baseline,
        "tables": {table.name: _as_data(table) for table in tables},
    }
    return json.dumps(content)


def _as_data(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "note": table.note,
        "columns": table.columns,
        "rows": [[asdict(cell) if is_dataclass(cell) else cell for cell in row] for row in table.rows],
    }
