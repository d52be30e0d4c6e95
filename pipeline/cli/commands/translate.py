"""`buchi translate`: a formula or automaton through a route, shown stage by stage."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import line
from buchi.pipeline.cli.parameters import Through, TranslatorOptions, listed

if TYPE_CHECKING:
    from rich.table import Table

    from buchi.pipeline.routes import Stage
    from buchi.schemas.kinds import Kind

_WIDE = 140
FORMATS = ("text", "hoa", "json", "dot", "svg")


def translate(
    formula: Annotated[
        str | None, typer.Argument(metavar="FORMULA", help="An LTL formula.", show_default=False)
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="KIND", help="tlba, slba, ta, tgba, tgra, tfla or tela.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="One table of all kinds.")] = False,
    automaton: Annotated[
        str | None, typer.Option(metavar="FILE", help="Begin with an automaton, in HOA or JSON.")
    ] = None,
    through: Through = None,
    option: TranslatorOptions = None,
    negate: Annotated[bool, typer.Option("--negate", help="Translate the negation of the formula.")] = False,
    format: Annotated[  # noqa: A002  (the name of the option)
        str, typer.Option(metavar="text|hoa|json|dot|svg", help="What to print.")
    ] = "text",
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="Give up after this time.")] = 60.0,
) -> None:
    """Translate a formula into any kind of automaton, and show every stage.

    Exit code: 0 done, 2 bad input (such as a formula that has no testing automaton), 3 a limit, or Ctrl-C.
    """
    with output.reported(as_json=format == "json"):
        chosen = _format(format)
        _take_limits(None if every else timeout)
        value = _value(formula, automaton, negate)
        route = listed(through)
        if every:
            _print_all(value, route, option or [], timeout)
        else:
            stages = list(_stages(value, _target(to), route, option or [], timeout))
            _print(value, stages, chosen)


def _take_limits(timeout: float | None) -> None:
    """Let the time limit hold for reading and printing too, and the memory be what is free."""
    from buchi.pipeline import arguments, isolation, memory

    arguments.check_timeout(timeout)
    isolation.limit(timeout, memory.default_limit())
    isolation.stage("reading what is to be translated", reads=True)


def _format(name: str) -> str:
    from buchi.common.errors import InputError, nearest

    if name not in FORMATS:
        raise InputError(
            f"there is no format {name!r}", suggestion=nearest(name, FORMATS) or ", ".join(FORMATS)
        )
    return name


def _target(name: str | None) -> Kind:
    from buchi.common.errors import InputError
    from buchi.schemas.kinds import AUTOMATA, automaton_kind

    if name is None:
        raise InputError("into what?", suggestion=f"give --to {'|'.join(AUTOMATA)}, or --all")
    return automaton_kind(name, f"--to {name}")


def _value(formula: str | None, automaton: str | None, negate: bool) -> Any:
    """Return what to begin with: exactly one of a formula and a file."""
    from buchi.common.errors import InputError
    from buchi.pipeline.loading import read_text

    if (formula is None) == (automaton is None):
        raise InputError("give a formula or --automaton, one of them")
    if formula is not None:
        from buchi.translators.ltl import parse_ltl

        parsed = parse_ltl(formula)
        return parsed.negated() if negate else parsed
    if negate:
        raise InputError("--negate is for formulas, not for automata")
    from buchi.translators.documents import read_automaton

    return read_automaton(read_text(Path(str(automaton))), str(automaton))


def _stages(
    value: Any, target: Kind, through: list[str], options: list[str], timeout: float, *, apart: bool = False
) -> Iterable[Stage]:
    from buchi.common.ends import Limits
    from buchi.pipeline import routes

    chain = routes.find_chain(value.kind, target, routes.Wishes.of(through, options))
    return routes.take(value, chain, Limits(seconds=timeout), apart=apart)


def _print(value: Any, stages: list[Stage], chosen: str) -> None:
    last = stages[-1].value if stages else value
    if chosen == "text":
        from buchi.pipeline.cli.stage_table import stage_table

        _show(stage_table(value, stages))
    else:
        show = output.print_json if chosen == "json" else output.print_document
        show(_document(last, chosen).rstrip("\n"))


def _document(value: Any, chosen: str) -> str:
    """Return an automaton in one of the formats for programs."""
    from buchi.common.errors import InputError
    from buchi.schemas.kinds import Kind

    if chosen == "json":
        return str(value.model_dump_json())
    if chosen in ("dot", "svg"):
        picture = value.picture()
        return str(picture.dot() if chosen == "dot" else picture.svg())
    if value.kind is Kind.TA:
        raise InputError("HOA has no testing automata", suggestion="use --format json, dot or svg")
    from buchi.translators.hoa import write_hoa

    return write_hoa(value)


def _print_all(value: Any, through: list[str], options: list[str], timeout: float) -> None:
    """Print one row for each kind; a kind that cannot be had gets the reason."""
    from buchi.common.errors import InputError, LimitReached
    from buchi.pipeline.cli.stage_table import kinds_table
    from buchi.schemas.kinds import AUTOMATA

    found: dict[Kind, list[Stage] | str] = {}
    for kind in AUTOMATA:
        try:
            found[kind] = list(_stages(value, kind, through, options, timeout, apart=True))
        except (InputError, LimitReached) as error:
            found[kind] = str(error).splitlines()[0]
    _show(kinds_table(value, found))
    output.print_lines(line(f"{kind}: {why}") for kind, why in found.items() if isinstance(why, str))


def _show(table: Table) -> None:
    """Print a table; where it goes to no terminal, lines may be long."""
    output.out().print(table, width=output.terminal_width() or _WIDE)
