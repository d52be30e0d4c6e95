"""What installed packages declare under the entry points of `buchi`.

As `importlib.metadata` finds it, whose import takes longer than all else that a short command does. It is asked where
packages are kept in anything but folders.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any, NamedTuple

PREFIX = "buchi."
_METADATA = (".dist-info", ".egg-info")


class Entry(NamedTuple):
    """A declared plugin: `value` is `module:name`."""

    name: str
    value: str
    group: str

    def load(self) -> Any:
        """Import the module and return what the entry names there."""
        module, _, attribute = self.value.partition("[")[0].partition(":")
        loaded = import_module(module.strip())
        return attrgetter(attribute.strip())(loaded) if attribute.strip() else loaded


def declared(group: str) -> list[Entry]:
    """Return the entries of a group, of all packages that can be imported; of two with one name, those of the first."""
    if any(os.path.isfile(folder) for folder in sys.path):
        from importlib.metadata import entry_points

        return [Entry(entry.name, entry.value, group) for entry in entry_points(group=group)]
    return [entry for entry in _in_folders(tuple(sys.path)) if entry.group == group]


@cache
def _in_folders(folders: tuple[str, ...]) -> list[Entry]:
    packages: dict[str, str] = {}
    for folder in folders:
        with suppress(OSError):
            for name in sorted(os.listdir(folder or ".")):
                if name.endswith(_METADATA):
                    packages.setdefault(_package(name), os.path.join(folder, name, "entry_points.txt"))
    return [entry for file in packages.values() for entry in _read(file)]


def _package(folder: str) -> str:
    """Return the name of the package that a folder of metadata describes, whatever its spelling."""
    return folder.rpartition(".")[0].partition("-")[0].lower().replace(".", "_")


def _read(file: str) -> Iterator[Entry]:
    """Yield the entries of a package for us."""
    try:
        with open(file, encoding="utf-8") as stream:
            lines = [line.strip() for line in stream]
    except (OSError, UnicodeDecodeError):
        return
    group = ""
    for line in lines:
        if line.startswith("["):
            group = line.strip("[] ")
        elif group.startswith(PREFIX) and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield Entry(name.strip(), value.strip(), group)
