"""The command line: parses options, calls the pipeline, prints, and exits. See `output` for the exit codes.

What is slow to import is imported by the command that needs it, so that `buchi --help` is quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from buchi.common.interrupts import held_back
from buchi.pipeline import isolation
from buchi.pipeline.cli import experiment_commands, output, report_command, translate_command


class _PlainFlags:
    """Help that shows flags as what they are: they take no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, for help and parser."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
        return params


class Group(_PlainFlags, TyperGroup):
    """All commands."""


class Command(_PlainFlags, TyperCommand):
    """A command that takes no option twice: the second would silently replace the first."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse; Typer's parser keeps the order in which options came."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            if option.param_type_name == "option" and not option.multiple and order.count(option) > 1:
                ctx.fail(f"{option.opts[0]} is given twice")
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="buchi",
    cls=Group,
    help="LTL model checking by automata: one model, one formula, every automaton.",
    no_args_is_help=True,
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


def _kinds(incomplete: str) -> list[str]:
    """Complete the name of a kind, for the shell."""
    from buchi.schemas.kinds import AUTOMATA

    return [kind.value for kind in AUTOMATA if kind.value.startswith(incomplete)]


def _checkers(incomplete: str) -> list[str]:
    """Complete the name of a checker, for the shell."""
    from buchi.pipeline.registry import checkers

    return [name for name in checkers() if name.startswith(incomplete)]


def _version(wanted: bool) -> None:
    if wanted:
        from buchi import __version__

        output.print_document(f"buchi {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    output.show_messages()


@app.command(cls=Command)
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
            from buchi.pipeline.cli.commands import run_explore

        limits = arguments.limits(timeout, max_states, max_memory)
        raise typer.Exit(
            run_explore(model, arguments.explore_options(backend, overflow, limits), as_json=json)
        )


@app.command(cls=Command)
def check(
    model: ModelFile,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    via: Annotated[
        str | None,
        typer.Option(
            metavar="KIND", help="The kind of automaton to check; else tgba.", autocompletion=_kinds
        ),
    ] = None,
    checker: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The emptiness check; see `buchi plugins`.", autocompletion=_checkers
        ),
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
            from buchi.pipeline import arguments
            from buchi.pipeline.cli.commands import Question, run_check

        limits = arguments.limits(timeout, max_states, max_memory)
        common = arguments.explore_options(backend, overflow, limits)
        name = arguments.checker_name(checker, shortest)
        options = arguments.check_options(common, via, name, deadlock, order, workers)
        raise typer.Exit(run_check(Question(model, ltl, automaton), options, trace=trace, as_json=json))


@app.command(cls=Command)
def compare(
    model: ModelFile,
    ltl: Ltl = None,
    automaton: ForbiddenFile = None,
    via: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Only automata of this kind.", autocompletion=_kinds),
    ] = None,
    checker: Annotated[
        str, typer.Option(metavar="NAME", help="Only this emptiness check.", autocompletion=_checkers)
    ] = "auto",
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
            from buchi.pipeline.cli.commands import Question, run_compare

        limits = arguments.limits(timeout, max_states, max_memory)
        common = arguments.explore_options(backend, overflow, limits)
        options = arguments.check_options(common, via, checker, deadlock, order, workers=1)
        form = arguments.output_form(json, csv)
        question = Question(model, ltl, automaton)
        raise typer.Exit(run_compare(question, options, every_chain=all_chains, form=form, refused=refusals))


app.command(cls=Command)(translate_command.translate)
app.command(cls=Command)(experiment_commands.run)
app.command(cls=Command)(experiment_commands.export)
app.command(cls=Command)(report_command.report)


@app.command(cls=Command)
def plugins(json: Json = False) -> None:
    """List the model languages, translators and checkers that are installed."""
    with output.reported(json):
        with held_back():
            from buchi.pipeline.cli.commands import run_plugins

        raise typer.Exit(run_plugins(as_json=json))


@app.command(cls=Command)
def doctor(json: Json = False) -> None:
    """Look at the installation: versions, compiler, cache, memory, plugins."""
    with output.reported(json):
        with held_back():
            from buchi.pipeline.cli.doctor import run_doctor

        raise typer.Exit(run_doctor(as_json=json))


INTERRUPTED_PARSING = 130
"""Typer's exit code for an interrupt before a command has begun."""


def run(as_json: bool) -> None:
    """Be the command line of a child process: print through the parent, and tell it the exit code."""
    output.hand_to_parent(as_json)
    output.decide(command(sys.argv[1:], as_json))


def command(arguments: Sequence[str], as_json: bool) -> int:
    """Run one command and return its exit code."""
    if COMPLETION in os.environ:
        return _complete()
    try:
        with output.reported(as_json):
            isolation.heed_interrupts()
            code = app(list(arguments), prog_name="buchi", standalone_mode=False)
            if code == INTERRUPTED_PARSING:
                raise KeyboardInterrupt
    except typer.Exit as end:
        code = end.exit_code
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        code = _misused(error, as_json)
    return int(code or 0)


COMPLETION = "_BUCHI_COMPLETE"
"""Set by the shell where it asks what could follow; Typer answers."""


def _complete() -> int:
    try:
        app(prog_name="buchi")
    except SystemExit:
        return output.HOLDS
    return output.HOLDS


def _misused(error: Any, as_json: bool) -> int:
    """Show what is wrong with the arguments."""
    from typer.rich_utils import rich_format_error

    rich_format_error(error)
    if as_json:
        output.print_error(error.format_message())
    return output.BAD_INPUT
