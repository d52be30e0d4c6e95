"""Reads files: a model by the language of its suffix, an automaton as text. A failure is an InputError."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from buchi.common.errors import InputError, Place, nearest
from buchi.models import kept
from buchi.models.dve import DVE
from buchi.models.frontend import Frontend, Loaded, Source, WithConstants
from buchi.pipeline import isolation, registry

MAX_BYTES = 256 << 20
"""No text that people write is longer."""

Constants: TypeAlias = tuple[tuple[str, int], ...]
"""Constants of a model by their names, with values that take the place of those in its text."""


@dataclass(frozen=True)
class Given:
    """The file of a model, with values of constants."""

    path: Path
    constants: Constants


ModelLike: TypeAlias = Path | str | Given | Loaded
"""The file of a model, the same with values of constants, or what `load_model` made of it."""


def load_model(model: ModelLike, *, overflow_is_error: bool = False) -> Loaded:
    """Read and translate a model file; a model that is loaded is left as it is."""
    if isinstance(model, Loaded):
        return model
    given = model if isinstance(model, Given) else Given(Path(model), ())
    path = given.path
    isolation.stage(f"reading {path}", reads=True)
    frontend = _language(path)
    text = read_text(path)

    def make() -> Loaded:
        return translated(frontend, text, str(path), given.constants, overflow_is_error=overflow_is_error)

    if not isinstance(frontend, DVE):  # others are read as fast as they could be read back
        loaded = make()
    else:
        loaded = kept.load(
            text, str(path), overflow_is_error=overflow_is_error, make=make, constants=dict(given.constants)
        )
    return replace(loaded, source=Source(path.name, text, given.constants))


def translated(
    frontend: Frontend, text: str, source: str, constants: Constants, *, overflow_is_error: bool
) -> Loaded:
    """Translate a text by its language, with values of constants if there are any. Raises InputError."""
    if not constants:
        return frontend.load(text, source, overflow_is_error=overflow_is_error)
    if not isinstance(frontend, WithConstants):
        raise InputError(f"models in {frontend.name} have no constants to give values to", Place(source))
    return frontend.load_with(dict(constants), text, source, overflow_is_error=overflow_is_error)


def _language(path: Path) -> Frontend:
    """Return the language of a model file, before it is read; that there is no file is said first."""
    try:
        return frontend_for(path, registry.frontends().values())
    except InputError:
        if path.is_dir() or not path.exists():
            read_text(path)
        raise


def name_of(model: ModelLike) -> str:
    """Return what messages and tables call a model."""
    if isinstance(model, Loaded):
        return model.model.name
    return str(model.path if isinstance(model, Given) else Path(model))


def frontend_for(path: Path, frontends: Iterable[Frontend]) -> Frontend:
    """Return the model language of a file, by the longest suffix that is known."""
    by_suffix = {suffix: frontend for frontend in frontends for suffix in frontend.suffixes}
    for suffix in sorted(by_suffix, key=len, reverse=True):
        if path.name.endswith(suffix):
            return by_suffix[suffix]
    known = "known: " + ", ".join(f"{suffix} ({frontend.name})" for suffix, frontend in by_suffix.items())
    what = f"the suffix {path.suffix!r}" if path.suffix else "a file name without suffix"
    raise InputError(f"no model language goes with {what}", Place(str(path)), known)


def read_text(path: Path) -> str:
    """Return the text of a file that people write."""
    try:
        content = _content(path)
    except FileNotFoundError:
        raise InputError("there is no such file", Place(str(path)), _near_files(path)) from None
    except IsADirectoryError:
        raise InputError("this is a directory, not a file", Place(str(path)), _files_inside(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Place(str(path))) from None
    except ValueError:  # a zero byte in its name
        raise InputError("this is no name of a file", Place(repr(str(path)))) from None
    return _decode(content, str(path))


def _content(path: Path) -> bytes:
    """Return the bytes of a file that has an end: a file or a pipe, of no absurd size."""
    with open(path, "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise InputError("this is a device, not a file", Place(str(path)))
        content = bytearray()
        while piece := file.read(1 << 20):
            content += piece
            if len(content) > MAX_BYTES:
                raise InputError(f"the file has more than {MAX_BYTES >> 20} MiB", Place(str(path)))
    return bytes(content)


def _decode(content: bytes, source: str) -> str:
    """Accept UTF-8, and Latin-1 as in the comments of old models; refuse what is no text."""
    if not content.strip():
        raise InputError("the file is empty", Place(source))
    if b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise InputError("this is not a text file (it holds a zero byte)", Place(source, line))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _decode_latin(content, error, source)


def _decode_latin(content: bytes, error: UnicodeDecodeError, source: str) -> str:
    control = sum(byte < 32 and byte not in b"\t\n\v\f\r" for byte in content)
    if control:
        line = content[: error.start].count(b"\n") + 1
        raise InputError("this is not a text file", Place(source, line))
    return content.decode("latin-1")


def _near_files(path: Path) -> str | None:
    return nearest(path.name, _names(path.parent))


def _files_inside(path: Path) -> str | None:
    suffixes = {suffix for frontend in registry.frontends().values() for suffix in frontend.suffixes}
    files = [name for name in _names(path) if name.endswith(tuple(suffixes))][:3]
    return f"it holds {', '.join(files)}" if files else None


def _names(folder: Path) -> list[str]:
    try:
        return sorted(file.name for file in folder.iterdir())
    except OSError:
        return []
