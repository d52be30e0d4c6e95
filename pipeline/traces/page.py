"""The page of a trace: one HTML file to step through a counterexample."""

from __future__ import annotations

from html import escape

from buchi import __version__
from buchi.pipeline.pages.assembly import BASE, DOM, Asset, assembled, embedded
from buchi.pipeline.traces.payload import ending, payload
from buchi.schemas.story import Story

_PACKAGE = "traces"
STYLE: Asset = (_PACKAGE, "trace.css")
SCRIPTS: tuple[Asset, ...] = tuple((_PACKAGE, name) for name in ("run.js", "rows.js", "panels.js", "view.js"))


def page(story: Story, model: str, asked: str, source: tuple[str, str] | None = None) -> str:
    """Return the page; `asked` is the property, and `source` the name of the model's file and its text."""
    return assembled(
        (_PACKAGE, "page.html"),
        [BASE, STYLE],
        [DOM, *SCRIPTS, (_PACKAGE, "main.js")],
        title=escape(f"Counterexample in {model}"),
        property=escape(asked),
        ending=escape(_summary(story)),
        version=escape(__version__),
        data=embedded(payload(story, source)),
    )


def _summary(story: Story) -> str:
    text = ending(story)["text"]
    return text[:1].upper() + text[1:] + "."
