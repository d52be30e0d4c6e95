"""The report as one HTML page. All text of models, formulas and messages is escaped here or enters as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from buchi.pipeline.cli.report_text import plain
from buchi.pipeline.pages.assembly import BASE, DOM, assembled, embedded
from buchi.pipeline.report.cases import Results
from buchi.pipeline.report.counters import WORK, Counter
from buchi.pipeline.report.numbers import times
from buchi.pipeline.report.payload import payload
from buchi.pipeline.report.summary import Summary, summarise
from buchi.pipeline.report.tables import (
    Cell,
    Number,
    Table,
    comparisons,
    count,
    disputes_table,
    ends_table,
    measured,
    messages_table,
    sizes_table,
    unexpected_table,
)

_SCRIPTS = ("data.js", "table.js", "chart.js", "plots.js", "main.js")
_PACKAGE = "report"


def page(results: Results, version: str, title: str | None = None) -> str:
    """Return the page."""
    summary = summarise(results)
    shown = title or f"{', '.join(summary.experiments)}: report"
    return assembled(
        (_PACKAGE, "page.html"),
        [BASE, (_PACKAGE, "page.css")],
        [DOM, *((_PACKAGE, name) for name in _SCRIPTS)],
        title=escape(shown),
        lead=escape(_lead(summary, results)),
        alarm_link=_alarm_link(summary),
        disagreements=_disagreements(results, summary),
        unexpected=_unexpected(results, summary),
        cards=_cards(summary),
        ends=_section(ends_table(results)),
        messages=_section(messages_table(results)),
        facts=_facts(summary.facts),
        comparisons="\n".join(_comparison(results, counter) for counter in measured(results, WORK)),
        sizes=_section(sizes_table(results), heading=False),
        version=escape(version),
        data=embedded(payload(results)),
    )


def _lead(summary: Summary, results: Results) -> str:
    parts = (
        count(summary.runs, "run"),
        count(summary.cases, "case"),
        count(summary.models, "model"),
        count(summary.routes, "route"),
    )
    return f"{' · '.join(parts)} · baseline {results.baseline}"


def _alarm_link(summary: Summary) -> str:
    """Return links to what is wrong, if anything is."""
    alarms = {
        "disagreements": (summary.disputed, count(summary.disputed, "disagreement")),
        "surprises": (summary.unexpected, f"{summary.unexpected:,} not expected"),
    }
    return "".join(
        f'<li><a class="alarm" href="#{place}">{text}</a></li>\n'
        for place, (number, text) in alarms.items()
        if number
    )


def _disagreements(results: Results, summary: Summary) -> str:
    if not summary.disputed:
        kind = "agreed" if summary.compared else "uncompared"
        return f'<p class="{kind}" id="agreed">{_agreed(summary)}</p>'
    table = disputes_table(results)
    return (
        f'<section class="part alarm" id="disagreements" role="alert"><h2>{count(summary.disputed, "disagreement")}'
        f" between routes</h2><p>{escape(table.note)}</p>{_table(table, caption=False)}</section>"
    )


def _unexpected(results: Results, summary: Summary) -> str:
    if not summary.unexpected:
        return ""
    table = unexpected_table(results)
    return (
        '<section class="part alarm" id="surprises" role="alert">'
        f"<h2>{escape(table.title)}</h2>{_table(table)}</section>"
    )


def _agreed(summary: Summary) -> str:
    if not summary.compared:
        return "No case was decided by two routes, so none could be compared."
    return f"✓ No disagreement: {count(summary.compared, 'case')} decided by at least two routes."


def _cards(summary: Summary) -> str:
    shown = (
        *(("", number, noun if number == 1 else f"{noun}s") for number, noun in _counted(summary)),
        ("holds", summary.holds, "holds" if summary.holds == 1 else "hold"),
        ("violated", summary.violated, "violated"),
        ("", summary.unknown, "unknown"),
        ("bad" if summary.failed else "", summary.failed, "failed"),
        ("bad" if summary.disputed else "", summary.disputed, "disputed"),
    )
    items = (f'<li class="{name}"><b>{number:,}</b><span>{what}</span></li>' for name, number, what in shown)
    return f'<ul class="cards">{"".join(items)}</ul>'


def _counted(summary: Summary) -> Iterator[tuple[int, str]]:
    for noun in ("run", "case", "model", "formula", "route"):
        yield getattr(summary, f"{noun}s"), noun


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    lines = (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts)
    return f'<dl class="facts">{"".join(lines)}</dl>'


def _comparison(results: Results, counter: Counter) -> str:
    tables = "".join(map(_section, comparisons(results, [counter])))
    return f'<div data-counter="{counter.name}" data-title="{escape(counter.title)}">{tables}</div>'


def _section(table: Table, heading: bool = True) -> str:
    if not table.rows:
        return ""
    return f"<h3>{escape(table.title)}</h3>{_table(table)}" if heading else _table(table)


def _table(table: Table, caption: bool = True) -> str:
    text = [any(isinstance(row[i], str) for row in table.rows) for i in range(len(table.columns))]
    head = "".join(_head(title, some) for title, some in zip(table.columns, text, strict=True))
    body = "\n".join(f"<tr>{''.join(_row(row))}</tr>" for row in table.rows)
    note = f"<caption>{escape(table.note)}</caption>" if caption and table.note else ""
    return (
        f'<div class="wide"><table class="static" id="{table.name}">{note}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _head(title: str, is_text: bool) -> str:
    return f"<th scope=col{'' if is_text else ' class=number'}>{escape(title)}</th>"


def _row(row: tuple[Cell, ...]) -> Iterator[str]:
    yield f"<th scope=row>{escape(str(row[0]))}</th>"
    for cell in row[1:]:
        if isinstance(cell, str):
            yield f"<td>{escape(cell)}</td>"
        else:
            yield f"<td class=number>{_number(cell)}</td>"


def _number(cell: Cell) -> str:
    """Return a number, and its ratio to the baseline: green where it took less, brown where it took more."""
    if not isinstance(cell, Number) or cell.ratio is None or cell.ratio == 1:
        return escape(plain(cell))
    sense = "less" if cell.ratio < 0.995 else "more" if cell.ratio > 1.005 else ""
    value = escape(plain(Number(cell.value, cell.unit)))
    return f'{value}<span class="ratio {sense}">{times(cell.ratio)}</span>'
