"""`buchi check`: one verdict."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buchi.common.errors import InputError, Place
from buchi.common.interrupts import held_back
from buchi.common.option_names import option as name_of_option
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import (
    Backend,
    Coverage,
    Deadlock,
    Executor,
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
    Pairs,
    Through,
    Timeout,
    TranslatorOptions,
    Workers,
    checker_option,
    kind_option,
    listed,
)

if TYPE_CHECKING:
    from buchi.pipeline.options import CheckOptions
    from buchi.pipeline.routes import Wishes
    from buchi.schemas.result import CheckResult

log = logging.getLogger(__name__)


def check(
    model: ModelFile,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    deadlock_free: Annotated[
        bool, typer.Option("--deadlock-free", help="That some command is always enabled is the property.")
    ] = False,
    end: Annotated[
        str | None,
        typer.Option(
            metavar="FORMULA", help="The same, but the model may end in states of which this holds."
        ),
    ] = None,
    mcc: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.xml", help="Formulas of the Model Checking Contest; limits hold for each."
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this formula of --mcc; repeatable.")
    ] = None,
    jobs: Annotated[
        str | None, typer.Option(metavar="N|auto", help="Answer N formulas of --mcc at a time.")
    ] = None,
    via: Annotated[str | None, kind_option("The kind of automaton to check; else tgba.")] = None,
    through: Through = None,
    option: TranslatorOptions = None,
    checker: Annotated[str, checker_option("The emptiness check; see `buchi plugins`.")] = "auto",
    shortest: Annotated[
        bool, typer.Option("--shortest", help="A counterexample of minimal length; takes longer.")
    ] = False,
    workers: Workers = None,
    pairs: Pairs = "one-by-one",
    race: Annotated[
        bool, typer.Option("--race", help="Several orders and checks race; the first verdict wins.")
    ] = False,
    isolate: Annotated[
        bool,
        typer.Option("--isolate", help="Search in other processes: one for each clause of the acceptance."),
    ] = False,
    executor: Executor = "local",
    coverage: Coverage = False,
    backend: Backend = "auto",
    deadlock: Deadlock = "stutter",
    overflow: Overflow = "wrap",
    order: Order = "model",
    fair: Fair = None,
    fair_by: FairBy = "process",
    timeout: Timeout = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    trace: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the counterexample to FILE, as JSON.")
    ] = None,
    json: Json = False,
) -> None:
    """Check a model against a formula, an automaton, or the property process of the model itself.

    Exit code: 0 the property holds, 1 it is violated, 2 bad input, 3 unknown (a limit, or Ctrl-C). With --mcc, 0 says
    that all formulas are answered.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.check import check
            from buchi.pipeline.routes import Wishes

        limits = arguments.limits(timeout, max_states, max_memory)
        common = arguments.explore_options(backend, overflow, limits, coverage=coverage)
        name = arguments.checker_name(checker, shortest)
        apart = arguments.apart(race, isolate, executor)
        threads = arguments.threads(workers, apart)
        ends = arguments.ends(deadlock_free, end, deadlock)
        options = arguments.check_options(
            common, via, name, deadlock, order, threads, pairs, fair or [], fair_by, ends
        )
        wishes = Wishes.of(listed(through), option or [])
        if trace is not None:
            _check_can_be_written(Path(trace))
        _check_is_alone(mcc, [ltl, automaton, trace, apart, ends, coverage or None], [only, jobs])
        if mcc is not None:
            raise typer.Exit(_examined(model, mcc, only or [], jobs, options, wishes, as_json=json))
        with output.watching() as watch:
            result = check(
                model, ltl=ltl, automaton=automaton, options=options, wishes=wishes, apart=apart, watch=watch
            )
        raise typer.Exit(_told(result, trace, as_json=json))


def _check_is_alone(mcc: str | None, others: Iterable[object], belonging: Iterable[object]) -> None:
    """Refuse options that do not go together."""
    if mcc is not None and any(other is not None for other in others):
        raise InputError(
            f"{name_of_option('mcc')} has formulas of its own, no trace, no race and no coverage",
            suggestion="give it alone",
        )
    if mcc is None and any(other is not None for other in belonging):
        raise InputError(
            f"{name_of_option('only')} and {name_of_option('jobs')} belong to {name_of_option('mcc')}"
        )


def _examined(
    model: str,
    mcc: str,
    only: list[str],
    jobs: str | None,
    options: CheckOptions,
    wishes: Wishes,
    *,
    as_json: bool,
) -> int:
    """Answer the formulas of a file, print the answers and return the exit code."""
    with held_back():
        from buchi.pipeline import arguments
        from buchi.pipeline.cli.mcc import told
        from buchi.pipeline.mcc import Examination

    at_a_time = arguments.jobs(jobs, False)
    return told(Examination.of(model, mcc, only, options, wishes), at_a_time, as_json=as_json)


def _told(result: CheckResult, trace: str | None, *, as_json: bool) -> int:
    """Print a result and return the exit code."""
    code = output.exit_code(result.verdict)
    written = None if trace is None else _write_trace(result, Path(trace))
    if as_json:
        if result.why is not None:  # what the text tells in itself
            log.info("%s was chosen since %s", result.checker, result.why)
        output.print_json_chunks(result.json_chunks())
    else:
        from buchi.pipeline.cli.coverage_text import render_coverage
        from buchi.pipeline.cli.render import render_check

        output.decide(code)
        output.print_lines(render_check(result, written))
        output.print_lines(render_coverage(result.coverage))
        output.warn_of(result.warnings)
    return code


def _check_can_be_written(path: Path) -> None:
    """Find out before a long search whether its result could be kept."""
    try:
        if path.is_dir():
            raise InputError("this is a directory, not a file for the trace", Place(str(path)))
        if not path.parent.is_dir():
            raise InputError("there is no such directory for the trace", Place(str(path.parent)))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(str(path))) from None


def _write_trace(result: CheckResult, path: Path) -> str | None:
    """Write the counterexample; a failure is a warning, since the verdict stands."""
    from buchi.pipeline.whole_files import written_whole

    if result.counterexample is None:
        output.warn(f"there is no counterexample to write to {path}")
        return None
    try:
        with written_whole(path) as file:
            file.writelines(result.counterexample.json_chunks(between="\n"))
            file.write("\n")
    except InputError as error:
        output.warn(f"the counterexample could not be written: {error}")
        return None
    return str(path)
