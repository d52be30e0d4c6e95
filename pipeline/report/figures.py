"""The figures of a report for papers, through matplotlib (the extra `report`).

The same runs give the same files, byte for byte: no dates, no random identifiers.
"""

from __future__ import annotations

import math
import re
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, MaxNLocator, NullFormatter

from buchi.pipeline.report.cases import Case, Results, RouteResult
from buchi.pipeline.report.counters import AUTOMATON_PAIRS, AUTOMATON_STATES, Counter, Unit
from buchi.pipeline.whole_files import written_whole

_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "grid.color": "#e4e6ea",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # fonts that publishers accept
    "svg.hashsalt": "buchi",
}
_MARKS = {
    "holds": ("#1f66c9", "o"),
    "violated": ("#d9730d", "^"),
    "unknown": ("#7c828f", "s"),
    "disputed": ("#c9182b", "X"),
}
_HUES = ("#2b5fc4", "#d9730d", "#23875a", "#a13d96", "#b58a00", "#0e8ca3", "#8b5a3c", "#5f6675")
_DASHES = ("-", "--", ":", "-.")
_UNITS = {Unit.SECONDS: " (s)", Unit.BYTES: " (bytes)", Unit.COUNT: ""}


def write_svg(results: Results, counters: Sequence[Counter], folder: Path) -> None:
    """Write each figure to a file named after it."""
    for name, figure in figures(results, counters):
        with mpl.rc_context(_STYLE), written_whole(folder / f"{name}.svg") as file:
            figure.savefig(file.buffer, format="svg", metadata={"Date": None})


def write_pdf(results: Results, counters: Sequence[Counter], file: BinaryIO) -> None:
    """Write all figures to one file, each on a page of its own."""
    with mpl.rc_context(_STYLE), PdfPages(file, metadata={"CreationDate": None}) as pages:
        for _, figure in figures(results, counters):
            pages.savefig(figure)


def figures(results: Results, counters: Sequence[Counter]) -> Iterator[tuple[str, Figure]]:
    """Yield the figures with their names: scatter plots against the baseline, cactus plots, sizes."""
    with mpl.rc_context(_STYLE):
        for counter in counters:
            for number, route in enumerate(results.others, 1):
                name = f"scatter-{counter.name}-{number}-{_slug(results.baseline)}-{_slug(route)}"
                yield name, scatter(results, results.baseline, route, counter)
            yield f"cactus-{counter.name}", cactus(results, counter)
        yield "sizes", sizes(results)


def _slug(route: str) -> str:
    """Return a name that is safe in the name of a file."""
    return re.sub(r"[^A-Za-z0-9.+]+", "_", route).strip("._") or "route"


def _short(route: str, most: int = 32) -> str:
    """Return a label that leaves room for the plot, and whose dollars begin no formula."""
    label = route if len(route) <= most else f"{route[: most - 1]}…"
    label = "".join(c if c.isprintable() else "�" for c in label)
    return label.replace("$", r"\$")


def scatter(results: Results, x: str, y: str, counter: Counter) -> Figure:
    """Draw two routes case by case (seed 003, figures 6, 8 and 9); what did not finish lies on the border."""
    figure = Figure(figsize=(3.6, 3.6), layout="constrained")
    axes = figure.add_subplot()
    marks = [_mark(case, x, y, counter) for case in results.cases if {x, y} <= case.outcomes.keys()]
    low, high = _range([value for mark in marks for value in mark[1:]])
    border = high * (high / low) ** 0.06
    for kind, (colour, shape) in _MARKS.items():
        some = [(_within(a, low, border), _within(b, low, border)) for name, a, b in marks if name == kind]
        _points(axes, some, colour, shape, "disagreement" if kind == "disputed" else kind)
    _diagonals(axes, low, high)
    for line in (axes.axvline, axes.axhline):
        line(border, color="#b4b9c3", linewidth=0.6, linestyle=":")
    _square(axes, low, border * 1.25)
    axes.set_xlabel(f"{_short(x)}: {counter.title.lower()}{_UNITS[counter.unit]}")
    axes.set_ylabel(f"{_short(y)}: {counter.title.lower()}{_UNITS[counter.unit]}")
    return figure


def _mark(case: Case, x: str, y: str, counter: Counter) -> tuple[str, float | None, float | None]:
    kind = "disputed" if case.disputed else case.verdict.value
    return kind, _result(case.outcomes[x], counter), _result(case.outcomes[y], counter)


def _result(outcome: RouteResult, counter: Counter) -> float | None:
    return outcome.value(counter) if outcome.finished else None


def _range(values: Sequence[object]) -> tuple[float, float]:
    positive = [value for value in values if isinstance(value, int | float) and value > 0]
    if not positive:
        return 1, 10
    return min(positive) / 1.3, max(*positive, min(positive) * 10) * 1.3


def _within(value: float | None, low: float, border: float) -> float:
    """Return where a value is drawn: zero at the lower edge, which a logarithm never reaches."""
    return border if value is None else max(value, low)


def _points(axes: Axes, some: Sequence[tuple[float, float]], colour: str, shape: str, label: str) -> None:
    if some:
        xs, ys = zip(*some, strict=True)
        axes.scatter(xs, ys, s=11, c=colour, marker=shape, alpha=0.6, linewidths=0, label=label)


def _diagonals(axes: Axes, low: float, high: float) -> None:
    for factor in (0.01, 0.1, 1, 10, 100):
        style, colour = ("-", "#565c69") if factor == 1 else ("--", "#b4b9c3")
        xs = [max(low, low / factor), min(high, high / factor)]
        if xs[0] < xs[1]:
            axes.plot(xs, [x * factor for x in xs], style, color=colour, linewidth=0.7, zorder=1)


def _square(axes: Axes, low: float, high: float) -> None:
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        _label_powers(axis, high / low)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right", handletextpad=0.1, borderpad=0.2)


def _label_powers(axis: Axis, span: float) -> None:
    """Label the powers of ten and, where there are few of them, numbers in between, but so few that none overlap."""
    between = (1,) if span >= 1000 else (1, 3) if span >= 10 else tuple(range(1, 10))
    axis.set_major_locator(LogLocator(subs=between))
    axis.set_major_formatter(LogFormatterSciNotation(minor_thresholds=(math.inf, math.inf)))
    axis.set_minor_formatter(NullFormatter())


def cactus(results: Results, counter: Counter) -> Figure:
    """Draw how many cases each route finishes within a value."""
    figure = Figure(figsize=(5.2, 3.4), layout="constrained")
    axes = figure.add_subplot()
    for i, route in enumerate(results.routes):
        outcomes = (case.outcomes[route] for case in results.cases if route in case.outcomes)
        values = sorted(value for one in outcomes if (value := _result(one, counter)) is not None)
        style = _DASHES[i // len(_HUES) % len(_DASHES)]
        axes.plot(
            range(1, len(values) + 1),
            values,
            style,
            color=_HUES[i % len(_HUES)],
            linewidth=1.2,
            label=_short(route),
        )
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    _label_powers(axes.yaxis, high / low)
    axes.set_xlabel("Cases finished")
    axes.set_ylabel(f"{counter.title}{_UNITS[counter.unit]}")
    figure.legend(loc="outside right upper")
    return figure


def sizes(results: Results) -> Figure:
    """Draw how many automata have which size (seed 003, figure 7): the area of a circle is their number."""
    found = [_sizes(results, route) for route in results.routes]
    most = max((number for tally in found for number in tally.values()), default=1)
    columns = min(4, len(found))
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(1.9 * columns, 2.1 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for i, axes in enumerate(grid.flat):
        if i < len(found):
            _bubbles(axes, found[i], most, results.routes[i], _HUES[i % len(_HUES)])
            axes.tick_params(labelbottom=i + columns >= len(found))  # the lowest of its column
        else:
            axes.set_axis_off()
    figure.supxlabel("Pairs", fontsize=9)
    figure.supylabel("Automaton states", fontsize=9)
    return figure


def _sizes(results: Results, route: str) -> Tally[tuple[float, float]]:
    outcomes = (case.outcomes[route] for case in results.cases if route in case.outcomes)
    pairs = ((AUTOMATON_PAIRS.of(one.runs[0]), AUTOMATON_STATES.of(one.runs[0])) for one in outcomes)
    return Tally((x, y) for x, y in pairs if x is not None and y is not None and y > 0)


def _bubbles(axes: Axes, tally: Tally[tuple[float, float]], most: int, title: str, colour: str) -> None:
    axes.set_title(_short(title, 22), fontsize=9)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(0.25)  # room for half a circle
    if tally:
        xs, ys = zip(*tally, strict=True)
        areas = [max(4.0, 320 * number / most) for number in tally.values()]
        axes.scatter(xs, ys, s=areas, c=colour, alpha=0.55, linewidths=0)
