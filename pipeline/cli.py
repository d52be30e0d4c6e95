"""The command line: parses options, calls the pipeline, prints, and exits. See `output` for the exit codes.

What is slow to import is imported by the command that needs it, so that `buchi --help` is quick.
"""

from __future__ import annotations

import signal
import time
from typing import Annotated

import typer

from buchi.pipeline import experiment_commands, output, report_command, translate_command
from buchi.schemas.interrupts import held_back

app = typer.Typer(
    name="buchi",
    help="LTL model checking by automata: one model, one formula, every automaton.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="The file of the model.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Backend = Annotated[
    str, typer.Option(metavar="auto|compiled|interpreted", help="Compile the model to C, or interpret it.")
]
Overflow = Annotated[
    str, typer.Option(metavar="wrap|error", help="What storing a value that is out of range does.")
]
Ltl = Annotated[
    str | None,
    typer.Option(metavar="FORMULA", help="The property, over propositions such as P.state or x > 1."),
]
ForbiddenFile = Annotated[
    str | None, typer.Option(metavar="FILE.hoa", help="An automaton of the forbidden behaviours.")
]
Deadlock = Annotated[
    str,
    typer.Option(
        metavar="stutter|drop", help="A state without successors repeats for ever, or its runs do not count."
    ),
]
Order = Annotated[
    str, typer.Option(metavar="model|random:SEED", help="The order in which successors are explored.")
]
Timeout = Annotated[float | None, typer.Option(metavar="SECONDS", help="End with `unknown` after this time.")]
MaxStates = Annotated[int | None, typer.Option(metavar="N", help="End with `unknown` beyond N states.")]
MaxMemory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE", help="End with `unknown` beyond SIZE, such as 2GiB; else 90 % of what is free."
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        from buchi import __version__

        output.print_json(f"buchi {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    output.show_messages()


@app.command()
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
            from buchi.pipeline import settings
            from buchi.pipeline.commands import run_explore

        limits = settings.limits(timeout, max_states, max_memory)
        raise typer.Exit(
            run_explore(model, settings.explore_options(backend, overflow, limits), as_json=json)
        )


@app.command()
def check(
    model: ModelFile,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    via: Annotated[
        str | None, typer.Option(metavar="KIND", help="The kind of automaton to check; else tgba.")
    ] = None,
    checker: Annotated[
        str, typer.Option(metavar="NAME", help="The emptiness check; see `buchi plugins`.")
    ] = "auto",
    shortest: Annotated[
        bool, typer.Option("--shortest", help="A counterexample of minimal length; takes longer.")
    ] = False,
    workers: Annotated[int, typer.Option(metavar="N", help="Threads that search.")] = 1,
    backend: Backend = "auto",
    deadlock: Deadlock = "stutter",
    overflow: Overflow = "wrap",
    order: Order = "model",
    timeout: Timeout = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    trace: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the counterexample to FILE, as JSON.")
    ] = None,
    json: Json = False,
) -> None:
    """Check a model against a formula, an automaton, or the property process of the model itself.

    Exit code: 0 the property holds, 1 it is violated, 2 bad input, 3 unknown (a limit, or Ctrl-C).
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import settings
            from buchi.pipeline.commands import Question, run_check

        limits = settings.limits(timeout, max_states, max_memory)
        common = settings.explore_options(backend, overflow, limits)
        name = settings.checker_name(checker, shortest)
        options = settings.check_options(common, via, name, deadlock, order, workers)
        raise typer.Exit(run_check(Question(model, ltl, automaton), options, trace=trace, as_json=json))


@app.command()
def compare(
    model: ModelFile,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    via: Annotated[str | None, typer.Option(metavar="KIND", help="Only automata of this kind.")] = None,
    checker: Annotated[str, typer.Option(metavar="NAME", help="Only this emptiness check.")] = "auto",
    all_chains: Annotated[
        bool,
        typer.Option("--all-chains", help="Make each kind in every way, with every choice of an option."),
    ] = False,
    backend: Backend = "auto",
    deadlock: Deadlock = "stutter",
    overflow: Overflow = "wrap",
    order: Order = "model",
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Limit of each translation and each search.")
    ] = None,
    max_states: MaxStates = None,
    max_memory: MaxMemory = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
    json: Json = False,
) -> None:
    """Check a model by every route (kind of automaton, translators, emptiness check) and compare the work.

    Exit code: 0 the property holds, 1 it is violated, 2 bad input, 3 unknown (limits, or Ctrl-C), 4 two routes
    disagree, which is a bug.
    """
    with output.reported(json):
        with held_back():
            from buchi.pipeline import settings
            from buchi.pipeline.commands import Question, run_compare

        limits = settings.limits(timeout, max_states, max_memory)
        common = settings.explore_options(backend, overflow, limits)
        options = settings.check_options(common, via, checker, deadlock, order, workers=1)
        form = settings.output_form(json, csv)
        question = Question(model, ltl, automaton)
        raise typer.Exit(run_compare(question, options, every_chain=all_chains, form=form))


app.command()(translate_command.translate)
app.command()(experiment_commands.run)
app.command()(experiment_commands.export)
app.command()(report_command.report)


@app.command()
def plugins(json: Json = False) -> None:
    """List the model languages, translators and checkers that are installed."""
    with output.reported(json):
        with held_back():
            from buchi.pipeline.commands import run_plugins

        raise typer.Exit(run_plugins(as_json=json))


@app.command()
def doctor(json: Json = False) -> None:
    """Look at the installation: versions, compiler, cache, memory, plugins."""
    with output.reported(json):
        with held_back():
            from buchi.pipeline.doctor import run_doctor

        raise typer.Exit(run_doctor(as_json=json))


INTERRUPTED_PARSING = 130
"""Typer's exit code for an interrupt before a command has begun."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. CPython ends a process whose KeyboardInterrupt passed through `exec` by a signal, caught or not."""


GRACE = 2.0
"""Seconds in which further interrupts do not disturb the end that the first one began."""
_interrupted_at = float("-inf")


def _interrupt(_signal: int, _frame: object) -> None:
    """Interrupt; again only if that has led to no end, since Python drops exceptions in some places."""
    global _interrupted_at
    if time.monotonic() - _interrupted_at > GRACE:
        _interrupted_at = time.monotonic()
        raise Interrupted


def main() -> None:
    """Run the command line. A request to terminate ends a search as cleanly as Ctrl-C does."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        app(prog_name="buchi")
    except SystemExit as end:
        raise SystemExit(output.UNKNOWN if end.code == INTERRUPTED_PARSING else end.code) from None
