"""Imports point one way: common <- schemas <- readers <- models, translators, checkers <- pipeline."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "common": {"common"},
    "schemas": {"common", "schemas"},
    "readers": {"common", "schemas", "readers"},
    "models": {"common", "schemas", "readers", "models", "_engine"},
    "translators": {"common", "schemas", "readers", "translators"},
    "checkers": {"common", "schemas", "checkers"},
    "pipeline": {"common", "schemas", "readers", "models", "translators", "checkers", "pipeline", "_engine"},
}
FILES = [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


def needed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a file but for what only a type checker reads."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from needed(child)


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports, at its top or inside functions."""
    for node in needed(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "buchi":
            yield from (f"buchi.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


TREES = {path.relative_to(ROOT): ast.parse(path.read_text()) for path in FILES}


def test_imports_point_one_way():
    def foreign(path: Path) -> set[str]:
        package = path.parts[0]
        allowed = MAY_IMPORT[package] | ({"__version__"} if package == "pipeline" else set())
        return {name.split(".")[1] for name in imported(TREES[path]) if name.startswith("buchi.")} - allowed

    assert {str(path): found for path in TREES if (found := foreign(path))} == {}


def test_only_the_command_line_knows_typer_and_rich():
    def shown(path: Path) -> set[str]:
        return {name.split(".")[0] for name in imported(TREES[path])} & {"typer", "click", "rich"}

    elsewhere = [path for path in TREES if not path.is_relative_to("pipeline/cli")]
    assert {str(path): found for path in elsewhere if (found := shown(path))} == {}
    assert len(elsewhere) < len(TREES)


def test_no_relative_imports():
    nodes = ((path, node) for path, tree in TREES.items() for node in ast.walk(tree))
    assert [str(path) for path, node in nodes if isinstance(node, ast.ImportFrom) and node.level] == []


SLOW = {
    "pydantic", "spot", "yaml", "lark", "rich", "numpy", "matplotlib", "importlib.metadata", "buchi._engine",
}  # fmt: skip
MODEL = ROOT / "examples" / "peterson.dve"


def loaded(*arguments: str) -> set[str]:
    """Return what a command has loaded at its end."""
    run = f"""
import sys
from buchi.pipeline.cli.app import command
command({arguments!r}, False)
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert done.stdout
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (("--version",), {"importlib.metadata"}),
        (("--help",), {"rich"}),
        (("check", "--help"), {"rich"}),
        (("explore", str(MODEL)), {"buchi._engine"}),
        (("explore", str(MODEL), "--json"), {"buchi._engine"}),
        (
            ("check", str(MODEL), "--ltl", "G F A.critical"),
            {"buchi._engine", "spot", "pydantic"},
        ),
    ],
    ids=["version", "help", "help of check", "explore", "explore --json", "check"],
)
def test_a_command_loads_what_it_needs_and_nothing_slow_beside(arguments, needed, tmp_path, monkeypatch):
    """Once it has been run before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    loaded(*arguments)
    assert loaded(*arguments) & SLOW == needed
