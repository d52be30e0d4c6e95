"""`buchi check` with several properties: a table of verdicts, or all of them as one JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.pipeline.check_all import Shared, check_all
from buchi.pipeline.cli import output
from buchi.pipeline.cli.trace_files import About
from buchi.pipeline.cli.verdict_table import Table, details
from buchi.pipeline.property_files import Wanted
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts

if TYPE_CHECKING:
    from buchi.pipeline.cli.result_files import ResultFiles
    from buchi.pipeline.loading import Given

_CODES = {
    Outcome.PASSED: output.HOLDS,
    Outcome.FAILED: output.VIOLATED,
    Outcome.ERROR: output.BAD_INPUT,
    Outcome.UNKNOWN: output.UNKNOWN,
    Outcome.BUG: output.BUG,
}


def told(
    model: str | Given, properties: Sequence[Wanted], shared: Shared, files: ResultFiles, *, as_json: bool
) -> int:
    """Check the properties, print the verdicts, each when it is known, and return the exit code."""
    if files.trace is not None and len(properties) > 1:
        raise InputError(
            f"{option('trace')} is for one counterexample",
            suggestion=f"choose a property by {option('only')}; {option('json')} has all counterexamples",
        )
    table = Table(properties, None if as_json else output.terminal_width())

    def show(one: PropertyVerdict) -> None:
        if not as_json:
            output.print_lines(table.lines(one))

    with output.in_parts():
        verdicts = check_all(model, properties, shared, show)
    _finish(verdicts, files, as_json)
    return _CODES[verdicts.outcome]


def _finish(verdicts: Verdicts, files: ResultFiles, as_json: bool) -> None:
    first = verdicts.properties[0]
    about = About(verdicts.model, first.ltl or first.name)
    trace = None if first.result is None else files.write_trace(first.result, about)
    if files.has_reports:
        files.report(verdicts)
    if as_json:
        output.print_json_chunks(verdicts.json_chunks())
    else:
        output.decide(_CODES[verdicts.outcome])
        output.print_lines(details(verdicts, trace, output.terminal_width()))
        output.warn_of(f"{one.name}: {warning}" for one in verdicts.properties for warning in one.warnings)
