"""A checker in a package of one's own: written, installed by pip and used, without a change of buchi.

One package is that of CONTRIBUTING.md, word for word, the other a search that is naive on purpose.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from runner import PETERSON, ROOT, Ended, finish, start

pytest.importorskip("setuptools", "70.1", reason="builds the packages")

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


def documented_package() -> dict[str, str]:
    """Return the files that CONTRIBUTING.md tells to write."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text[text.index("### In plain Python, in a package of your own") :]
    blocks = re.findall(r"^ *```(python|toml)\n(.*?)^ *```$", section, re.MULTILINE | re.DOTALL)
    (_, module), (_, project) = blocks[:2]
    assert [language for language, _ in blocks[:2]] == ["python", "toml"]
    return {"my_checker.py": textwrap.dedent(module), "pyproject.toml": textwrap.dedent(project)}


def install(folder: Path, files: dict[str, str], target: Path) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    done = subprocess.run([*pip, "--target", str(target), str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """Install both packages into a folder of their own."""
    folder = tmp_path_factory.mktemp("packages")
    install(folder / "my-checker", documented_package(), folder / "site")
    install(folder / "two-passes", {"two_passes.py": TWO_PASSES, "pyproject.toml": PROJECT}, folder / "site")
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
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "`buchi check examples/peterson.dve --ltl 'F A.critical' --checker py-cycle`" in text
    ended = buchi_with(
        packages, "check", PETERSON, "--ltl", "F A.critical", "--checker", "py-cycle", "--json"
    )
    assert (ended.code, ended.json["verdict"], ended.json["checker"]) == (1, "violated", "py-cycle")


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
