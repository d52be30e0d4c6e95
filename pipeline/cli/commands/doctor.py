"""`buchi doctor`: what is wrong with the installation."""

from __future__ import annotations

from dataclasses import asdict
from json import dumps

import typer

from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import line
from buchi.pipeline.cli.parameters import Json

_SHOWN = {"good": ("ok  ", "green"), "worry": ("note", "yellow"), "failure": ("FAIL", "bold red")}


def doctor(json: Json = False) -> None:
    """Look at the installation: versions, compiler, cache, memory, plugins."""
    with output.reported(json):
        with held_back():
            from buchi.pipeline.cli.examination import Health, examine

        findings = list(examine())
        if json:
            output.print_json(dumps({"findings": [asdict(finding) for finding in findings]}))
        else:
            output.print_lines(
                line(_SHOWN[found.health.value], f"  {found.subject:<12}{found.text}") for found in findings
            )
        failed = any(finding.health is Health.FAILURE for finding in findings)
        raise typer.Exit(output.BAD_INPUT if failed else output.HOLDS)
