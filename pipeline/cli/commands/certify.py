"""`buchi certify`: checks the evidence for a `holds`."""

from __future__ import annotations

from typing import Annotated

import typer

from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import Json, MaxMemory, Timeout, Workers


def certify(
    certificate: Annotated[str, typer.Argument(metavar="FILE", help="The certificate.", show_default=False)],
    model: Annotated[
        str | None,
        typer.Argument(metavar="[MODEL]", help="The model that it has to be of.", show_default=False),
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="small|fast", help="The checker in Python, or the one in C++.")
    ] = None,
    workers: Workers = "auto",
    timeout: Timeout = None,
    max_memory: MaxMemory = None,
    json: Json = False,
) -> None:
    """Check a certificate that `buchi check --certificate` wrote, by a checker that shares nothing with the search.

    Exit code: 0 it proves that the property holds, 2 it does not, or is none, 3 a limit was reached, or Ctrl-C.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.certificates.certifying import certify_file
            from buchi.pipeline.cli.render import render_certified

        limits = arguments.limits(timeout, None, max_memory)
        threads = arguments.workers(workers or "auto")
        certified = certify_file(certificate, model, by, threads, limits)
        if json:
            output.print_json(certified.model_dump_json())
        else:
            output.print_lines(render_certified(certified))
