"""The control groups around this process, through which the system or a container limits it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MEMBERSHIP, ROOT = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")


class Group(NamedTuple):
    """The folder of a group, and the version of the interface to it, 1 or 2."""

    folder: Path
    version: int

    def text(self, name: str) -> str:
        """Return what one of its files says, nothing if it is not there."""
        try:
            return (self.folder / name).read_text()
        except (OSError, ValueError):
            return ""

    def number(self, name: str) -> int | None:
        """Return the number in one of its files, None if it holds none (`max`) or is not there."""
        try:
            return int(self.text(name))
        except ValueError:
            return None


def groups(controller: str, membership: Path = MEMBERSHIP, root: Path = ROOT) -> Iterator[Group]:
    """Yield the group of this process for `memory`, `cpu`, … and those above it, of both versions."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0":
            yield from _upwards(root, path, 2)
        elif controller in controllers.split(","):
            yield from _upwards(root / controller, path, 1)


def _upwards(root: Path, path: str, version: int) -> Iterator[Group]:
    """Yield the group of `path` and those above it; in a container only `root` may exist."""
    group = root / path.lstrip("/")
    for folder in (group, *group.parents):
        yield Group(folder, version)
        if folder == root:
            return
