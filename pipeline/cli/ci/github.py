"""Verdicts as commands for GitHub Actions, which shows them beside the files: a line for each that did not pass."""

from __future__ import annotations

from collections.abc import Iterator

from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})
"""What would end a command, or a part of it, and how it is written instead."""


def commands(verdicts: Verdicts) -> Iterator[str]:
    """Yield the commands: an error, or where there is no verdict a warning."""
    for one in verdicts.properties:
        if one.outcome is not Outcome.PASSED:
            yield _annotation(one, verdicts)


def _annotation(one: PropertyVerdict, verdicts: Verdicts) -> str:
    level = "warning" if one.outcome is Outcome.UNKNOWN else "error"
    told = {"file": verdicts.file or verdicts.model, "line": one.line, "title": one.name}
    where = ",".join(f"{k}={str(v).translate(_PROPERTY)}" for k, v in told.items() if v is not None)
    formula = f"\n{one.ltl}" if one.ltl not in (None, one.name) else ""
    return f"::{level} {where}::{(one.told() + formula).translate(_DATA)}"
