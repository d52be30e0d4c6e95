"""Folders of the Model Checking Contest: nets, their formulas in XML, and which of them hold.

`NET/model.pnml`, `NET/LTLCardinality.xml`, `NET/LTLFireability.xml`, and `answers.csv` with the columns formula and
holds.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from buchi.common.ends import Verdict
from buchi.common.errors import InputError, Place
from buchi.models.pnml import PNML
from buchi.models.pnml.contest import Property, read_properties
from buchi.pipeline.experiments.artifact import Facts
from buchi.pipeline.loading import read_text

EXAMINATIONS: Final = ("LTLCardinality.xml", "LTLFireability.xml")
_VERDICTS: Final = {"yes": Verdict.HOLDS, "no": Verdict.VIOLATED}


@dataclass(frozen=True)
class ContestFolder:
    """A folder of nets, with what is known of their formulas."""

    folder: Path
    facts: Mapping[str, Facts]
    _known: dict[Path, tuple[tuple[Path, Property], ...]] = field(default_factory=dict)
    """What was read before: a plan is gone through several times."""

    @classmethod
    def at(cls, folder: Path, answers: str) -> ContestFolder:
        """Read the answers of a folder; without that file nothing is known. Raises InputError."""
        return cls(folder.absolute(), _facts(folder / answers))

    def properties(self, net: Path) -> tuple[tuple[Path, Property], ...]:
        """Return the properties beside a net with their files; none for one that is not here. Raises InputError."""
        if net not in self._known:
            self._known[net] = tuple(self._found(net))
        return self._known[net]

    def _found(self, net: Path) -> Iterator[tuple[Path, Property]]:
        files = [net.parent / name for name in EXAMINATIONS if (net.parent / name).is_file()]
        if not net.is_relative_to(self.folder) or net.suffix not in PNML.suffixes or not files:
            return
        model = PNML().load(read_text(net), str(net)).model
        for path in files:
            yield from ((path, found) for found in read_properties(read_text(path), str(path), model))


def _facts(table: Path) -> dict[str, Facts]:
    found: dict[str, Facts] = {}
    if not table.is_file():
        return found
    number = 1
    try:
        with table.open(encoding="utf-8", newline="") as lines:
            for number, row in enumerate(csv.DictReader(lines), 2):  # noqa: B007  (told where it fails)
                found[row["formula"]] = Facts(_VERDICTS[row["holds"]])
    except (OSError, csv.Error, KeyError, TypeError, ValueError) as error:
        message = f"not a row of answers: {str(error)[:200]}"
        raise InputError(message, Place(str(table), number)) from None
    return found
