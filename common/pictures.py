"""Automata as pictures: Graphviz text for every form, and SVG for notebooks where Graphviz is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from typing import NamedTuple

MAX_DRAWN = 500
"""Beyond so many edges a picture shows nothing, and Graphviz takes long."""
_SECONDS = 20


class Node(NamedTuple):
    """A state of a picture; `rings` is 2 for accepting states."""

    text: str
    rings: int = 1
    dashed: bool = False


class Arrow(NamedTuple):
    """An edge of a picture; `source` is None for the arrow to an initial state."""

    source: int | None
    text: str
    destination: int


class Picture(NamedTuple):
    """What is drawn of an automaton."""

    title: str
    nodes: list[Node]
    arrows: list[Arrow]

    def dot(self) -> str:
        """Return the text for Graphviz."""
        lines = ["digraph automaton {", "  rankdir=LR;", f"  label={_quoted(self.title)};", "  labelloc=t;"]
        lines += ["  node [shape=circle];"]
        lines += [f"  {i} [{_attributes(node)}];" for i, node in enumerate(self.nodes)]
        for number, arrow in enumerate(self.arrows):
            if arrow.source is None:
                lines.append(f'  start{number} [shape=point, style=invis, label=""];')
            source = f"start{number}" if arrow.source is None else str(arrow.source)
            lines.append(f"  {source} -> {arrow.destination} [label={_quoted(arrow.text)}];")
        return "\n".join([*lines, "}", ""])


class Drawn:
    """Gives an automaton its picture in notebooks; what it looks like is `picture`."""

    def picture(self) -> Picture:
        """Return what to draw."""
        raise NotImplementedError

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook, or None where there is no Graphviz or too much to draw."""
        picture = self.picture()
        return svg(picture.dot()) if len(picture.arrows) <= MAX_DRAWN else None


def svg(dot: str) -> str | None:
    """Return what Graphviz makes of a text, or None if it is not installed or fails."""
    program = shutil.which("dot")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "-Tsvg"], input=dot, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def joined(parts: Iterable[str]) -> str:
    """Put the parts of a label below one another."""
    return "\n".join(part for part in parts if part)


def _attributes(node: Node) -> str:
    style = ", style=dashed" if node.dashed else ""
    return f"label={_quoted(node.text)}, peripheries={node.rings}{style}"


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


def _quoted(text: str) -> str:
    """Return a string of Graphviz in which nothing is markup, an escape of its own, or the end of the line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", escaped) + '"'
