"""The two ways to execute a model: the engine's interpreter, and C that the system's compiler turns into a library.

Libraries are kept under the user's cache folder by a hash of the source, the compiler and its flags. Two processes may
build the same one at once: each writes a file of its own and moves it into place. Where the cache cannot be written,
the library lives in a temporary folder until it is loaded.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from enum import Enum
from math import prod
from pathlib import Path

from platformdirs import user_cache_path

from buchi import _engine
from buchi.models.bytecode import initial_vector, interpreted
from buchi.models.c_source import c_source
from buchi.models.guarded import Model
from buchi.schemas.errors import InputError

FLAGS = ("-O2", "-fPIC", "-shared", "-fwrapv", "-w")
TINY = 20_000
"""A model that cannot have more states than this is interpreted: it is done before a compiler has started."""


class Backend(str, Enum):
    """How a model is executed; `auto` compiles when there is a compiler and the model is not tiny."""

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
    if backend is Backend.INTERPRETED or (backend is Backend.AUTO and is_tiny(model)):
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
    return prod(len(v.values) or 256**v.size for v in model.variables) <= TINY


def compiled(model: Model) -> _engine.Model:
    """Compile a model, or take it from the cache. Raises NoLibraryError."""
    source = c_source(model)
    compiler = find_compiler()
    name = hashlib.sha256("\0".join((source, *compiler, *FLAGS)).encode()).hexdigest()[:32] + ".so"
    library = cache_folder() / name
    if library.exists():
        try:
            return load(model, library)
        except NoLibraryError:
            pass  # damaged: built anew
    return build_library(model, source, compiler[0], library)


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
    return user_cache_path("buchi") / "models"


def build_library(model: Model, source: str, compiler: str, library: Path) -> _engine.Model:
    """Compile into the cache, or into a temporary folder where the cache cannot be written."""
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=library.parent) as folder:
            built = run_compiler(source, compiler, Path(folder))
            os.replace(built, library)
        return load(model, library)
    except OSError:
        return build_elsewhere(model, source, compiler)


def build_elsewhere(model: Model, source: str, compiler: str) -> _engine.Model:
    """Compile without the cache; a loaded library needs its file no more."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return load(model, run_compiler(source, compiler, Path(folder)))
    except OSError as problem:
        raise NoLibraryError(f"no folder to compile in: {problem}") from None


def run_compiler(source: str, compiler: str, folder: Path) -> Path:
    """Compile in `folder`. A full disk raises OSError, whoever notices it; any other failure NoLibraryError."""
    text, library = folder / "model.c", folder / "model.so"
    text.write_text(source)
    done = subprocess.run(
        [compiler, *FLAGS, "-o", library, text],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if "No space left" in done.stderr:
        raise OSError(done.stderr)
    if done.returncode != 0 or not library.exists():
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        raise NoLibraryError(f"{compiler} failed: {last}")
    return library


def load(model: Model, library: Path) -> _engine.Model:
    """Load a compiled model."""
    try:
        return _engine.Model.compiled(initial_vector(model), str(library), len(model.commands))
    except RuntimeError as problem:
        raise NoLibraryError(str(problem)) from None
