"""Brings the output that documents show up to date. Run by `make docs`.

Output with a line `...` is left to people: what it leaves out is their choice.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from test_docs import DOCUMENTS, ROOT, is_like, prepare, run, shown_commands


def update(path: Path) -> None:
    """Replace what a document shows where a command prints something else now."""
    text = path.read_text(encoding="utf-8")
    for shown in shown_commands(path):
        ended = run(shown.command)
        printed = "\n".join(line.rstrip() for line in (ended.out or ended.err).strip("\n").splitlines())
        if not shown.output or is_like(shown.output, printed):
            continue
        if "..." in shown.output:
            print(f"{path.name}: look at the output of\n  {shown.command}\nwhich is now\n{printed}\n")
        else:
            text = text.replace(shown.output, printed)
            print(f"{path.name}: new output of\n  {shown.command}")
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for document in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder), document)
            os.chdir(folder)
            update(document)
            os.chdir(ROOT)
