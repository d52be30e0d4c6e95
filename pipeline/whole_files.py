"""Writes a file whole or not at all: a full disk, an interrupt or a bug leaves the old one as it was.

What is written goes to a temporary file in the same folder, which takes the place of the old one when it is complete
and on the disk. What is no file, such as a pipe or `/dev/stdout`, cannot be replaced, and is written to as it is.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from buchi.common.errors import InputError, Place


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """Give a file to write UTF-8 text to, or bytes through its `buffer`, and keep it if the block ends well.

    Raises InputError, which names the file, where it cannot be written.
    """
    try:
        with _replaced(path) if _is_replaceable(path) else _opened(path) as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", Place(str(path))) from None


def _is_replaceable(path: Path) -> bool:
    return path.is_file() or not path.exists()


def _opened(path: Path | int) -> TextIO:
    return open(path, "w", encoding="utf-8", errors="backslashreplace", newline="")


@contextmanager
def _replaced(path: Path) -> Iterator[TextIO]:
    goal = Path(os.path.realpath(path))  # a link stays a link
    part = goal.with_name(f".buchi-{secrets.token_hex(8)}.part")
    descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    try:
        with _opened(descriptor) as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        with suppress(FileNotFoundError):
            part.chmod(stat.S_IMODE(goal.stat().st_mode))
        part.replace(goal)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
