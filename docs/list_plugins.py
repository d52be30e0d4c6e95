"""Writes docs/plugins.md from what the plugins of this project declare. Run by `make docs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from buchi.checkers.declaration import Accepts, Strength
from buchi.pipeline import registry

HEAD = """\
# Plugins

Made by `make docs` from what the plugins declare; `buchi plugins` lists those that are installed, which may be more.
"""


def document() -> str:
    """Return the text of docs/plugins.md."""
    return "\n".join([HEAD, *_languages(), *_translators(), *_checkers()])


def _languages() -> Iterator[str]:
    rows = [(f"`{p.name}`", _code(f"*{s}" for s in p.suffixes)) for p in _ours(registry.frontends())]
    yield from _section("Model languages", "buchi.models", ("name", "files"), rows)


def _translators() -> Iterator[str]:
    head = ("name", "from", "to", "what it does", "options (the default first)", "after")
    rows = [
        (f"`{p.name}`", str(p.source), str(p.target), p.summary, _options(p.options), p.paper or "–")
        for p in _ours(registry.translators())
    ]
    yield from _section("Translators", "buchi.translators", head, rows)


def _checkers() -> Iterator[str]:
    head = ("name", "what it does", "runs in", "takes", "after")
    rows = [
        (f"`{p.name}`", p.summary, _runs_in(p), _accepted(p.accepts), p.paper)
        for p in _ours(registry.checkers())
    ]
    yield from _section("Checkers", "buchi.checkers", head, rows)


def _ours(found: Any) -> list[Any]:
    return [plugin for plugin in found.values() if type(plugin).__module__.startswith("buchi.")]


def _section(title: str, group: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"## {title}\n\nEntry point `{group}`.\n"
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, rows)
    yield ""


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _options(options: Any) -> str:
    return _code(f"{name}={_choices(field)}" for name, field in options.model_fields.items()) or "–"


def _choices(field: Any) -> str:
    """Return the default and, where there are few, the other values."""
    values = [*getattr(field.annotation, "__args__", ())]
    if field.annotation is bool:
        values = [True, False]
    others = [value for value in values if value != field.default]
    return "/".join(
        str(value).lower() if isinstance(value, bool) else str(value) for value in [field.default, *others]
    )


def _runs_in(checker: Any) -> str:
    return f"engine (`{checker.kernel}`)" if hasattr(checker, "kernel") else "Python"


def _accepted(accepts: Accepts) -> str:
    """Return in words what a checker takes."""
    if accepts.testing:
        return "testing automata"
    letters = " or ".join(sorted(letter.value for letter in accepts.letters))
    parts = [f"{letters} letters", _bound(accepts.max_sets, "Inf set"), _bound(accepts.max_clauses, "clause")]
    parts.append("Fin" if accepts.fin else "no Fin")
    if accepts.on_states:
        parts.append("acceptance on states")
    if accepts.strength is not Strength.GENERAL:
        parts.append(f"{accepts.strength.value} automata only")
    if accepts.total:
        parts.append("not with `--deadlock drop`")
    return "; ".join(parts)


def _bound(most: int | None, noun: str) -> str:
    if most is None:
        return f"any number of {noun}s"
    return f"{most} {noun}" if most == 1 else f"at most {most} {noun}s"


if __name__ == "__main__":
    Path(__file__).with_name("plugins.md").write_text(document(), encoding="utf-8")
