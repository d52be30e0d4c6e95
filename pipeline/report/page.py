"""The report as one HTML page. All text of models, formulas and messages is escaped here or enters as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from buchi.pipeline.pages.assembly import BASE, DOM, assembled, embedded
from buchi.pipeline.report.cases import Results
from buchi.pipeline.report.counters import WORK, Counter
from buchi.pipeline.report.markup import matrix, section, table_html
from buchi.pipeline.report.matrices import are_many, ratios_table
from buchi.pipeline.report.payload import payload
from buchi.pipeline.report.stories import NO_STORIES, Stories
from buchi.pipeline.report.summary import Summary, summarise
from buchi.pipeline.report.tables import (
    comparisons,
    count,
    disputes_table,
    ends_table,
    measured,
    messages_table,
    sizes_table,
    unexpected_table,
)
from buchi.pipeline.traces.page import SCRIPTS as TRACE_SCRIPTS
from buchi.pipeline.traces.page import STYLE as TRACE_STYLE

_SCRIPTS = ("data.js", "table.js", "chart.js", "plots.js", "traces.js", "main.js")
_PACKAGE = "report"


def page(results: Results, version: str, title: str | None = None, stories: Stories = NO_STORIES) -> str:
    """Return the page; `stories` are the counterexamples of its violated cases."""
    summary = summarise(results)
    shown = title or f"{', '.join(summary.experiments)}: report"
    return assembled(
        (_PACKAGE, "page.html"),
        [BASE, (_PACKAGE, "page.css"), TRACE_STYLE],
        [DOM, *TRACE_SCRIPTS, *((_PACKAGE, name) for name in _SCRIPTS)],
        title=escape(shown),
        lead=escape(_lead(summary, results)),
        alarm_link=_alarm_link(summary),
        disagreements=_disagreements(results, summary),
        unexpected=_unexpected(results, summary),
        cards=_cards(summary),
        matrix=matrix(results, stories.of_case),
        matrix_note=escape(_verdicts_note(stories)),
        ends=section(ends_table(results)),
        messages=section(messages_table(results)),
        facts=_facts(summary.facts),
        comparisons="\n".join(_comparison(results, counter) for counter in measured(results, WORK)),
        sizes=section(sizes_table(results), heading=False),
        version=escape(version),
        data=_data("data", embedded(payload(results))),
        stories="".join(_data(f"story-{number}", text) for number, text in stories.of_case.items()),
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
        f" between routes</h2><p>{escape(table.note)}</p>{table_html(table, caption=False)}</section>"
    )


def _unexpected(results: Results, summary: Summary) -> str:
    if not summary.unexpected:
        return ""
    table = unexpected_table(results)
    return (
        '<section class="part alarm" id="surprises" role="alert">'
        f"<h2>{escape(table.title)}</h2>{table_html(table)}</section>"
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
    tables = [
        *([ratios_table(results, counter)] if are_many(results) else []),
        *comparisons(results, [counter]),
    ]
    return (
        f'<div data-counter="{counter.name}" data-title="{escape(counter.title)}">'
        f"{''.join(map(section, tables))}</div>"
    )


def _data(name: str, text: str) -> str:
    return f'<script type="application/json" id="{name}">{text}</script>'


def _verdicts_note(stories: Stories) -> str:
    linked = "A violated case leads to its counterexample." if stories.of_case else ""
    left = f"{count(stories.left_out, 'counterexample')} left out: there is no room for so many steps."
    return f"{linked} {left if stories.left_out else ''}".strip()
