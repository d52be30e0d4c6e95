"""A counterexample as a file, of the kind that its name asks for: a page, ITF, or plain JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from buchi.common.errors import InputError
from buchi.common.words import counted

if TYPE_CHECKING:
    from buchi.schemas.result import Counterexample

MOST_STEPS = 50_000
"""Steps of a run that a page has room for."""
LONGEST_SOURCE = 1 << 20
"""Characters of a model that a page shows; nobody wrote more."""


@dataclass(frozen=True)
class About:
    """What a counterexample is about: the file of the model, and the property in words."""

    model: str
    asked: str


def trace_chunks(path: Path, found: Counterexample, about: About) -> Iterator[str]:
    """Return the content of a file with this name, piece by piece. Raises InputError where there cannot be one."""
    if path.name.endswith(".html"):
        return iter([_page(found, about)])
    if path.name.endswith(".itf.json"):
        from buchi.pipeline.traces.itf import itf_chunks

        return itf_chunks(found, about.model)
    return chain(found.json_chunks(between="\n"), "\n")


def _page(found: Counterexample, about: About) -> str:
    from buchi.pipeline.traces.page import page
    from buchi.schemas.story import Story

    if found.length > MOST_STEPS:
        raise InputError(
            f"it has {counted(found.length, 'step')}, and a page has room for {MOST_STEPS:,}",
            suggestion="try --shortest, or --trace FILE.json",
        )
    story = Story.of(found)
    has_lines = any(step.lines for step in (*story.prefix, *story.cycle))
    return page(story, Path(about.model).name, about.asked, _source(about.model) if has_lines else None)


def _source(model: str) -> tuple[str, str] | None:
    """Return the name and the text of a model, unless it is gone meanwhile or longer than people write."""
    from buchi.pipeline.loading import read_text

    try:
        text = read_text(Path(model))
    except InputError:
        return None
    return (Path(model).name, text) if len(text) <= LONGEST_SOURCE else None
