"""Imports point one way: schemas <- readers <- models, translators, checkers <- pipeline."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "schemas": {"schemas"},
    "readers": {"schemas", "readers"},
    "models": {"schemas", "readers", "models", "_engine"},
    "translators": {"schemas", "readers", "translators"},
    "checkers": {"schemas", "checkers"},
    "pipeline": {"schemas", "readers", "models", "translators", "checkers", "pipeline", "_engine"},
}
FILES = [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the packages below `buchi` that a file imports, at its top or inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("buchi."))
        elif isinstance(node, ast.ImportFrom) and node.module == "buchi":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("buchi."):
            yield (node.module or "").split(".")[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path):
    package = path.relative_to(ROOT).parts[0]
    allowed = MAY_IMPORT[package] | ({"__version__"} if package == "pipeline" else set())
    assert set(imported(ast.parse(path.read_text()))) <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_relative_imports(path):
    nodes = ast.walk(ast.parse(path.read_text()))
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level]


def test_the_command_line_starts_without_what_is_slow_to_load():
    """It loads them when a command needs them."""
    slow = {"pydantic", "spot", "yaml", "lark", "numpy", "matplotlib", "buchi._engine"}
    script = f"import sys, buchi.pipeline.cli; print(sorted({slow!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
