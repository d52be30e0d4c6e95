"""Plugins in packages of one's own: written, installed by pip and used, without a change of buchi.

A checker and a translator are those of CONTRIBUTING.md, word for word; another checker is naive on purpose.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from runner import PETERSON, ROOT, Ended, finish, start
from test_layers import imported

pytest.importorskip("setuptools", "70.1", reason="builds the packages")
pytestmark = pytest.mark.xdist_group("packages")

CONTRIBUTING = ROOT / "CONTRIBUTING.md"

TWO_PASSES = '''
"""First every state that can be reached, then from each accepting edge a search of its own for a way back."""

from buchi.checkers.declaration import Accepts, Lasso


def reach(product, starts):
    """Return each state that can be reached with the one before it, in the order of a breadth-first search."""
    before = dict.fromkeys(starts)
    pending = list(before)
    for state in pending:
        for target, _ in product.post(state):
            if target not in before:
                before[target] = state
                pending.append(target)
    return before


def path(before, state):
    found = [state]
    while before[found[-1]] is not None:
        found.append(before[found[-1]])
    return found[::-1]


class TwoPasses:
    name = "two-passes"
    summary = "reachability, twice"
    paper = "folklore"
    accepts = Accepts(max_sets=1)

    def find(self, product, acceptance):
        before = reach(product, product.initial())
        for source in before:
            for target, marks in product.post(source):
                if acceptance[0].inf & ~marks == 0 and source in (back := reach(product, [target])):
                    return Lasso(path(before, source)[:-1], [source, *path(back, source)[:-1]])
        return None
'''
PROJECT = """
[project]
name = "two-passes"
version = "0.1"

[project.entry-points."buchi.checkers"]
two-passes = "two_passes:TwoPasses"
absent = "no_such_module:Checker"

[tool.setuptools]
py-modules = ["two_passes"]
"""


def documented_package(heading: str, module: str) -> dict[str, str]:
    """Return the files that a section of CONTRIBUTING.md tells to write."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    blocks = code_blocks(text[text.index(heading) :])
    (first, code), (second, project) = blocks[:2]
    assert (first, second) == ("python", "toml")
    return {module: code, "pyproject.toml": project}


def code_blocks(text: str) -> list[tuple[str, str]]:
    blocks = re.findall(r"^ *```(python|toml)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [(language, textwrap.dedent(code)) for language, code in blocks]


def install(folder: Path, packages: dict[str, dict[str, str]], target: Path) -> None:
    """Write packages, each with its files, and install them as their users do."""
    for package, files in packages.items():
        (folder / package).mkdir()
        for name, text in files.items():
            (folder / package / name).write_text(text, encoding="utf-8")
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(target)]
    pip = [sys.executable, "-m", "pip", "install", *options, *(str(folder / name) for name in packages)]
    done = subprocess.run(pip, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """Install the packages into a folder of their own."""
    folder = tmp_path_factory.mktemp("packages")
    checker = documented_package("### In plain Python, in a package of your own", "my_checker.py")
    translator = documented_package("## Add a translator or a model language", "my_translator.py")
    naive = {"two_passes.py": TWO_PASSES, "pyproject.toml": PROJECT}
    packages = {"my-checker": checker, "my-translator": translator, "two-passes": naive}
    install(folder, packages, folder / "site")
    return folder / "site"


def path_with(packages: Path) -> str:
    return os.pathsep.join([str(packages), *filter(None, [os.environ.get("PYTHONPATH")])])


def buchi_with(packages: Path, *arguments: object) -> Ended:
    return finish(start(*arguments, PYTHONPATH=path_with(packages)))


def test_they_are_listed_and_one_that_cannot_be_loaded_is_named(packages):
    checkers = buchi_with(packages, "plugins", "--json").json["buchi.checkers"]
    assert checkers["found"]["py-cycle"] == "any cycle, in plain Python"
    assert checkers["found"]["two-passes"] == "reachability, twice"
    assert "ascc" in checkers["found"]
    assert [(broken["entry"], "no_such_module" in broken["reason"]) for broken in checkers["broken"]] == [
        ("absent", True)
    ]


def test_the_documented_command_uses_the_documented_checker(packages):
    text = CONTRIBUTING.read_text(encoding="utf-8")
    assert "`buchi check examples/peterson.dve --ltl 'F A.critical' --checker py-cycle`" in text
    ended = buchi_with(
        packages, "check", PETERSON, "--ltl", "F A.critical", "--checker", "py-cycle", "--json"
    )
    assert (ended.code, ended.json["verdict"], ended.json["checker"]) == (1, "violated", "py-cycle")


def test_the_documented_command_uses_the_documented_translator(packages):
    text = CONTRIBUTING.read_text(encoding="utf-8")
    words = ["--ltl", "F A.critical", "--through", "tgba-trim", "--option", "tgba-trim.rounds=3"]
    written = f"--ltl 'F A.critical' {' '.join(words[2:])}"
    assert f"`buchi check examples/peterson.dve {written}`" in text
    given = buchi_with(packages, "check", PETERSON, *words, "--json")
    plain = buchi_with(packages, "check", PETERSON, "--ltl", "F A.critical", "--json")
    assert (given.code, given.json["verdict"]) == (plain.code, plain.json["verdict"]) == (1, "violated")
    wrong = buchi_with(packages, "check", PETERSON, *words[:-1], "tgba-trim.rounds=many", "--json")
    assert wrong.code == 2
    assert "rounds of tgba-trim" in wrong.json["error"]


def test_the_documented_kernel_gives_the_verdicts_of_ours(tmp_path):
    text = CONTRIBUTING.read_text(encoding="utf-8")
    (code,) = re.findall(r"^ *```cpp\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "way_back.hpp").write_text(textwrap.dedent(code), encoding="utf-8")
    program = tmp_path / "documented"
    sources = ["tests/engine/documented.cpp", "engine/bytecode.cpp"]
    folders = [f"-I{folder}" for folder in (tmp_path, ROOT, ROOT / "engine")]
    compiler = [os.environ.get("CXX", "c++"), "-std=gnu++20", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*compiler, *folders, *sources, "-o", str(program)], cwd=ROOT, check=True)
    found = subprocess.run([program], capture_output=True, text=True, check=True)
    assert 0 < int(found.stdout) < 500


def test_a_translator_is_passed_only_where_it_is_asked_for(packages):
    words = ["translate", "a U b", "--to", "tgba"]
    assert "tgba-trim" in buchi_with(packages, *words, "--through", "tgba-trim").out
    assert "tgba-trim" not in buchi_with(packages, *words).out


def promised() -> tuple[str, ...]:
    """Return the modules that CONTRIBUTING.md promises to plugins."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    section = text[text.index("## What a plugin may import") :]
    return tuple(re.findall(r"`(buchi[\w.]+)`", section))


def test_plugins_import_what_is_promised_and_that_is_there():
    for name in promised():
        importlib.import_module(name)
    codes = [code for language, code in code_blocks(CONTRIBUTING.read_text("utf-8")) if language == "python"]
    assert len(codes) >= 3
    for code in [*codes, TWO_PASSES]:
        used = [name for name in imported(ast.parse(code)) if name.startswith("buchi")]
        assert [
            name for name in used if name not in promised() and not name.startswith("buchi.schemas.")
        ] == []


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [("G !(A.critical && B.critical)", "holds"), ("G (A.hungry -> F A.critical)", "violated")],
)
def test_it_takes_part_in_comparisons(packages, formula, verdict):
    ended = buchi_with(packages, "compare", PETERSON, "--ltl", formula, "--via", "tgba", "--json")
    rows = {row["checker"]: row for row in ended.json["rows"] if row["verdict"]}
    assert rows["two-passes"]["verdict"] == rows["ascc"]["verdict"] == ended.json["verdict"] == verdict
    assert rows["two-passes"]["states"] >= rows["ascc"]["states"]


def test_the_contract_of_checkers_holds_for_them(packages):
    """The tests take checkers from the registry: those of a plugin are among them, and no test is edited."""
    words = ["-m", "pytest", "-v", "-k", "two-passes or py-cycle", "tests/test_conformance.py"]
    environment = {**os.environ, "PYTHONPATH": path_with(packages), "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    ended = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout
    for name in ("two-passes", "py-cycle"):
        assert f"test_it_is_right_on_every_graph_that_it_takes[{name}] PASSED" in ended.stdout
    assert "test_a_long_path_needs_no_recursion[two-passes] PASSED" in ended.stdout


def test_an_automaton_that_it_does_not_accept_is_refused(packages):
    formula = "!(GF A.critical && GF B.critical)"
    ended = buchi_with(packages, "check", PETERSON, "--ltl", formula, "--checker", "two-passes")
    assert ended.code == 2
    assert "two-passes cannot check this automaton: it takes at most 1 Inf set, not 2" in ended.err


def test_an_experiment_can_name_it(packages, tmp_path):
    experiment = {
        "models": [{"file": PETERSON.name}],
        "formulas": ["F A.critical", "G !(A.critical && B.critical)"],
        "routes": ["tgba/two-passes", "tgba/ascc"],
    }
    (tmp_path / "mine.yaml").write_text(json.dumps(experiment))
    ended = buchi_with(packages, "run", tmp_path / "mine.yaml", "--data", PETERSON.parent, "--processes", 1)
    assert (ended.code, ended.out[:6]) == (0, "4 done")
