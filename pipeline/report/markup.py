"""Tables as HTML. Everything in them is escaped here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape
from itertools import groupby

from buchi.pipeline.cli.report_text import plain
from buchi.pipeline.report.cases import Case, Results
from buchi.pipeline.report.matrices import cells, models, properties, verdict_word
from buchi.pipeline.report.numbers import times
from buchi.pipeline.report.tables import Cell, Number, Ratio, Row, Table, count

MARKS = {"holds": "✓", "violated": "✗", "unknown": "?", "disputed": "⚠"}


def section(table: Table, heading: bool = True) -> str:
    """Return a table with its title, if it has rows; one of many routes is opened when it is wanted."""
    if not table.rows:
        return ""
    if table.groups:
        title = f"{escape(table.title)} <span>({count(len(table.rows), 'route')})</span>"
        return f'<details class="whole"><summary>{title}</summary>{table_html(table)}</details>'
    return f"<h3>{escape(table.title)}</h3>{table_html(table)}" if heading else table_html(table)


def table_html(table: Table, caption: bool = True) -> str:
    """Return a table."""
    text = [any(isinstance(row[i], str) for row in table.rows) for i in range(len(table.columns))]
    head = "".join(_head(title, some) for title, some in zip(table.columns, text, strict=True))
    note = f"<caption>{escape(table.note)}</caption>" if caption and table.note else ""
    return (
        f'<div class="wide"><table class="static" id="{table.name}">{note}<thead><tr>{head}</tr></thead>'
        f"{''.join(_bodies(table))}</table></div>"
    )


def _bodies(table: Table) -> Iterator[str]:
    """Yield the rows, those of a group together and under its name."""
    groups = table.groups or [""] * len(table.rows)
    for group, members in groupby(zip(groups, table.rows, strict=True), key=lambda pair: pair[0]):
        columns = len(table.columns)
        head = f'<tr class="group"><th colspan="{columns}">{escape(group)}</th></tr>' if group else ""
        rows = "\n".join(f"<tr>{''.join(_row(row))}</tr>" for _, row in members)
        yield f"<tbody>{head}{rows}</tbody>"


def _head(title: str, is_text: bool) -> str:
    return f"<th scope=col{'' if is_text else ' class=number'}>{escape(title)}</th>"


def _row(row: Row) -> Iterator[str]:
    yield f"<th scope=row>{escape(str(row[0]))}</th>"
    for cell in row[1:]:
        if isinstance(cell, str):
            yield f"<td>{escape(cell)}</td>"
        else:
            yield f"<td class=number>{_number(cell)}</td>"


def _number(cell: Cell) -> str:
    """Return a number, and its ratio to the baseline."""
    if isinstance(cell, Ratio) and cell.value is not None:
        return f'<span class="{_sense(cell.value)}">{times(cell.value)}</span>'
    if not isinstance(cell, Number) or cell.ratio is None or cell.ratio == 1:
        return escape(plain(cell))
    value = escape(plain(Number(cell.value, cell.unit)))
    return f'{value}<span class="ratio {_sense(cell.ratio)}">{times(cell.ratio)}</span>'


def _sense(ratio: float) -> str:
    """Return how a ratio is coloured: green where it took less, brown where it took more."""
    return "less" if ratio < 0.995 else "more" if ratio > 1.005 else ""


def matrix(results: Results, traced: Collection[int]) -> str:
    """Return the verdicts by model and property; those of the cases that are `traced` lead to their traces."""
    places = cells(results)
    columns = properties(places)
    head = "".join(f"<th scope=col><span>{escape(name)}</span></th>" for name in columns)
    body = "\n".join(_verdicts(results, model, columns, places, traced) for model in models(results))
    upright = " upright" if sum(map(len, columns)) > 90 else ""
    return (
        f'<div class="wide"><table class="static matrix{upright}" id="matrix">'
        f"<thead><tr><th scope=col>Model</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _verdicts(
    results: Results,
    model: str,
    columns: Sequence[str],
    places: dict[tuple[str, str], int],
    traced: Collection[int],
) -> str:
    cells = []
    for column in columns:
        number = places.get((model, column))
        cells.append("<td></td>" if number is None else _verdict(results.cases[number], number, traced))
    return f"<tr><th scope=row>{escape(model)}</th>{''.join(cells)}</tr>"


def _verdict(case: Case, number: int, traced: Collection[int]) -> str:
    word = verdict_word(case)
    text = f"{MARKS[word]} {word}"
    linked = f'<a href="#trace-{number}">{text}</a>' if number in traced else text
    return f'<td class="is-{word}" title="{escape(case.formula)}">{linked}</td>'
