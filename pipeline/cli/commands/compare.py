"""`buchi compare`: a model and a property by every route."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from buchi.common.errors import InputError
from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import (
    Backend,
    Certified,
    Deadlock,
    Define,
    Fair,
    FairBy,
    ForbiddenFile,
    Json,
    Ltl,
    MaxMemory,
    MaxStates,
    ModelFile,
    Order,
    Overflow,
    checker_option,
    kind_option,
)

if TYPE_CHECKING:
    from buchi.schemas.comparison import Comparison


def compare(
    model: ModelFile,
    define: Define = None,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    via: Annotated[str | None, kind_option("Only automata of this kind.")] = None,
    checker: Annotated[str, checker_option("Only this emptiness check.")] = "auto",
    all_chains: Annotated[
        bool,
        typer.Option("--all-chains", help="Make each kind in every way, with every choice of an option."),
    ] = False,
    jobs: Annotated[
        str | None, typer.Option(metavar="N|auto", help="Take N routes at a time, each in its own process.")
    ] = None,
    isolate: Annotated[
        bool, typer.Option("--isolate", help="Take each route in a process of its own: as --jobs 1.")
    ] = False,
    reduce: Annotated[
        str,
        typer.Option(metavar="auto|on|off", help="Take each route also by stubborn sets; auto: if possible."),
    ] = "off",
    backend: Backend = "auto",
    deadlock: Deadlock = "stutter",
    overflow: Overflow = "wrap",
    order: Order = "model",
    fair: Fair = None,
    fair_by: FairBy = "process",
    certified: Certified = False,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Limit of each translation and each search.")
    ] = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    refusals: Annotated[
        bool, typer.Option("--refusals", help="Tell of each route that was not taken why.")
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
    json: Json = False,
) -> None:
    """Check a model by every route (kind of automaton, translators, emptiness check) and compare the work.

    Exit code: 0 the property holds, 1 it is violated, 2 bad input, 3 unknown (limits, or Ctrl-C), 4 two routes
    disagree, which is a bug.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.compare import compare

        limits = arguments.limits(timeout, max_states, max_memory)
        common = arguments.explore_options(backend, overflow, limits, reduce=reduce)
        options = arguments.check_options(
            common, via, checker, deadlock, order, 1, fair=fair or [], fair_by=fair_by
        )
        options = arguments.with_certificate(options, certified)
        processes = arguments.jobs(jobs, isolate)
        if json and csv:
            raise InputError("--json and --csv exclude each other")
        with output.watching() as watch:
            result = compare(
                arguments.given(model, define),
                ltl=ltl,
                automaton=automaton,
                options=options,
                every_chain=all_chains,
                jobs=processes,
                watch=watch,
            )
        _print(result, as_json=json, as_csv=csv, refused=refusals)
        raise typer.Exit(output.UNKNOWN if result.interrupted else output.exit_code(result.verdict))


def _print(result: Comparison, *, as_json: bool, as_csv: bool, refused: bool) -> None:
    """Print a comparison; with `refused` the text tells of all routes."""
    from buchi.pipeline.cli import compare_table

    if not as_json:
        output.warn_of(result.warnings)
    if as_json:
        output.print_json(result.model_dump_json())
    elif as_csv:
        output.print_document(compare_table.as_csv(result).rstrip("\n"))
    else:
        output.print_lines(
            compare_table.render_comparison(result, refused=refused, width=output.terminal_width())
        )
