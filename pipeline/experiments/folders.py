"""Finds the files that an experiment names, beside the experiment or in the folder of the data."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from buchi.pipeline.experiments.reading import Document


@dataclass(frozen=True)
class Folders:
    """Where paths are relative to: the folder of the experiment first, then `--data`."""

    document: Document
    data: Path | None = None

    @property
    def _bases(self) -> Iterator[Path]:
        yield self.document.path.parent
        if self.data is not None:
            yield self.data

    def find(self, name: str, *where: str | int) -> Path:
        """Return the file or folder that the experiment names at `where`. Raises InputError."""
        for base in self._bases:
            if (base / name).exists():
                return base / name
        raise self.document.error(f"there is no {name} {self._here()}", *where, suggestion=self._hint())

    def match(self, pattern: str, exclude: tuple[str, ...], *where: str | int) -> list[Path]:
        """Return the files that a pattern matches, in order. Raises InputError when there is none."""
        for base in self._bases:
            found = sorted(
                Path(p) for p in glob.glob(os.path.join(glob.escape(str(base)), pattern), recursive=True)
            )
            kept = [path for path in found if not any(fnmatch(path.name, other) for other in exclude)]
            if kept:
                return kept
        raise self.document.error(
            f"no file matches {pattern} {self._here()}", *where, suggestion=self._hint()
        )

    def relative(self, path: Path) -> str:
        """Return a path as one would write it in the experiment, so that no folder of this machine is kept."""
        for base in self._bases:
            if path.is_relative_to(base):
                return path.relative_to(base).as_posix()
        return path.name

    def _here(self) -> str:
        return "beside the experiment" if self.data is None else "beside the experiment or in the data"

    def _hint(self) -> str | None:
        return "give the folder of the data by --data DIR" if self.data is None else None
