"""Finds the files that an experiment names, beside the experiment or in the folder of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

    def file(self, name: str, *where: str | int) -> Path:
        """Return the file that the experiment names at `where`; a device or a pipe is none. Raises InputError."""
        return self._found(name, Path.is_file, "file", where)

    def folder(self, name: str, *where: str | int) -> Path:
        """Return the folder that the experiment names at `where`. Raises InputError."""
        return self._found(name, Path.is_dir, "folder", where)

    def _found(
        self, name: str, is_right: Callable[[Path], bool], what: str, where: Sequence[str | int]
    ) -> Path:
        paths = [base / name for base in self._bases]
        for path in paths:
            if _is(path, is_right):
                return path
        if any(_is(path, Path.exists) for path in paths):
            raise self.document.error(f"{name} is no {what}", *where)
        raise self.document.error(f"there is no {name} {self._here()}", *where, suggestion=self._hint())

    def match(self, pattern: str, exclude: tuple[str, ...], *where: str | int) -> list[Path]:
        """Return the files that a pattern matches, in order. Raises InputError when there is none."""
        parts = Path(pattern).parts
        if Path(pattern).is_absolute() or ("**" in parts and ".." in parts):
            hint = "give the folder by --data DIR, and a pattern within it"
            raise self.document.error(f"{pattern} leads outside", *where, suggestion=hint)
        for base in self._bases:
            try:
                found = [path for path in base.glob(pattern) if _is_plain(path, base)]
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", error)
                raise self.document.error(f"{pattern} is no pattern: {why}", *where) from None
            kept = [path for path in found if not any(fnmatch(path.name, other) for other in exclude)]
            if kept:
                return sorted(kept)
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


def _is(path: Path, what: Callable[[Path], bool]) -> bool:
    try:
        return what(path)
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_plain(path: Path, base: Path) -> bool:
    """Is this a file that a pattern means? One that is hidden, or in a hidden folder, is not."""
    hidden = any(part.startswith(".") and part != ".." for part in path.relative_to(base).parts)
    return not hidden and path.is_file()
