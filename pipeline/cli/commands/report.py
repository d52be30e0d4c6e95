"""`buchi report`: what a store of runs says, on the terminal, as a page, and for papers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buchi.pipeline import isolation, memory
from buchi.pipeline.cli import output

if TYPE_CHECKING:
    from buchi.pipeline.report.cases import Results
    from buchi.pipeline.report.counters import Counter
    from buchi.schemas.run import RunRecord


def report(
    results: Annotated[
        list[str], typer.Argument(metavar="RESULTS...", help="Files of results, made by `buchi run`.")
    ],
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write one page, to be opened offline.")
    ] = None,
    svg: Annotated[str | None, typer.Option(metavar="DIR", help="Write the figures as SVG files.")] = None,
    pdf: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the figures, one on each page.")
    ] = None,
    latex: Annotated[str | None, typer.Option(metavar="FILE", help="Write the tables as LaTeX.")] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="ROUTE", help="Compare with this route; else tgba, or one that decided the most cases."
        ),
    ] = None,
    route: Annotated[
        list[str] | None,
        typer.Option(metavar="ROUTE", help="Compare only these routes, in this order; repeatable."),
    ] = None,
    counter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COUNTER", help="What figures, LaTeX and terminal compare by; else seconds; repeatable."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the page.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the tables as one JSON object.")] = False,
) -> None:
    """Report on the runs of an experiment: disagreements, comparisons of routes, plots.

    Exit code: 0 done (also where routes disagree, which is shown first and in red), 2 bad input.
    """
    with output.reported(json):
        from buchi.pipeline.experiments.together import Together
        from buchi.pipeline.report import writing
        from buchi.pipeline.report.cases import gather
        from buchi.pipeline.report.counters import find

        counters = [find(name) for name in counter or ["seconds"]]
        _check_targets(results, (html, latex, pdf))
        isolation.stage("reading the results", reads=True)
        isolation.limit(None, memory.default_limit())
        gathered = gather(_records(results), route or (), baseline)
        isolation.stage("making the report")
        if html is not None:
            with Together.open(results) as kept:
                writing.write_html(gathered, Path(html), title, kept)
        if latex is not None:
            writing.write_latex(gathered, Path(latex), counters)
        if svg is not None or pdf is not None:
            writing.write_figures(gathered, counters, svg=_path(svg), pdf=_path(pdf))
        _print(gathered, counters, as_json=json)


def _check_targets(results: list[str], files: tuple[str | None, ...]) -> None:
    """Refuse to write a file over results, before anything is written."""
    from buchi.pipeline.experiments.store import refuse_to_replace

    for file in filter(None, files):
        for path in results:
            refuse_to_replace(Path(path), Path(file))


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _records(paths: list[str]) -> Iterator[RunRecord]:
    from buchi.pipeline.experiments.store import Store

    for path in paths:
        with Store.open(path, must_exist=True) as store:
            yield from store.records()


def _print(results: Results, counters: list[Counter], *, as_json: bool) -> None:
    from buchi.pipeline.cli import report_text as terminal

    if as_json:
        output.print_json(terminal.as_json(results, counters))
    else:
        output.print_lines(terminal.lines(results, counters, output.terminal_width()))
