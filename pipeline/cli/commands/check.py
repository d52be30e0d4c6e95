"""`buchi check`: one verdict."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated

import typer

from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.asked import Asked
from buchi.pipeline.cli.check_parameters import (
    Certificate,
    DeadlockFree,
    End,
    Isolate,
    Jobs,
    Junit,
    Mcc,
    Only,
    Properties,
    Race,
    Sarif,
    Schema,
    Shortest,
    Trace,
)
from buchi.pipeline.cli.parameters import (
    Backend,
    Certified,
    Coverage,
    Deadlock,
    Define,
    Executor,
    Fair,
    FairBy,
    ForbiddenFile,
    Formulas,
    Json,
    MaxMemory,
    MaxStates,
    ModelFile,
    Order,
    Overflow,
    Pairs,
    Reduce,
    Through,
    Timeout,
    TranslatorOptions,
    Workers,
    checker_option,
    kind_option,
    listed,
)
from buchi.pipeline.cli.result_files import ResultFiles
from buchi.pipeline.cli.trace_files import About

if TYPE_CHECKING:
    from buchi.schemas.result import CheckResult
    from buchi.schemas.verdicts import Verdicts

log = logging.getLogger(__name__)


def check(
    model: ModelFile,
    define: Define = None,
    ltl: Formulas = None,
    automaton: ForbiddenFile = None,
    properties: Properties = None,
    deadlock_free: DeadlockFree = False,
    end: End = None,
    mcc: Mcc = None,
    only: Only = None,
    jobs: Jobs = None,
    via: Annotated[str | None, kind_option("The kind of automaton to check; else tgba.")] = None,
    through: Through = None,
    option: TranslatorOptions = None,
    checker: Annotated[str, checker_option("The emptiness check; see `buchi plugins`.")] = "auto",
    shortest: Shortest = False,
    workers: Workers = None,
    pairs: Pairs = "one-by-one",
    race: Race = False,
    isolate: Isolate = False,
    executor: Executor = "local",
    coverage: Coverage = False,
    reduce: Reduce = None,
    backend: Backend = "auto",
    deadlock: Deadlock = "stutter",
    overflow: Overflow = "wrap",
    order: Order = "model",
    fair: Fair = None,
    fair_by: FairBy = "process",
    timeout: Timeout = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    certified: Certified = False,
    certificate: Certificate = None,
    trace: Trace = None,
    junit: Junit = None,
    sarif: Sarif = None,
    json: Json = False,
    schema: Schema = False,
) -> None:
    """Check a model against formulas, an automaton, or the property process of the model itself.

    Exit code: 0 the property holds, 1 it is violated, 2 bad input, 3 unknown (a limit, or Ctrl-C). Of several
    properties the worst counts, and a verdict that is expected is fine. With --mcc, 0 says that all formulas are
    answered.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import arguments
            from buchi.pipeline.check import check
            from buchi.pipeline.routes import Wishes

        limits = arguments.limits(timeout, max_states, max_memory)
        name = arguments.checker_name(checker, shortest)
        reduced = arguments.reduce(reduce, name)
        common = arguments.explore_options(backend, overflow, limits, coverage=coverage, reduce=reduced)
        apart = arguments.apart(race, isolate, executor)
        threads = arguments.threads(workers, apart)
        ends = arguments.ends(deadlock_free, end, deadlock)
        options = arguments.check_options(
            common, via, name, deadlock, order, threads, pairs, fair or [], fair_by, ends
        )
        options = arguments.with_certificate(options, certified, certificate, apart)
        wishes = Wishes.of(listed(through), option or [])
        files = ResultFiles.of(trace, junit, sarif, certificate)
        files.check(model, automaton, properties)
        given = arguments.given(model, define)
        asked = Asked(given, ltl or [], properties, mcc, only, jobs)
        asked.check_alone([automaton, apart, ends, certificate], files, coverage)
        if (code := asked.told(options, wishes, files, as_json=json)) is not None:
            raise typer.Exit(code)
        with output.watching() as watch:
            result = check(
                given,
                ltl=ltl[0] if ltl else None,
                automaton=automaton,
                options=options,
                wishes=wishes,
                apart=apart,
                watch=watch,
            )
        name = automaton or ("no deadlock" if ends else "property process")
        if files.has_reports:
            files.report(_alone(model, ltl[0] if ltl else None, name, result))
        raise typer.Exit(_told(result, files, About(model, ltl[0] if ltl else name), as_json=json))


def _alone(model: str, ltl: str | None, name: str, result: CheckResult) -> Verdicts:
    """Return the verdict on one property as that of several; `name` is that of one that is no formula."""
    from buchi.schemas.verdicts import PropertyVerdict, Verdicts, outcome_of

    one = PropertyVerdict(name=ltl or name, ltl=ltl, outcome=outcome_of(result.verdict, None), result=result)
    return Verdicts.of(model, None, (one,), result.seconds)


def _told(result: CheckResult, files: ResultFiles, about: About, *, as_json: bool) -> int:
    """Print a result and return the exit code."""
    code = output.exit_code(result.verdict)
    written = files.write_trace(result, about)
    files.miss_certificate(result)
    if as_json:
        if result.why is not None:  # what the text tells in itself
            log.info("%s was chosen since %s", result.checker, result.why)
        output.print_json_chunks(result.json_chunks())
    else:
        from buchi.pipeline.cli.coverage_text import render_coverage
        from buchi.pipeline.cli.render import render_check

        output.decide(code)
        output.print_lines(render_check(result, written, output.terminal_width()))
        output.print_lines(render_coverage(result.coverage))
        output.warn_of(result.warnings)
    return code
