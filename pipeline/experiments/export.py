"""Writes the runs of a store as a table for other programs: CSV, or Parquet with pyarrow."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from buchi.common.errors import InputError
from buchi.common.words import harmless_cell
from buchi.pipeline.experiments.store import COLUMNS, INTEGERS, REALS, Store, refuse_to_replace
from buchi.pipeline.whole_files import written_whole

BATCH = 10_000


def write_csv(store: Store, path: Path) -> int:
    """Write all runs; return how many there are. What is not known is an empty field. Raises InputError."""
    refuse_to_replace(store.path, path)
    with written_whole(path) as file:
        return print_csv(store, file)


def print_csv(store: Store, file: TextIO) -> int:
    """Write all runs to a file that is open; return how many there are."""
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    return sum(bool(writer.writerow(map(harmless_cell, row))) for row in store.rows())


def write_parquet(store: Store, path: Path) -> int:
    """Write all runs; return how many there are. Raises InputError."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise InputError(
            "Parquet files need pyarrow",
            suggestion="install it by: pip install 'buchi[parquet]', or use --csv",
        ) from None
    refuse_to_replace(store.path, path)
    types = {**dict.fromkeys(INTEGERS, arrow.int64()), **dict.fromkeys(REALS, arrow.float64())}
    schema = arrow.schema([(name, types.get(name, arrow.string())) for name in COLUMNS])
    count = 0
    with written_whole(path) as file, parquet.ParquetWriter(file.buffer, schema) as writer:
        for rows in _batches(store.rows()):
            columns = [list(column) for column in zip(*rows, strict=True)]
            writer.write_table(arrow.table(columns, schema=schema))
            count += len(rows)
    return count


def _batches(rows: Iterator[list[Any]]) -> Iterator[list[list[Any]]]:
    while batch := list(islice(rows, BATCH)):
        yield batch
