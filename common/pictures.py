"""Graphs as pictures: Graphviz text for automata of every form and for states of models, and SVG where it is installed.

Arrows between the same two nodes become one, whose label has a line for each. Acceptance marks have colours.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple

from buchi.common.errors import InputError
from buchi.common.frames import Tabular

MAX_DRAWN = 500
"""Beyond so many edges a picture shows nothing, and Graphviz takes long."""
MAX_LINES = 10
"""Lines of a label, and characters of a line, beyond which it is cut."""
MAX_LINE = 80
_SECONDS = 20
_FONT = 'fontname="Helvetica", fontsize=12'

COLOURS = ("#1f78b4", "#e31a1c", "#33a02c", "#ff7f00", "#6a3d9a", "#b15928", "#c51b8a", "#525252")
"""Of the acceptance sets 0, 1, …; beyond the last they come again."""


class Node(NamedTuple):
    """A state of a picture; `rings` is 2 for accepting states, `fill` a colour."""

    text: str
    rings: int = 1
    dashed: bool = False
    fill: str = ""


class Arrow(NamedTuple):
    """An edge of a picture; `source` is None for the arrow to an initial state, `marks` are sets as bits."""

    source: int | None
    text: str
    destination: int
    marks: int = 0


class Picture(NamedTuple):
    """What is drawn of an automaton, or of a model: then nodes are boxes, which have room for values."""

    title: str
    nodes: list[Node]
    arrows: list[Arrow]
    boxes: bool = False

    def __str__(self) -> str:
        return self.dot()

    def dot(self) -> str:
        """Return the text for Graphviz."""
        shape = 'shape=box, margin="0.1,0.05"' if self.boxes else "shape=circle"
        lines = [
            "digraph picture {",
            f"  rankdir={'TB' if self.boxes else 'LR'};",
            "  bgcolor=white;",
            f"  label={_quoted(self.title)};",
        ]
        lines += ["  labelloc=t;", f"  graph [{_FONT}];", f"  node [{shape}, {_FONT}];", f"  edge [{_FONT}];"]
        lines += [f"  {i} [{self._attributes(node)}];" for i, node in enumerate(self.nodes)]
        for number, (source, destination, labels) in enumerate(_merged(self.arrows)):
            if source is None:
                lines.append(f'  start{number} [shape=point, style=invis, label=""];')
            begin = f"start{number}" if source is None else str(source)
            lines.append(f"  {begin} -> {destination} [label={_label(labels, ' ' * self.boxes)}];")
        return "\n".join([*lines, "}", ""])

    def svg(self) -> str:
        """Return the picture as SVG. Raises InputError where there is no Graphviz, or too much to draw."""
        drawn = sum(1 for _ in _merged(self.arrows))
        if drawn > MAX_DRAWN:
            raise InputError(
                f"there are {drawn:,} arrows, and a picture with more than {MAX_DRAWN:,} shows nothing",
                suggestion="draw less of it, or take the text for Graphviz",
            )
        return rendered(self.dot())

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook, or None where there is no Graphviz or too much to draw."""
        try:
            return self.svg()
        except InputError:
            return None

    def _attributes(self, node: Node) -> str:
        styles = ["rounded"] * self.boxes + ["dashed"] * node.dashed + ["filled"] * bool(node.fill)
        style = f', style="{",".join(styles)}"' if styles else ""
        fill = f', fillcolor="{node.fill}"' if node.fill else ""
        return f"label={_quoted(node.text)}, peripheries={node.rings}{style}{fill}"


class Drawn(Tabular):
    """Gives an automaton its picture in notebooks; what it looks like is `picture`, its edges are `records`."""

    def picture(self) -> Picture:
        """Return what to draw."""
        raise NotImplementedError

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook, or None where there is no Graphviz or too much to draw."""
        return self.picture()._repr_svg_()


def rendered(dot: str) -> str:
    """Return what Graphviz makes of a text. Raises InputError where it is not installed or fails."""
    program = shutil.which("dot")
    if program is None:
        raise InputError(
            "Graphviz, which makes pictures, is not installed: there is no program `dot`",
            suggestion="install the package graphviz of your system; the text for it needs none",
        )
    try:
        done = subprocess.run(
            [program, "-Tsvg"], input=dot, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"Graphviz takes more than {_SECONDS} s", suggestion="draw less of it") from None
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"Graphviz failed: {error}") from None
    return done.stdout


def joined(parts: Iterable[str]) -> str:
    """Put the parts of a label below one another."""
    return "\n".join(part for part in parts if part)


class _Text(NamedTuple):
    """A line of a label, with the marks that stand behind it."""

    text: str
    marks: int


def _merged(arrows: Iterable[Arrow]) -> Iterator[tuple[int | None, int, list[_Text]]]:
    """Yield the arrows, those between the same nodes as one; the same line is not said twice."""
    found: dict[tuple[int | None, int], dict[_Text, None]] = {}
    for source, text, destination, marks in arrows:
        found.setdefault((source, destination), {})[_Text(text, marks)] = None
    for (source, destination), texts in found.items():
        yield source, destination, list(texts)


def _label(lines: list[_Text], before: str) -> str:
    """Return a label, its lines after some room; markup of Graphviz is for marks, which have colours."""
    cut = len(lines) - MAX_LINES
    shown = lines[:MAX_LINES] if cut > 0 else lines
    if cut > 0:
        shown = [*shown, _Text(f"… {cut:,} more", 0)]
    if not any(marks for _, marks in shown):
        return _quoted("\n".join(before + _cut(text) for text, _ in shown if text))
    return "<" + "<br/>".join(before + _marked(_cut(text), marks) for text, marks in shown) + ">"


def _cut(text: str) -> str:
    return "\n".join(
        line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…" for line in text.split("\n")
    )


def _marked(text: str, marks: int) -> str:
    sets = (i for i in range(marks.bit_length()) if marks >> i & 1)
    coloured = (f'<font color="{COLOURS[i % len(COLOURS)]}"><b>({i})</b></font>' for i in sets)
    return " ".join([_markup(text), *coloured])


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_BEYOND_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


def _markup(text: str) -> str:
    """Return a text as Graphviz's markup, in which nothing of it is markup or an escape."""
    escaped = escape(text.replace("\n", " ")).replace("\\", "&#92;")
    return _clean(escaped)


def _clean(text: str) -> str:
    """Return a text without characters that SVG cannot have."""
    return _BEYOND_XML.sub("\N{REPLACEMENT CHARACTER}", _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text))


def _quoted(text: str) -> str:
    """Return a string of Graphviz in which nothing is markup, an escape of its own, or the end of the line."""
    escaped = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + _clean(escaped) + '"'
