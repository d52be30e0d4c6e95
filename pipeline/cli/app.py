"""The command line: options, commands and exit codes. See `output` for what is printed.

Only the command that is asked for is loaded, and what is slow to import is imported by the command that needs it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from buchi.pipeline import isolation
from buchi.pipeline.cli import output

COMMANDS = (
    "explore", "check", "certify", "compare", "simulate", "draw", "translate", "run", "export", "report", "plugins",
    "doctor",
)  # fmt: skip
"""In the order in which help shows them; each is the function of this name in the module of this name."""


class _Prepared:
    """Parameters as we want them: flags that show no value in help, and texts that are taken as they are."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, for help and parser."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
            if "process_value" not in vars(param):
                param.process_value = _quick(param)
        return params


def _quick(param: Any) -> Callable[[Any, Any], Any]:
    """Return what takes a value from the command line: Typer has it validated by a schema, which is slow to load.

    Where nothing is given, or what is asked for (a text, the default), there is nothing to validate.
    """
    validated: Callable[[Any, Any], Any] = param.process_value
    wanted = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    nothing = () if param.nargs != 1 or getattr(param, "multiple", False) else None

    def process_value(ctx: Any, value: Any) -> Any:
        is_left_out = value is None and not param.required
        if wanted is None or not (is_left_out or type(value) is wanted):
            return validated(ctx, value)
        value = nothing if is_left_out else value
        return value if param.callback is None else param.callback(ctx, param, value)

    return process_value


class Group(_Prepared, TyperGroup):
    """All commands."""


class Command(_Prepared, TyperCommand):
    """A command that takes no option twice: the second would silently replace the first."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse; Typer's parser keeps the order in which options came."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            if option.param_type_name == "option" and not option.multiple and order.count(option) > 1:
                ctx.fail(f"{option.opts[0]} is given twice")
        return super().parse_args(ctx, args)


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line with the command that the arguments begin with, or else with all of them."""
    app = typer.Typer(
        name="buchi",
        cls=Group,
        help="LTL model checking by automata: one model, one formula, every automaton.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_common)
    wanted = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in wanted:
        module = import_module(f"buchi.pipeline.cli.commands.{name}")
        app.command(cls=Command)(getattr(module, name))
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from buchi import __version__

        output.print_document(f"buchi {__version__}")
        raise typer.Exit


def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    output.show_messages()


SELDOM = 100_000
"""New objects after which Python looks for garbage; to load a command makes tens of thousands, and all of them stay."""
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
    _hasten()
    try:
        with output.reported(as_json):
            app = application(arguments)
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


def _hasten() -> None:
    """Spare the process, which is ours alone, what it does not need: collections of what all stays, other's plugins."""
    gc.set_threshold(SELDOM)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    none = ModuleType(
        "pydantic.plugin._loader"
    )  # what looks for plugins reads e-mail headers, and loads a reader
    vars(none)["get_plugins"] = lambda: ()
    sys.modules.setdefault(none.__name__, none)


COMPLETION = "_BUCHI_COMPLETE"
"""Set by the shell where it asks what could follow; Typer answers."""


def _complete() -> int:
    try:
        application()(prog_name="buchi")
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
