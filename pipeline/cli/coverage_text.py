"""Coverage as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from buchi.common.words import counted
from buchi.pipeline.cli.lines import Line, line
from buchi.pipeline.cli.render import REASONS

if TYPE_CHECKING:
    from buchi.schemas.coverage import Coverage

SHOWN = 20
"""Names of a kind that are shown; --json has all of them."""


def render_coverage(coverage: Coverage | None) -> Iterator[Line]:
    """Yield the lines for what never occurs; none where that was not asked for."""
    if coverage is None:
        return
    states = counted(coverage.states, "state")
    yield line("")
    if coverage.reason is None:
        yield line(f"coverage of all {states}", style="bold")
    else:
        yield line(f"coverage of the part seen, {states}: {REASONS[coverage.reason]}", style="bold")
    yield from _names("location", "never reached", coverage.locations)
    yield from _names("command", "never enabled", tuple(map(str, coverage.commands)))
    yield from _names("variable", "never read", coverage.unread)
    yield from _names("variable", "never written", coverage.unwritten)
    if coverage.is_full:
        yield line("  every location was reached, every command enabled, every variable read and written")


def _names(what: str, how: str, names: Sequence[str]) -> Iterator[Line]:
    if not names:
        return
    yield line(f"  {counted(len(names), what)} {how}:")
    yield from (line(f"    {name}") for name in names[:SHOWN])
    if len(names) > SHOWN:
        yield line(f"    … and {len(names) - SHOWN:,} more: --json has them all", style="dim")
