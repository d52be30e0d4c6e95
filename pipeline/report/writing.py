"""Writes the files of a report. A file that cannot be written is the user's to mend, and named."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from buchi import __version__
from buchi.common.errors import InputError, Place
from buchi.pipeline.report.cases import Results
from buchi.pipeline.report.counters import Counter
from buchi.pipeline.whole_files import written_whole

if TYPE_CHECKING:
    from buchi.pipeline.report.stories import Kept

log = logging.getLogger(__name__)


@contextmanager
def _written(path: Path) -> Iterator[TextIO]:
    with written_whole(path) as file:
        yield file
    log.info("wrote %s", path)


def write_html(results: Results, path: Path, title: str | None, kept: Kept) -> None:
    """Write the page; `kept` has the counterexamples."""
    from buchi.pipeline.report.page import page
    from buchi.pipeline.report.stories import stories

    found = stories(results, kept)
    with _written(path) as file:
        file.write(page(results, __version__, title, found))


def write_latex(results: Results, path: Path, counters: Sequence[Counter]) -> None:
    """Write the tables."""
    from buchi.pipeline.report.latex import latex
    from buchi.pipeline.report.tables import comparisons, ends_table, sizes_table

    tables = [*comparisons(results, counters), sizes_table(results), ends_table(results)]
    with _written(path) as file:
        file.write(latex(tables))


def write_figures(
    results: Results, counters: Sequence[Counter], *, svg: Path | None, pdf: Path | None
) -> None:
    """Write the figures: each as an SVG file of its own, or all into one PDF."""
    try:
        from buchi.pipeline.report import figures
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        hint = "install it with: pip install 'buchi[report]'"
        raise InputError("the figures need matplotlib, which is not installed", suggestion=hint) from None
    if svg is not None:
        _make_folder(svg)
        figures.write_svg(results, counters, svg)
        log.info("wrote %s", svg)
    if pdf is not None:
        with _written(pdf) as file:
            figures.write_pdf(results, counters, file.buffer)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(str(path))) from None
