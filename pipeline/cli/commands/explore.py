"""`buchi explore`: counts the reachable states of a model."""

from __future__ import annotations

import typer

from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import Backend, Json, MaxMemory, MaxStates, ModelFile, Overflow, Timeout


def explore(
    model: ModelFile,
    backend: Backend = "auto",
    overflow: Overflow = "wrap",
    timeout: Timeout = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    json: Json = False,
) -> None:
    """Count the reachable states of a model.

    Exit code: 0 all were visited, 2 bad input, 3 a limit was reached, or Ctrl-C.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.cli.render import render_explore
            from buchi.pipeline.explore import as_json, explore

        limits = arguments.limits(timeout, max_states, max_memory)
        with output.watching() as watch:
            ended = explore(model, arguments.explore_options(backend, overflow, limits), watch)
        if json:
            output.print_json(as_json(ended))
        else:
            output.print_lines(render_explore(ended))
        raise typer.Exit(output.UNKNOWN if ended.reason else output.HOLDS)
