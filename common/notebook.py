"""Results as HTML for notebooks: what the terminal shows, in tables. Everything shown is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from buchi.common.words import counted, duration

if TYPE_CHECKING:
    from buchi.common.ends import Reason, Verdict
    from buchi.schemas.comparison import Comparison, Row
    from buchi.schemas.result import CheckResult, Counterexample, ExploreResult

COLOURS = {"holds": "#1a7f37", "violated": "#b3261e", "unknown": "#8a6100"}
SHOWN_STEPS = 200
"""A longer counterexample is cut: a notebook keeps every line of it."""


def explore_html(result: ExploreResult) -> str:
    """Return the size of a state space."""
    columns = ("states", "transitions", "deadlocks", "bytes")
    row = [*(_count(getattr(result, name)) for name in columns), _time(result.seconds)]
    incomplete = "" if result.reason is None else f"<p>incomplete ({result.reason.value})</p>"
    found = "" if result.counterexample is None else counterexample_html(result.counterexample)
    stuck = "" if result.deadlock is None else f"<p>a deadlock: {_values(result.deadlock)}</p>"
    return incomplete + _table((*columns, "time"), [row]) + stuck + found


def check_html(result: CheckResult) -> str:
    """Return the verdict, the counters and the counterexample."""
    size = f" of {counted(result.automaton.states, 'state')}" if result.automaton else ""
    columns = ("automaton", "checker", "states", "transitions", "post calls", "depth", "time")
    counters = (result.states, result.transitions, result.post_calls, result.max_depth)
    names = (escape(result.kind + size), escape(result.checker or ""))
    table = _table(columns, [[*names, *map(_count, counters), _time(result.seconds)]])
    found = "" if result.counterexample is None else counterexample_html(result.counterexample)
    warned = "".join(f"<p>warning: {escape(str(caution))}</p>" for caution in result.warnings)
    return f"<p>{_verdict(result.verdict, result.reason)}</p>{warned}{table}{found}"


def counterexample_html(found: Counterexample) -> str:
    """Return the states of a counterexample, of each what has changed."""
    steps = found.length if found.deadlock is None else found.deadlock
    left = steps - SHOWN_STEPS
    rest = f"<p>{counted(left, 'more step')} not shown</p>" if left > 0 else ""
    table = _table(("state", "command", "values"), _lines(found, min(steps, SHOWN_STEPS)))
    title = escape(f"counterexample: {found.summary()}")
    return f"<details open><summary>{title}</summary>{table}{rest}</details>"


def _lines(found: Counterexample, shown: int) -> Iterator[tuple[str, str, str]]:
    """Yield number, command and values of the first states; the last step leads back into the cycle."""
    start = len(found.prefix)
    yield "0", "", _values(found.at(0).state)
    for i in range(shown):
        if i == start:
            yield _remark(f"the cycle begins in state {start}")
        before, after = found.at(i), found.at(i + 1)
        yield str(i + 1), escape(before.command or "(no command is enabled)"), _values(after.changes(before))
    if shown == found.deadlock:
        yield _remark("no command is enabled: the model stays in this state for ever")
    elif shown == found.length:
        yield _remark(f"back in state {start}" if found.violation is None else found.violation.words())


def _remark(text: str) -> tuple[str, str, str]:
    return "", "", f"<i>{escape(text)}</i>"


COUNTERS = {
    "states": "states",
    "transitions": "transitions",
    "post_calls": "post calls",
    "max_depth": "depth",
    "seconds": "time",
    "bytes": "bytes",
    "counterexample": "length",
}
"""What routes are compared by, and what that is called."""


def comparison_html(result: Comparison) -> str:
    """Return a row for each route that was taken, the least of each counter in bold."""
    taken = result.taken()
    least = {name: _least(taken, name) for name in COUNTERS}
    columns = ("kind", "route", "automaton", "checker", "verdict", *COUNTERS.values())
    note = f"{counted(len(result.decided()), 'route')}; {len(result.rows) - len(taken):,} not taken"
    ended = ", interrupted" if result.interrupted else ""
    head = f"<p>{_verdict(result.verdict)} by {note}{ended}; forbidden: <code>{escape(result.forbidden)}</code></p>"
    return head + _table(columns, (_route(row, least) for row in taken))


def _least(rows: Sequence[Row], counter: str) -> float | None:
    """Return the least among the routes that came to an answer."""
    values = (getattr(row, counter) for row in rows if row.reason is None)
    return min((value for value in values if value is not None), default=None)


def _route(row: Row, least: Mapping[str, float | None]) -> Iterator[str]:
    yield from map(escape, (row.kind, row.route, str(row.automaton.states if row.automaton else "")))
    yield escape(row.check or "")
    yield _verdict(row.verdict, row.reason) if row.verdict else ""
    for name in COUNTERS:
        number = getattr(row, name)
        shown = "" if number is None else _time(number) if name == "seconds" else _count(number)
        is_least = number is not None and row.reason is None and number == least[name]
        yield f"<b>{shown}</b>" if is_least else shown


def _verdict(verdict: Verdict, reason: Reason | None = None) -> str:
    words = escape(verdict.value + (f" ({reason.value})" if reason else ""))
    return f'<b style="color: {COLOURS[verdict.value]}">{words}</b>'


def _values(state: Mapping[str, str]) -> str:
    return escape(", ".join(f"{name} = {value}" for name, value in state.items()))


def _count(number: int) -> str:
    return f"{number:,}"


def _time(seconds: float) -> str:
    return escape(duration(seconds))


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells that are HTML already."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
