"""`buchi draw`: the state graph of a model, or of its product with an automaton, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buchi.common.errors import InputError, nearest
from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import (
    Deadlock,
    Define,
    ForbiddenFile,
    Ltl,
    ModelFile,
    Overflow,
    kind_option,
)

FORMATS = ("dot", "svg")


def draw(
    model: ModelFile,
    define: Define = None,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    via: Annotated[str | None, kind_option("The kind of automaton of a product; else tgba.")] = None,
    around: Annotated[
        str | None, typer.Option(metavar="EXPR", help="Only what is near the nearest state where this holds.")
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Only what is near a state of a run, as `check --trace` writes it."
        ),
    ] = None,
    at: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="State N of the trace; else the last.")
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="At most N steps from there; else 2 around a state."),
    ] = None,
    max_states: Annotated[
        int, typer.Option(metavar="N", min=1, help="At most N states; dashed ones have more behind them.")
    ] = 60,
    watch: Annotated[
        list[str] | None,
        typer.Option(metavar="EXPR", help="Write this on states, and nothing else; repeatable."),
    ] = None,
    format: Annotated[  # noqa: A002  (the name of the option)
        str, typer.Option(metavar="dot|svg", help="Text for Graphviz, or the picture that it makes.")
    ] = "dot",
    deadlock: Deadlock = "stutter",
    overflow: Overflow = "wrap",
) -> None:
    """Draw the states of a model, those around one of them, or those of the product that a check searches.

    Exit code: 0 done, 2 bad input, or there is no Graphviz for --format svg; 3 a limit, or Ctrl-C.
    """
    with output.reported():
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.drawing import Where, drawn

        if format not in FORMATS:
            raise InputError(
                f"there is no format {format!r}", suggestion=nearest(format, FORMATS) or "dot, svg"
            )
        where = Where.of(max_states, depth, around, None if trace is None else Path(trace), at)
        options = arguments.drawing(via, deadlock, overflow)
        picture = drawn(arguments.given(model, define), ltl, automaton, options, where, watch or [])
        output.print_document((picture.svg() if format == "svg" else picture.dot()).rstrip("\n"))
