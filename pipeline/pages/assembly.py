"""Puts a page together: one HTML file that opens offline.

All text of others is escaped or enters as JSON. The content security policy allows the style and the scripts of the
page by their hashes and nothing else: no network, and no script that came with a name.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Any

Asset = tuple[str, str]
"""A package of buchi, and the name of a file in its folder `assets`."""

HEAD: Asset = ("pages", "head.html")
BASE: Asset = ("pages", "base.css")
DOM: Asset = ("pages", "dom.js")


def assembled(body: Asset, styles: Sequence[Asset], scripts: Sequence[Asset], **parts: str) -> str:
    """Return the page of a template for its body; the parts are HTML, and one of them is its `title`."""
    style, script = "".join(map(_text, styles)), _script(scripts)
    policy = _policy(style, script)
    template = Template(_text(HEAD) + _text(body))
    return template.substitute(parts, policy=policy, style=style, script=script)


def embedded(value: Any) -> str:
    """Return JSON that may stand between <script> tags: no text can end the script or begin a comment."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _text(asset: Asset) -> str:
    package, name = asset
    return files(f"buchi.pipeline.{package}").joinpath("assets", name).read_text(encoding="utf-8")


def _script(scripts: Sequence[Asset]) -> str:
    """Return the scripts as one, in a scope of its own."""
    parts = "\n".join(map(_text, scripts))
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
