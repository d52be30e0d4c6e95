"""Options of `buchi check` alone."""

from __future__ import annotations

from json import dumps
from typing import Annotated

import typer

from buchi.pipeline.cli import output


def _print_schema(wanted: bool) -> None:
    if wanted:
        from buchi.schemas.properties import Properties

        output.print_json(dumps(Properties.model_json_schema(), indent=1))
        raise typer.Exit


Properties = Annotated[
    str | None,
    typer.Option(metavar="FILE.yaml", help="A file of named formulas; a verdict for each of them."),
]
DeadlockFree = Annotated[
    bool, typer.Option("--deadlock-free", help="That some command is always enabled is the property.")
]
End = Annotated[
    str | None,
    typer.Option(metavar="FORMULA", help="The same, but the model may end in states of which this holds."),
]
Mcc = Annotated[
    str | None,
    typer.Option(metavar="FILE.xml", help="Formulas of the Model Checking Contest; limits hold for each."),
]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Only this property, or formula of --mcc; repeatable."),
]
Jobs = Annotated[
    str | None, typer.Option(metavar="N|auto", help="Check N properties, or formulas, at a time.")
]
Shortest = Annotated[
    bool, typer.Option("--shortest", help="A counterexample of minimal length; takes longer.")
]
Race = Annotated[bool, typer.Option("--race", help="Several orders and checks race; the first verdict wins.")]
Isolate = Annotated[
    bool,
    typer.Option("--isolate", help="Search in other processes: one for each clause of the acceptance."),
]
Trace = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the counterexample to FILE: .html is a page to step through, .itf.json ITF, else JSON.",
    ),
]
Certificate = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write the evidence for `holds` to FILE; see `buchi certify`."),
]
Junit = Annotated[
    str | None, typer.Option(metavar="FILE.xml", help="Write the verdicts to FILE, as JUnit XML.")
]
Sarif = Annotated[
    str | None, typer.Option(metavar="FILE.sarif", help="Write the verdicts to FILE, as SARIF.")
]
Schema = Annotated[
    bool,
    typer.Option(
        "--schema",
        callback=_print_schema,
        is_eager=True,
        help="Print the JSON Schema of property files, for editors.",
    ),
]
