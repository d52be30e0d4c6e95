"""`buchi simulate`: goes through a model step by step."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import Define, Json, ModelFile, Overflow

if TYPE_CHECKING:
    from buchi.pipeline.simulation import Choice, Simulation, Stop


def simulate(
    model: ModelFile,
    define: Define = None,
    random: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Take N steps at random, and ask nothing.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", min=0, help="The seed of random steps; else a new one.")
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A run to follow, of `check --trace` or `simulate --json`."),
    ] = None,
    at: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Begin in state N of the trace; else 0.")
    ] = None,
    watch: Annotated[
        list[str] | None,
        typer.Option(metavar="EXPR", help="Show a variable or proposition in each state; repeatable."),
    ] = None,
    stop: Annotated[
        list[str] | None,
        typer.Option("--break", metavar="EXPR", help="Stop walks where this holds; repeatable."),
    ] = None,
    overflow: Overflow = "wrap",
    json: Json = False,
) -> None:
    """Go through a model step by step: choose, undo, walk at random, stop at propositions.

    Commands are read from standard input, each on a line; `help` lists them. Exit code: 0 done, 1 an assertion of the
    model fails where --random ends, 2 bad input, 3 Ctrl-C.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments, isolation
            from buchi.pipeline.simulation import Simulation, Stop, evaluator_of
            from buchi.schemas.simulation import End

        seed = arguments.seed(seed)
        arguments.check_position(trace, at)
        evaluator = evaluator_of(arguments.given(model, define), arguments.overflow(overflow))
        simulation = Simulation(evaluator, seed)
        simulation.look_at(watch or [], stop or [])
        followed = _followed(simulation, trace, at or 0)
        isolation.stage("simulating")
        if random is not None:
            raise typer.Exit(_walk(simulation, random, as_json=json))
        from buchi.pipeline.cli.simulator import Simulator

        beside = redirect_stdout(sys.stderr) if json else nullcontext()
        with output.in_parts(), beside:
            Simulator(simulation, followed).converse()
        if json:
            output.print_json_chunks(simulation.result(Stop(End.STEPS)).json_chunks())


def _followed(simulation: Simulation, trace: str | None, at: int) -> list[Choice] | None:
    """Follow a run of a file, and stop at a state of it."""
    if trace is None:
        return None
    from buchi.pipeline.trace_reading import read_trace

    run = read_trace(Path(trace), simulation.evaluator)
    simulation.follow(run)
    simulation.go(at)
    return run


def _walk(simulation: Simulation, steps: int, *, as_json: bool) -> int:
    """Walk at random, show the run, and return the exit code."""
    first = simulation.position
    stop = simulation.walk(steps)
    if as_json:
        output.print_json_chunks(simulation.result(stop).json_chunks())
    else:
        _show(simulation, first, stop)
    return _code(stop)


def _code(stop: Stop) -> int:
    from buchi.schemas.simulation import End

    codes = {End.ASSERTION: output.VIOLATED, End.ERROR: output.BAD_INPUT, End.INTERRUPTED: output.UNKNOWN}
    return codes.get(stop.end, output.HOLDS)


def _show(simulation: Simulation, first: int, stop: Stop) -> None:
    from buchi.common.words import counted
    from buchi.pipeline.cli.lines import line
    from buchi.pipeline.cli.simulation_text import state_lines, walked_lines, watched_lines

    last = simulation.position
    output.decide(_code(stop))
    output.print_lines(state_lines(simulation, first, first))
    output.print_lines(walked_lines(simulation, first, stop))
    output.print_lines(watched_lines(simulation))
    output.print_lines([line(f"{counted(last - first, 'step')} with seed {simulation.seed}", style="dim")])
