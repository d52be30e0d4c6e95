"""The commands of the command line: each runs the pipeline, prints the result and returns the exit code."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from buchi.common.errors import InputError, Place
from buchi.pipeline.check import check
from buchi.pipeline.cli import output
from buchi.pipeline.cli.compare_table import as_csv, render_comparison
from buchi.pipeline.cli.progress import shown_progress
from buchi.pipeline.cli.render import render_check, render_explore
from buchi.pipeline.compare import compare
from buchi.pipeline.explore import as_json as exploration_as_json
from buchi.pipeline.explore import explore
from buchi.pipeline.options import CheckOptions, ExploreOptions
from buchi.pipeline.registry import Group, Plugins, plugins
from buchi.pipeline.whole_files import written_whole
from buchi.schemas.result import CheckResult, Verdict

log = logging.getLogger(__name__)

EXIT_CODES = {Verdict.HOLDS: output.HOLDS, Verdict.VIOLATED: output.VIOLATED, Verdict.UNKNOWN: output.UNKNOWN}


@dataclass(frozen=True)
class Question:
    """What is to be checked: a model file, and a formula or an automaton file unless the model says it."""

    model: str
    ltl: str | None
    automaton: str | None


def run_explore(model: str, options: ExploreOptions, *, as_json: bool) -> int:
    """Explore a model; the JSON has a reason only where the search did not finish."""
    with shown_progress(output.err) as watch:
        result = explore(model, options, watch)
    if as_json:
        output.print_json(exploration_as_json(result))
    else:
        output.print_lines(render_explore(result))
    return output.UNKNOWN if result.reason else output.HOLDS


def run_check(question: Question, options: CheckOptions, *, trace: str | None, as_json: bool) -> int:
    """Check a model."""
    if trace is not None:
        _check_can_be_written(Path(trace))
    with shown_progress(output.err) as watch:
        result = check(
            question.model, ltl=question.ltl, automaton=question.automaton, options=options, watch=watch
        )
    written = None if trace is None else _write_trace(result, Path(trace))
    if as_json:
        _note_choice(result)
        output.print_json_chunks(result.json_chunks())
    else:
        output.decide(EXIT_CODES[result.verdict])
        output.print_lines(render_check(result, written))
    return EXIT_CODES[result.verdict]


def _note_choice(result: CheckResult) -> None:
    """Tell beside the JSON what the text tells in itself."""
    if result.why is not None:
        log.info("%s was chosen since %s", result.checker, result.why)


def run_compare(
    question: Question, options: CheckOptions, *, every_chain: bool, form: str, refused: bool
) -> int:
    """Check a model by every route; `form` is text, json or csv, and with `refused` the text tells of all routes."""
    with shown_progress(output.err) as watch:
        result = compare(
            question.model,
            ltl=question.ltl,
            automaton=question.automaton,
            options=options,
            every_chain=every_chain,
            watch=watch,
        )
    if form == "json":
        output.print_json(result.model_dump_json())
    elif form == "csv":
        output.print_document(as_csv(result).rstrip("\n"))
    else:
        width = output.out.width if output.out.is_terminal else None
        output.print_lines(render_comparison(result, refused=refused, width=width))
    return output.UNKNOWN if result.interrupted else EXIT_CODES[result.verdict]


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


def run_plugins(*, as_json: bool) -> int:
    """List the plugins of every group, and those that cannot be loaded."""
    groups = {group: plugins(group) for group in Group}
    if as_json:
        output.print_json(json.dumps({group.value: _as_data(found) for group, found in groups.items()}))
        return output.HOLDS
    for group, found in groups.items():
        output.out.print(_table(group, found))
    return output.HOLDS


def _as_data(group: Plugins) -> dict[str, Any]:
    return {"found": dict(_descriptions(group)), "broken": [asdict(broken) for broken in group.broken]}


def _descriptions(group: Plugins) -> Iterator[tuple[str, str]]:
    for name, plugin in group.found.items():
        yield name, _description(plugin)


def _description(plugin: Any) -> str:
    """Return a line that tells what a plugin is for."""
    if hasattr(plugin, "suffixes"):
        return f"files *{', *'.join(plugin.suffixes)}"
    if hasattr(plugin, "target"):
        return f"{plugin.source} -> {plugin.target}: {plugin.summary}"
    return str(plugin.summary)


def _table(group: Group, found: Plugins) -> Table:
    table = Table(title=group.value, title_justify="left", title_style="bold", box=None, show_header=False)
    for name, description in _descriptions(found):
        table.add_row(f"  {name}", description)
    for broken in found.broken:
        table.add_row(
            f"  {broken.entry}", f"cannot be loaded: {broken.reason} ({broken.origin})", style="red"
        )
    return table
