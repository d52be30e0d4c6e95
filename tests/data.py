"""The public benchmark data: in BUCHI_DATA, or in `shared/data` beside the project. Without it tests skip."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("BUCHI_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")

needs_data = pytest.mark.skipif(not FOLDER.is_dir(), reason="the benchmark data is not here; set BUCHI_DATA")


def beem_models() -> list[Path]:
    """Return every DVE file, models with a property process included."""
    return sorted([*FOLDER.glob("beem/*/*.dve"), *FOLDER.glob("sttt-beem/*/*.dve")])


def published_states(least: int, most: int) -> Iterator[tuple[Path, int]]:
    """Yield the models whose published number of states is within bounds, with that number."""
    table = FOLDER / "beem" / "states.csv"
    if not table.exists():
        return
    with table.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            path = FOLDER / "beem" / row["family"] / f"{row['family']}.{row['instance']}.dve"
            if least <= int(row["states"]) <= most and path.exists():
                yield path, int(row["states"])


def published_verdicts(least: int, most: int) -> Iterator[tuple[Path, bool]]:
    """Yield the models with a property process whose number of states is within bounds: does the property hold?"""
    small = {path.stem for path, _ in published_states(least, most)}
    table = FOLDER / "beem" / "ltl.csv"
    if not table.exists():
        return
    with table.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            model = f"{row['family']}.{row['instance']}"
            path = FOLDER / "beem" / row["family"] / f"{model}.prop{row['property']}.dve"
            if model in small and path.exists():
                yield path, row["holds"] == "yes"
