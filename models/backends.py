"""The two ways to execute a model: the engine's interpreter, and C that the system's compiler turns into a library.

Libraries are kept in the cache by a hash of the source, the compiler and its flags; one that does not prove to be that
of its model is built anew. Two processes may build the same one at once: each works in a folder of its own. The
compiler has limits, since others write the models: where it reaches them, the model is interpreted.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from buchi import _engine
from buchi.common.errors import InputError
from buchi.models import cache
from buchi.models.bytecode import initial_vector, interpreted
from buchi.models.c_source import TooLargeError, c_source
from buchi.models.guarded import Model

FLAGS = ("-O2", "-fPIC", "-shared", "-fwrapv", "-w")
SECONDS = 120
"""The compiler's time, of the clock and of the processor. BEEM's largest model takes four seconds."""
KILOBYTES = 4 << 20
"""The compiler's memory."""
_WITHIN_LIMITS = f"""
ulimit -t {SECONDS}
ulimit -v {KILOBYTES}
exec 3<&0
{{ read -r nothing; kill -9 0; }} <&3 &
"$0" "$@" 3<&- </dev/null
code=$?
kill $!
exit $code
"""
"""Runs a command within limits, and ends all that it started when whoever holds the other end of its input is gone."""
TINY = 20_000
"""A model that cannot have more states than this is interpreted: it is done before a compiler has started."""
MANY, MANY_SIMPLE = 2000, 500
"""Commands beyond which a model is interpreted: a compiler takes milliseconds for each. Those that only test program
counters are interpreted nearly as fast as they are compiled. Models of BEEM have fewer."""


class Backend(str, Enum):
    """How a model is executed; `auto` compiles when there is a compiler and the model is neither tiny nor huge."""

    AUTO = "auto"
    COMPILED = "compiled"
    INTERPRETED = "interpreted"


@dataclass(frozen=True)
class BuiltModel:
    """An executable model, how it is executed, and a remark if that is not what one would expect."""

    engine: _engine.Model
    backend: Backend
    note: str | None = None


class NoLibraryError(Exception):
    """The model could not be compiled; the message says why."""


def build(model: Model, backend: Backend = Backend.AUTO) -> BuiltModel:
    """Make a model executable. Raises InputError when `compiled` is asked for and cannot be had."""
    if backend is Backend.INTERPRETED or (backend is Backend.AUTO and (is_tiny(model) or is_huge(model))):
        return BuiltModel(interpreted(model), Backend.INTERPRETED)
    try:
        return BuiltModel(compiled(model), Backend.COMPILED)
    except NoLibraryError as problem:
        if backend is Backend.COMPILED:
            raise InputError(
                f"cannot compile the model: {problem}", suggestion="try --backend interpreted"
            ) from None
        return BuiltModel(
            interpreted(model), Backend.INTERPRETED, f"the model is interpreted, which is slower: {problem}"
        )


def is_tiny(model: Model) -> bool:
    """Return whether the variables have few values, by their declarations alone."""
    states = 1
    for variable in model.variables:
        states *= len(variable.values) or 1 << min(variable.bits, 16)
        if states > TINY:
            return False
    return True


def is_huge(model: Model) -> bool:
    """Return whether a compiler would take longer than it saves."""
    simple = all(command.guard is None for command in model.commands)
    return len(model.commands) > (MANY_SIMPLE if simple else MANY)


def compiled(model: Model) -> _engine.Model:
    """Compile a model, or take it from the cache. Raises NoLibraryError."""
    try:
        source = c_source(model)
    except TooLargeError as problem:
        raise NoLibraryError(str(problem)) from None
    compiler = find_compiler()
    key = cache.key_of(source, *compiler, *FLAGS)
    name = f"{key[:32]}.so"
    with cache.opened(cache_folder()) as folder:
        if folder and folder.read(name, key) is not None:
            with suppress(NoLibraryError):  # such as that of another kind of processor: built anew
                return load(model, folder.path(name))
        return _build_library(model, source, compiler[0], lambda library: _keep(folder, name, key, library))


def find_compiler() -> tuple[str, str]:
    """Return the system's C compiler and what tells its version apart from others."""
    wanted = os.environ.get("CC") or "cc"
    path = shutil.which(wanted)
    if path is None:
        raise NoLibraryError(f"no C compiler ({wanted}) found on PATH")
    real = os.path.realpath(path)
    return path, f"{real} {os.stat(real).st_mtime_ns}"


def cache_folder() -> Path:
    """Return where compiled models are kept."""
    return cache.location("models")


def _keep(folder: cache.Folder | None, name: str, key: str, library: Path) -> str | None:
    """Put a library into the cache and return its place there; None where it cannot be kept."""
    kept = folder is not None and folder.write(name, key, library.read_bytes())
    return folder.path(name) if folder and kept else None


def _build_library(
    model: Model, source: str, compiler: str, keep: Callable[[Path], str | None]
) -> _engine.Model:
    """Compile in a folder of our own, and load from the cache or, where it cannot be kept or used there, from here.

    A loaded library needs its file no more.
    """
    from tempfile import TemporaryDirectory

    try:
        with TemporaryDirectory(prefix="buchi-") as folder:
            library = run_compiler(source, compiler, Path(folder))
            kept = keep(library)
            with suppress(NoLibraryError):
                if kept is not None:
                    return load(model, kept)
            return load(model, str(library))
    except OSError as problem:
        raise NoLibraryError(f"no folder to compile in: {problem}") from None


def run_compiler(source: str, compiler: str, folder: Path) -> Path:
    """Compile in `folder`, within limits. Raises NoLibraryError, or OSError where the source cannot be written."""
    text, library = folder / "model.c", folder / "model.so"
    text.write_text(source)
    command = ["/bin/sh", "-c", _WITHIN_LIMITS, compiler, *FLAGS, "-o", str(library), str(text)]
    code, errors = _run(command, {**os.environ, "LC_ALL": "C", "TMPDIR": str(folder)})
    if code != 0 or not library.exists():
        last = (errors.strip().splitlines() or [f"it ended with {code}"])[-1]
        raise NoLibraryError(f"{compiler} failed: {last}")
    return library


def _run(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a command and all that it starts, and end them all together if it takes too long or we are interrupted."""
    theirs, ours = os.pipe()
    try:
        process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            encoding="utf-8",
            errors="replace",
        )
        with process:
            return _outcome(process)
    finally:
        os.close(theirs)
        os.close(ours)


def _outcome(process: subprocess.Popen[str]) -> tuple[int, str]:
    try:
        _, errors = process.communicate(timeout=SECONDS)
    except BaseException as problem:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(problem, subprocess.TimeoutExpired):
            raise NoLibraryError(f"the compiler took more than {SECONDS} seconds") from None
        raise
    return process.returncode, errors


def load(model: Model, library: str) -> _engine.Model:
    """Load a compiled model."""
    try:
        return _engine.Model.compiled(initial_vector(model), library, len(model.commands))
    except RuntimeError as problem:
        raise NoLibraryError(str(problem)) from None
