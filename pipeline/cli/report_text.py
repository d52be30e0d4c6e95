"""The report on the terminal, for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from io import StringIO
from itertools import zip_longest
from typing import Any, Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Shown
from rich.text import Text

from buchi.pipeline.report.cases import Results
from buchi.pipeline.report.counters import Counter
from buchi.pipeline.report.matrices import are_many, best_table, counts_table, ratios_table, verdicts_table
from buchi.pipeline.report.numbers import MISSING, times, written
from buchi.pipeline.report.summary import certified_share, summarise
from buchi.pipeline.report.tables import (
    Cell,
    Percent,
    Ratio,
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
"""Columns of a page of text where there is no terminal."""
NARROWEST = 12
"""Columns that a text has at least; it is broken, which a number never is."""
_GAP, _EDGES = 3, 1
"""Columns between those of a table, and on its outside."""


def shown(table: Table, width: int = WIDEST, style: str = "") -> Shown:
    """Return a table to be printed within a width: columns for which there is no room are left out, and named."""
    kept = fitting(table, width)
    left_out = table.columns[len(kept) :]
    note = f"{table.note} No room for: {', '.join(left_out)}.".strip() if left_out else table.note
    result = Shown(
        title=Text(plain(table.title), style="bold"),
        title_justify="left",
        caption=Text(plain(note)) if note else None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        style=style,
    )
    for title, is_text in zip(table.columns, kept, strict=False):
        overflow: Literal["fold", "ellipsis"] = "fold" if is_text else "ellipsis"
        justify: Literal["left", "right"] = "left" if is_text else "right"
        result.add_column(Text(plain(title)), justify=justify, overflow=overflow, no_wrap=not is_text)
    for row, group, before in zip_longest(table.rows, table.groups, ("", *table.groups)[: len(table.rows)]):
        if group and group != before:
            result.add_row(Text(group, style="bold cyan"))
        result.add_row(*(Text(plain(cell), style=style) for cell in row[: len(kept)]))
    return result


def fitting(table: Table, width: int) -> list[bool]:
    """Return of each column that fits into a width whether it is text."""
    texts = [any(isinstance(row[i], str) for row in table.rows) for i in range(len(table.columns))]
    used = _EDGES
    kept: list[bool] = []
    for i, is_text in enumerate(texts):
        natural = max((cell_len(plain(row[i])) for row in table.rows), default=0)
        needed = min(max(natural, cell_len(table.columns[i])), NARROWEST if is_text else WIDEST)
        used += needed + _GAP
        if used > width and kept:
            break
        kept.append(is_text)
    return kept


def plain(cell: Cell) -> str:
    """Return a cell as text; a name cannot steer the terminal."""
    if isinstance(cell, str):
        return "".join(c if c.isprintable() else "�" for c in cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, Percent):
        return MISSING if cell.value is None else f"{cell.value:.1f} %"
    if isinstance(cell, Ratio):
        return times(cell.value)
    ratio = "" if cell.ratio is None or cell.ratio == 1 else f" {times(cell.ratio)}"
    return written(cell.value, cell.unit) + ratio


def lines(results: Results, counters: Sequence[Counter], width: int | None = None) -> list[Text]:
    """Return a report for a terminal of this width, or for none: disagreements first."""
    printed = StringIO()
    wide = Console(file=printed, force_terminal=True, width=width or WIDEST, highlight=False)
    _show(results, counters, wide)
    found = map(Text.from_ansi, printed.getvalue().splitlines())
    return [*found]


def _show(results: Results, counters: Sequence[Counter], console: Console) -> None:
    summary = summarise(results)
    parts = (count(summary.runs, "run"), count(summary.cases, "case"), count(summary.routes, "route"))
    replaced = f" ({count(results.replaced, 'earlier run')} of the same left out)" if results.replaced else ""
    share = certified_share(results)
    certified = f"; certified: {share}" if share else ""
    compared = f"; compared with {plain(results.baseline)}" if results.others else ""
    console.print(Text(", ".join(parts) + replaced + certified + compared))
    if summary.disputed:
        console.print(Text(f"{count(summary.disputed, 'disagreement')} between routes", style="bold red"))
        console.print(shown(disputes_table(results), console.width, style="red"))
    if summary.unexpected:
        console.print(shown(unexpected_table(results), console.width, style="red"))
    for table in _printed(results, counters, console.width):
        console.print()
        console.print(shown(table, console.width))


def _printed(results: Results, counters: Sequence[Counter], width: int) -> list[Table]:
    """Return the tables that people read: of many routes groups and the best, not all."""
    verdicts = verdicts_table(results)
    whole = len(fitting(verdicts, width)) == len(verdicts.columns)
    first = verdicts if whole else counts_table(results)
    if not are_many(results):
        return [first, *_tables(results, counters)]
    compared = [
        table
        for counter in counters
        for table in (
            ratios_table(results, counter),
            best_table(results, counter),
        )
    ]
    return [table for table in (first, messages_table(results), *compared) if table.rows]


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
    tables = [disputes_table(results), unexpected_table(results), verdicts_table(results)]
    tables += _tables(results, counters)
    tables += [ratios_table(results, counter) for counter in counters if are_many(results)]
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
