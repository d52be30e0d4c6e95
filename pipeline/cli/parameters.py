"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer


def _kinds(incomplete: str) -> list[str]:
    """Complete the name of a kind, for the shell."""
    from buchi.schemas.kinds import AUTOMATA

    return [kind.value for kind in AUTOMATA if kind.value.startswith(incomplete)]


def _checkers(incomplete: str) -> list[str]:
    """Complete the name of a checker, for the shell."""
    from buchi.pipeline.registry import checkers

    return [name for name in checkers() if name.startswith(incomplete)]


def kind_option(help: str) -> typer.models.OptionInfo:  # noqa: A002  (as Typer calls it)
    """Return the option that names a kind of automaton."""
    option: typer.models.OptionInfo = typer.Option(metavar="KIND", help=help, autocompletion=_kinds)
    return option


def checker_option(help: str) -> typer.models.OptionInfo:  # noqa: A002  (as Typer calls it)
    """Return the option that names a checker."""
    option: typer.models.OptionInfo = typer.Option(metavar="NAME", help=help, autocompletion=_checkers)
    return option


def listed(text: str | None) -> list[str]:
    """Return the words between commas."""
    return text.split(",") if text else []


ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="The file of the model.", show_default=False)]
Define = Annotated[
    list[str] | None,
    typer.Option(
        "-D",
        "--define",
        metavar="NAME=VALUE",
        help="A value for a constant of the model, in place of its own; repeatable.",
    ),
]
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
Formulas = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FORMULA", help="The property, over propositions such as P.state or x > 1; repeatable."
    ),
]
ForbiddenFile = Annotated[
    str | None, typer.Option(metavar="FILE.hoa", help="An automaton of the forbidden behaviours.")
]
Through = Annotated[
    str | None, typer.Option(metavar="A,B", help="Kinds or translators that the route has to take.")
]
TranslatorOptions = Annotated[
    list[str] | None,
    typer.Option(metavar="T.NAME=VALUE", help="An option of the translator T; repeatable."),
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
Fair = Annotated[
    list[str] | None,
    typer.Option(
        metavar="weak|strong[:P,Q]", help="Only runs that are fair to all processes, or to these; repeatable."
    ),
]
FairBy = Annotated[
    str, typer.Option(metavar="process|command", help="To what --fair speaks: processes or single commands.")
]
ReduceToDeadlocks = Annotated[
    bool, typer.Option("--reduce", help="Fewer states, the same deadlocks: only commands of stubborn sets.")
]
Certified = Annotated[
    bool, typer.Option("--certified", help="Certify each `holds` by a checker of its own before it is shown.")
]
Reduce = Annotated[
    str | None,
    typer.Option(metavar="auto|on|off", help="Fewer states by stubborn sets; auto: where that pays."),
]
Pairs = Annotated[
    str,
    typer.Option(
        metavar="one-by-one|together", help="With several workers: Rabin pairs in turn, or side by side."
    ),
]
Workers = Annotated[
    str | None,
    typer.Option(metavar="N|auto", help="Threads that search; auto: one for each core that is ours."),
]
Coverage = Annotated[
    bool, typer.Option("--coverage", help="Tell what of the model never occurs; visits all its states.")
]
Executor = Annotated[
    str, typer.Option(metavar="local|dask=ADDRESS", help="Where processes are: here, or on a Dask cluster.")
]
