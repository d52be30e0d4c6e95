"""What the documents show is what happens: their commands are run, their links followed, their lists compared.

In a ```console block, `$ buchi …` is run in a folder with `examples/` and with the files of the other blocks whose
first line names one, such as models in ```dve. A ```diff block changes one of them, when it comes to that. What is
shown below a command is compared with what it prints, times and sizes aside; a line `...` stands for anything.
"""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest
from runner import ROOT, Ended, buchi

from buchi.pipeline.cli.app import application

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PLUGINS = ROOT / "docs" / "plugins.md"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_FOLDERS = "schemas|models|translators|checkers|engine|pipeline|tests|docs|examples|benchmarks"
_FILE = re.compile(rf"`((?:{_FOLDERS})/[\w/.]*)`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
_VOLATILE = [
    (re.compile(r"(< )?\d+\.\d+ m?s\b(, [\d,]+ states/s)?"), "T s"),
    (re.compile(r"[\d.]+ (B|[KMG]iB)\b"), "SIZE"),
    (re.compile(r'("seconds": ?)[\d.e-]+'), r"\1T"),
    (re.compile(r'("bytes": ?)\d+'), r"\1SIZE"),
    (re.compile(r"(?<=\S) +(< )?\d+\.\d$", re.MULTILINE), " T"),
    (re.compile(r" +$", re.MULTILINE), ""),
]
_NAMED = re.compile(r"(?://|#) (\w+\.(?:dve|yaml|txt))\n")
_WORST = {"error": 2, "failed": 1, "unknown": 3}
_CODES = {"holds": 0, "violated": 1, "error": 2, "unknown": 3, "incomplete": 3}


@dataclass(frozen=True)
class Shown:
    """A command as a document shows it, with what it is to print."""

    command: str
    output: str


def blocks(path: Path, language: str) -> list[str]:
    return [text for found, text in _BLOCK.findall(path.read_text(encoding="utf-8")) if found == language]


def shown_commands(path: Path) -> Iterator[Shown]:
    """Yield the commands of a document; the files in this folder are changed between them, as it says."""
    for language, block in _BLOCK.findall(path.read_text(encoding="utf-8")):
        if language == "diff":
            change(block)
        if language == "console":
            _, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
            for part in parts:
                command, _, output = part.replace("\\\n", " ").partition("\n")
                yield Shown(command, output.strip("\n"))


def change(block: str) -> None:
    """Change a file as a ```diff block says, wherever its lines are."""
    first, *lines = block.splitlines()
    file = Path(first.removeprefix("--- "))
    old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] in kept) for kept in (" -", " +"))
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{file} has no lines\n{old}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def run(command: str) -> Ended:
    """Run a command line; of the shell's syntax it may use quotes and a redirection at its end."""
    program, *arguments = shlex.split(command)
    assert program == "buchi", f"only buchi is run, not {command}"
    if "<" in arguments:
        *arguments, _, file = arguments
        with open(file, encoding="utf-8") as commands, mock.patch.object(sys, "stdin", commands):
            return buchi(*arguments)
    if ">" not in arguments:
        return buchi(*arguments)
    *arguments, _, file = arguments
    ended = buchi(*arguments)
    Path(file).write_text(ended.out, encoding="utf-8")
    return Ended(ended.code, "", ended.err)


def steady(text: str) -> str:
    """Return the text without what differs from run to run."""
    for pattern, replacement in _VOLATILE:
        text = pattern.sub(replacement, text)
    return text.strip("\n") + "\n"


def is_like(shown: str, printed: str) -> bool:
    """Return whether what is shown matches what is printed; columns are as wide as the times in them."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(steady(shown), steady(printed), flags)


def expected_code(printed: str) -> int:
    """Return the exit code that goes with what is printed, as the README says."""
    many = re.search(r"^[\d,]+ propert(?:y|ies): (.*)$", printed, re.MULTILINE)
    if many:
        return next((code for word, code in _WORST.items() if word in many[1]), 0)
    first = re.match(r'(?:\{"(?:verdict|outcome)":")?(\w+)', printed)
    return {**_CODES, **_WORST}.get(first[1] if first else "", 0)


def prepare(folder: Path, document: Path) -> None:
    """Put into a folder what the commands of a document need."""
    (folder / "examples").symlink_to(ROOT / "examples")
    for _, text in _BLOCK.findall(document.read_text(encoding="utf-8")):
        name = _NAMED.match(text)
        if name:
            (folder / name[1]).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_commands_shown_do_what_is_shown(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path, path)
    for shown in shown_commands(path):
        ended = run(shown.command)
        printed = steady(ended.out or ended.err)
        assert ended.code == expected_code(printed), f"{shown.command}\n{printed}"
        hint = f"{shown.command}\nprints\n{printed}\nand not\n{shown.output}\n`make docs` can tell the new output"
        assert not shown.output or is_like(shown.output, printed), hint


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_names_of_files_lead_somewhere(path):
    text = _CODE.sub("", path.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        assert (path.parent / target).exists(), target
    for name in _FILE.findall(text):
        assert (ROOT / name).exists(), name


def test_the_architecture_tells_of_every_file_of_the_engine():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = [path.name for path in (ROOT / "engine").iterdir() if path.suffix in (".hpp", ".cpp")]
    assert [name for name in files if f"`{name}`" not in text] == []


def test_the_readme_tells_of_every_command():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [c.name or getattr(c.callback, "__name__", "") for c in application().registered_commands]
    assert [name for name in names if f"| `buchi {name}" not in text] == []


def test_the_list_of_plugins_is_current():
    made = runpy.run_path(str(ROOT / "docs" / "list_plugins.py"))["document"]()
    assert PLUGINS.read_text(encoding="utf-8") == made, "run `make docs`"


def test_kinds_and_exit_codes_are_in_the_readme():
    from buchi.pipeline.cli import output
    from buchi.schemas.kinds import AUTOMATA

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [kind for kind in AUTOMATA if f"`{kind}`" not in text] == []
    codes = (output.HOLDS, output.VIOLATED, output.BAD_INPUT, output.UNKNOWN, output.BUG)
    assert [code for code in codes if f"\n| {code} |" not in text] == []
