"""`buchi explore`: counts the reachable states of a model."""

from __future__ import annotations

from typing import Annotated

import typer

from buchi.common.errors import InputError
from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import (
    Backend,
    Coverage,
    Json,
    MaxMemory,
    MaxStates,
    ModelFile,
    Overflow,
    ReduceToDeadlocks,
    Timeout,
    Workers,
)


def explore(
    model: ModelFile,
    workers: Workers = "1",
    coverage: Coverage = False,
    reduce: ReduceToDeadlocks = False,
    backend: Backend = "auto",
    overflow: Overflow = "wrap",
    timeout: Timeout = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    mcc: Annotated[bool, typer.Option("--mcc", help="Print what the Model Checking Contest reads.")] = False,
    json: Json = False,
) -> None:
    """Count the reachable states of a model.

    Exit code: 0 all were visited, 1 an assertion of the model fails, 2 bad input, 3 a limit was reached, or Ctrl-C.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.cli.render import render_explore
            from buchi.pipeline.explore import explore, json_chunks

            if mcc:
                from buchi.models.pnml.encode import tokens

        limits = arguments.limits(timeout, max_states, max_memory)
        options = arguments.explore_options(
            backend, overflow, limits, workers or "1", coverage, "on" if reduce else "off"
        )
        if mcc and coverage:
            raise InputError("--mcc and --coverage exclude each other")
        if mcc and reduce:
            raise InputError("--mcc counts all states of a net, and --reduce leaves some out")
        with output.watching() as watch:
            ended = explore(model, options, watch, tokens) if mcc else explore(model, options, watch)
        if json:
            output.print_json_chunks(json_chunks(ended))
        elif mcc:
            from buchi.pipeline.cli.mcc import state_space

            output.print_lines(state_space(ended, options.workers))
        else:
            from buchi.pipeline.cli.coverage_text import render_coverage

            output.print_lines(render_explore(ended))
            output.print_lines(render_coverage(ended.coverage))
        found = output.HOLDS if ended.found is None else output.VIOLATED
        raise typer.Exit(output.UNKNOWN if ended.reason else found)
