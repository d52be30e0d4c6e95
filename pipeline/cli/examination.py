"""Looks at the installation: what is wrong with it, and what follows from that."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import version

from buchi.models import backends, cache
from buchi.pipeline import memory
from buchi.pipeline.registry import Group, plugins


class Health(str, Enum):
    """How a finding is to be taken: a worry costs speed, a failure costs verdicts."""

    GOOD = "good"
    WORRY = "worry"
    FAILURE = "failure"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    health: Health
    text: str


def examine() -> Iterator[Finding]:
    """Yield all findings; an examination that fails is a finding itself."""
    for subject, examination in _EXAMINATIONS.items():
        try:
            health, text = examination()
        except Exception as error:  # the doctor reports what is broken, it does not break
            health, text = Health.FAILURE, f"{type(error).__name__}: {error}"
        yield Finding(subject, health, text)
    for group in Group:
        yield from _plugin_findings(group)


def _examine_buchi() -> tuple[Health, str]:
    return Health.GOOD, f"{version('buchi')}, Python {platform.python_version()}, {platform.platform()}"


def _examine_engine() -> tuple[Health, str]:
    from buchi import _engine

    return Health.GOOD, f"kernels: {', '.join(_engine.kernels())}"


def _examine_spot() -> tuple[Health, str]:
    import spot

    return Health.GOOD, str(spot.version())


def _examine_compiler() -> tuple[Health, str]:
    try:
        return Health.GOOD, backends.find_compiler()[0]
    except backends.NoLibraryError as problem:
        return Health.WORRY, f"{problem}: models are interpreted, which is slower"


def _examine_cache() -> tuple[Health, str]:
    folder = backends.cache_folder()
    try:
        os.close(cache.examine(folder))
    except cache.UnusableError as problem:
        return Health.WORRY, f"{folder} is not used, {problem}: models are compiled anew each time"
    if os.access(folder, os.W_OK | os.X_OK):
        return Health.GOOD, str(folder)
    return Health.WORRY, f"{folder} cannot be written: models are compiled anew each time"


def _examine_memory() -> tuple[Health, str]:
    return (
        Health.GOOD,
        f"a search may take {memory.format_size(memory.default_limit())} unless --max-memory says more",
    )


_EXAMINATIONS: dict[str, Callable[[], tuple[Health, str]]] = {
    "buchi": _examine_buchi,
    "engine": _examine_engine,
    "spot": _examine_spot,
    "compiler": _examine_compiler,
    "cache": _examine_cache,
    "memory": _examine_memory,
}


def _plugin_findings(group: Group) -> Iterator[Finding]:
    found, subject = plugins(group), group.value.removeprefix("buchi.")
    yield Finding(subject, Health.GOOD, ", ".join(found.found) or "none")
    for broken in found.broken:
        yield Finding(subject, Health.FAILURE, f"{broken.entry} ({broken.origin}): {broken.reason}")
