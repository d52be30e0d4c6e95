"""The layout of the artifact of Bloemen, Duret-Lutz & van de Pol (2019): formulas, automata and results by model.

`MODEL/MODEL.dve`, `MODEL/MODEL_NNN.ltl`, `MODEL/MODEL_NNN_TRANSLATOR.hoa`, and `results.csv` with the columns
model, formula, verdict and states among others. For Petri nets they are `MODEL/MODEL.pnml`,
`MODEL/MODEL_LTLNNN.ltl.rabin.selected` and `MODEL/MODEL_LTLNNN.TRANSLATOR.hoa`; a translator that failed left an empty
file.
"""

from __future__ import annotations

import csv
import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from buchi.common.ends import Verdict
from buchi.common.errors import InputError, Place
from buchi.pipeline.loading import read_text
from buchi.schemas.experiment import ArtifactFormulas, numbers


@dataclass(frozen=True)
class Facts:
    """What was recorded of the products of a model and a formula: the verdict and the largest number of states."""

    verdict: Verdict | None = None
    states: int | None = None

    def with_row(self, row: Mapping[str, str]) -> Facts:
        """Return the facts with one more result."""
        if row["verdict"] == Verdict.UNKNOWN.value:
            return self
        states = int(row["states"])
        if states < 0:
            raise ValueError(f"{states} states")
        return replace(self, verdict=Verdict(row["verdict"]), states=max(self.states or 0, states))


@dataclass(frozen=True)
class ArtifactFormula:
    """A formula of the artifact, the automata of its negation by translator, and what is known."""

    path: Path
    number: str
    text: str
    automata: Mapping[str, Path]
    facts: Facts


@dataclass(frozen=True)
class Artifact:
    """A folder of the artifact."""

    folder: Path
    facts: Mapping[tuple[str, str], Facts]
    wanted: frozenset[int] | None = field(default=None)

    @classmethod
    def at(cls, folder: Path, source: ArtifactFormulas) -> Artifact:
        """Read the results of a folder; without that file nothing is known. Raises InputError."""
        wanted = None if source.numbers is None else frozenset(numbers(source.numbers))
        return cls(folder.absolute(), _facts(folder / source.results), wanted)

    def formulas(self, model: Path) -> tuple[ArtifactFormula, ...]:
        """Return the formulas for a model; there are none for a model that is not in this folder."""
        if model not in self._known:
            self._known[model] = tuple(self._found(model))
        return self._known[model]

    @cached_property
    def _known(self) -> dict[Path, tuple[ArtifactFormula, ...]]:
        """What was found before: a plan is gone through several times."""
        return {}

    def _found(self, model: Path) -> Iterator[ArtifactFormula]:
        if not model.is_relative_to(self.folder):
            return
        name = model.name.removesuffix(model.suffix)
        for start, end, before in _SPELLINGS:
            for path in _files(model.parent, f"{glob.escape(name)}{start}*{end}"):
                stem = path.name.removesuffix(end)
                number = stem.removeprefix(f"{name}{start}")
                if self.wanted is None or (number.isdecimal() and int(number) in self.wanted):
                    facts = self.facts.get((name, number), Facts())
                    automata = _automata(path.parent, stem + before)
                    yield ArtifactFormula(path, number, read_text(path).strip(), automata, facts)


_SPELLINGS = (("_", ".ltl", "_"), ("_LTL", ".ltl.rabin.selected", "."))
"""What stands between a model and the number of a formula, how its file ends, and what comes before a translator."""


def _automata(folder: Path, start: str) -> dict[str, Path]:
    found = _files(folder, f"{glob.escape(start)}*.hoa")
    return {path.stem.removeprefix(start): path for path in found if path.stat().st_size}


def _check_columns(found: Sequence[str]) -> None:
    missing = [name for name in ("model", "formula", "verdict", "states") if name not in found]
    if missing:
        raise ValueError(f"there is no column {missing[0]}")


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _facts(table: Path) -> dict[tuple[str, str], Facts]:
    found: dict[tuple[str, str], Facts] = {}
    if not table.is_file():
        return found
    number = 1
    try:
        with table.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines)
            _check_columns(reader.fieldnames or ())
            for number, row in enumerate(reader, 2):  # noqa: B007  (told where it fails)
                key = row["model"], row["formula"]
                found[key] = found.get(key, Facts()).with_row(row)
    except (OSError, csv.Error, TypeError, ValueError) as error:
        message = f"not a row of results: {str(error)[:200]}"
        raise InputError(message, Place(str(table), number)) from None
    return found
