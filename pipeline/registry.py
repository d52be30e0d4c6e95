"""Finds the plugins: everything that a package declares under one of our entry points.

A plugin that cannot be loaded is set aside with the reason; the rest works on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast

from buchi.common.errors import InputError, nearest
from buchi.common.interrupts import held_back
from buchi.pipeline.entry_points import declared

if TYPE_CHECKING:
    from buchi.checkers.declaration import AnyChecker
    from buchi.models.frontend import Frontend
    from buchi.translators.translator import Translator


class Group(str, Enum):
    """The entry points, by what the plugins under them are."""

    MODELS = "buchi.models"
    TRANSLATORS = "buchi.translators"
    CHECKERS = "buchi.checkers"


REQUIRED: Mapping[Group, tuple[str, ...]] = {
    Group.MODELS: ("name", "suffixes", "load"),
    Group.TRANSLATORS: ("name", "source", "target", "summary", "options", "run"),
    Group.CHECKERS: ("name", "summary", "paper", "accepts"),
}
"""What a plugin must have: the members of its protocol."""


@dataclass(frozen=True)
class Broken:
    """A plugin that could not be loaded, and why."""

    entry: str
    origin: str
    reason: str


@dataclass(frozen=True)
class Plugins:
    """The plugins of one group by name, in the order of discovery, and those that could not be loaded."""

    found: Mapping[str, Any] = field(default_factory=dict)
    broken: tuple[Broken, ...] = ()

    def get(self, name: str, noun: str) -> Any:
        """Return the plugin called `name`; `noun` is what a message calls such plugins."""
        if name in self.found:
            return self.found[name]
        for broken in self.broken:
            if broken.entry == name:
                raise InputError(
                    f"the {noun} {name} cannot be loaded: {broken.reason}", suggestion=broken.origin
                )
        known = f"known: {', '.join(self.found) or 'none'}"
        raise InputError(f"there is no {noun} {name!r}", suggestion=nearest(name, self.found) or known)


class Declared(Protocol):
    """An entry point."""

    @property
    def name(self) -> str:
        """The name under which it is declared."""

    @property
    def value(self) -> str:
        """Where it is: `module:name`."""

    def load(self) -> Any:
        """Import it."""


def load_plugins(group: Group, entries: Iterable[Declared]) -> Plugins:
    """Load `entries` one by one."""
    found: dict[str, Any] = {}
    broken: list[Broken] = []
    for entry in entries:
        try:
            plugin = _load(group, entry)
            if plugin.name in found:
                raise TypeError(f"the name {plugin.name!r} is taken by {_class_name(found[plugin.name])}")
        except (Exception, SystemExit) as error:  # whatever a plugin does wrong must not take the others down
            broken.append(Broken(entry.name, entry.value, f"{type(error).__name__}: {error}"))
        else:
            found[plugin.name] = plugin
    return Plugins(found, tuple(broken))


def _load(group: Group, entry: Declared) -> Any:
    with held_back():
        declared = entry.load()
    plugin = declared() if isinstance(declared, type) else declared
    missing = [member for member in REQUIRED[group] if not hasattr(plugin, member)]
    if group is Group.CHECKERS and not (hasattr(plugin, "kernel") or hasattr(plugin, "find")):
        missing.append("kernel or find")
    if missing:
        raise TypeError(f"{_class_name(plugin)} lacks {', '.join(missing)}")
    return plugin


def _class_name(plugin: object) -> str:
    return f"{type(plugin).__module__}.{type(plugin).__qualname__}"


@cache
def plugins(group: Group) -> Plugins:
    """Return the plugins of a group; ours come before those of other packages."""
    return load_plugins(group, sorted(declared(group.value), key=_ours_first))


def _ours_first(entry: Declared) -> bool:
    return not entry.value.startswith("buchi.")


def frontends() -> Mapping[str, Frontend]:
    """Return the model languages by name."""
    return cast("Mapping[str, Frontend]", plugins(Group.MODELS).found)


def translators() -> Mapping[str, Translator]:
    """Return the translators by name."""
    return cast("Mapping[str, Translator]", plugins(Group.TRANSLATORS).found)


def checkers() -> Mapping[str, AnyChecker]:
    """Return the emptiness checks by name."""
    return cast("Mapping[str, AnyChecker]", plugins(Group.CHECKERS).found)


def checker(name: str) -> AnyChecker:
    """Return the emptiness check called `name`, or raise InputError with the nearest names."""
    get: Callable[[str, str], AnyChecker] = plugins(Group.CHECKERS).get
    return get(name, "checker")
