"""`buchi plugins`: what is installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from json import dumps
from typing import TYPE_CHECKING, Any

import typer

from buchi.common.interrupts import held_back
from buchi.pipeline.cli import output
from buchi.pipeline.cli.parameters import Json

if TYPE_CHECKING:
    from rich.table import Table

    from buchi.pipeline.registry import Group, Plugins


def plugins(json: Json = False) -> None:
    """List the model languages, translators and checkers that are installed."""
    with output.reported(json):
        with held_back():
            from buchi.pipeline.registry import Group, plugins

        groups = {group: plugins(group) for group in Group}
        if json:
            output.print_json(dumps({group.value: _as_data(found) for group, found in groups.items()}))
        else:
            output.print_lines(_table(group, found) for group, found in groups.items())
        raise typer.Exit(output.HOLDS)


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
    from rich.table import Table

    table = Table(title=group.value, title_justify="left", title_style="bold", box=None, show_header=False)
    for name, description in _descriptions(found):
        table.add_row(f"  {name}", description)
    for broken in found.broken:
        table.add_row(
            f"  {broken.entry}", f"cannot be loaded: {broken.reason} ({broken.origin})", style="red"
        )
    return table
