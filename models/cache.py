"""Files that are kept between runs and prove what they hold.

The user's own account is trusted; other users are not, nor is the disk. A folder is used only if it belongs to the
user and nobody else can write to it. A file is named by a key, which stands for all that its content was made from,
and ends with a digest of the key and the content: a file that was cut short, changed or renamed is not taken.

Everything goes through the descriptor of the folder that was examined, so that nobody can put another in its place.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from platformdirs import user_cache_path

log = logging.getLogger(__name__)

_DIGEST = hashlib.sha256().digest_size
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class UnusableError(Exception):
    """The cache cannot be used; the message says why. `suspect` if others could have written to it."""

    def __init__(self, reason: str, *, suspect: bool = False) -> None:
        super().__init__(reason)
        self.suspect = suspect


def key_of(*parts: str) -> str:
    """Return the key of what is made from these texts."""
    return hashlib.sha256(repr(parts).encode(errors="surrogatepass")).hexdigest()


def location(kind: str) -> Path:
    """Return where files of a kind are kept."""
    return user_cache_path("buchi") / kind


@dataclass(frozen=True)
class Folder:
    """An open folder that was found to be the user's own."""

    descriptor: int

    def path(self, name: str) -> str:
        """Return a path to a file that stays right when folders above are moved."""
        return f"/proc/self/fd/{self.descriptor}/{name}"

    def read(self, name: str, key: str) -> bytes | None:
        """Return the content of a file that proves to be that of its key, else None."""
        try:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.descriptor)
            with open(file, "rb") as stream:
                _check_owner(os.fstat(file), stat.S_ISREG, name)
                kept = stream.read()
        except (OSError, UnusableError):
            return None
        content, digest = kept[:-_DIGEST], kept[-_DIGEST:]
        return content if hmac.compare_digest(digest, _digest(key, content)) else None

    def write(self, name: str, key: str, content: bytes) -> bool:
        """Keep a content under its key; return whether it could be kept. The file appears as a whole."""
        draft = f".{name}.{os.urandom(8).hex()}"
        try:
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=self.descriptor)
        except OSError:
            return False
        try:
            with open(file, "wb") as stream:
                stream.write(content + _digest(key, content))
            os.replace(draft, name, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
        except OSError:
            with suppress(OSError):
                os.unlink(draft, dir_fd=self.descriptor)
            return False
        return True


@contextmanager
def opened(path: Path) -> Iterator[Folder | None]:
    """Open a folder of the cache for a while; None where it cannot be used, which never stops the work."""
    try:
        descriptor = examine(path)
    except UnusableError as problem:
        if problem.suspect:
            _warn(f"the cache {path} is not used: {problem}")
        yield None
        return
    try:
        yield Folder(descriptor)
    finally:
        os.close(descriptor)


def examine(path: Path) -> int:
    """Return a descriptor of a folder, which is made if need be. Raises UnusableError."""
    if not path.is_absolute():
        raise UnusableError("there is no home folder for it")
    try:
        _make(path)
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UnusableError(f"it cannot be opened ({error.strerror})") from None
    try:
        _check_owner(os.fstat(descriptor), stat.S_ISDIR, str(path))
    except UnusableError:
        os.close(descriptor)
        raise
    return descriptor


def _make(path: Path) -> None:
    """Make the folder and the one around it for the user alone."""
    if path.is_dir():
        return
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def _check_owner(status: os.stat_result, is_kind: Callable[[int], bool], name: str) -> None:
    if not is_kind(status.st_mode):
        raise UnusableError(f"{name} is not what it should be", suspect=True)
    if status.st_uid != os.geteuid():
        raise UnusableError("it belongs to another user", suspect=True)
    if status.st_mode & _WRITABLE_BY_OTHERS:
        raise UnusableError(f"others may write to it (try chmod go-w {name})", suspect=True)


def _digest(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + content).digest()


@lru_cache
def _warn(message: str) -> None:
    """Say something once."""
    log.warning(message)
