"""`buchi export`: results as a table for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from buchi.common.words import counted
from buchi.pipeline import isolation, memory
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import line


def export(
    results: Annotated[
        str, typer.Argument(metavar="RESULTS", help="The file of results.", show_default=False)
    ],
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a CSV file, or to standard output with -.")
    ] = None,
    parquet: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a Parquet file; needs pyarrow.")
    ] = None,
) -> None:
    """Write results as a table, one row for each run, for other programs.

    Exit code: 0 written, 2 bad input.
    """
    with output.reported():
        from buchi.common.errors import InputError
        from buchi.pipeline.experiments.export import print_csv, write_csv, write_parquet
        from buchi.pipeline.experiments.store import Store

        if csv is None and parquet is None:
            raise InputError("to what?", suggestion="give --csv FILE or --parquet FILE")
        isolation.stage("reading the results", reads=True)
        isolation.limit(None, memory.default_limit())
        with Store.open(results, must_exist=True) as store:
            if csv == "-":
                print_csv(store, sys.stdout)
            for path, write in ((csv, write_csv), (parquet, write_parquet)):
                if path not in (None, "-"):
                    output.print_lines([line(f"{counted(write(store, Path(path)), 'run')} in {path}")])
