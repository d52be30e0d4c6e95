"""docs/api.md: its examples are run, and its list of arguments is that of the functions."""

from __future__ import annotations

import doctest
import inspect
import sys

import pytest
from runner import PETERSON, ROOT
from test_docs import blocks, prepare

import buchi as api
from buchi.common.frames import Tabular
from buchi.pipeline.api_arguments import ARGUMENTS

PAGE = ROOT / "docs" / "api.md"
FUNCTIONS = [getattr(api, name) for name in api.__all__ if inspect.isfunction(getattr(api, name))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_examples_do_what_they_show(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    prepare(tmp_path, PAGE)
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(PAGE, "pycon"))
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    told: list[str] = []
    found = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=told.append)
    assert found.attempted > 20
    assert found.failed == 0, "".join(told)


def test_every_function_and_argument_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert len(FUNCTIONS) == 9
    assert [f.__name__ for f in FUNCTIONS if f"| `{f.__name__}` |" not in text] == []
    assert [name for name, meaning in ARGUMENTS.items() if f"| `{name}` | {meaning} |" not in text] == []


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_help_tells_of_each_argument(function):
    assert [n for n in inspect.signature(function).parameters if f"\n{n}: " not in function.__doc__] == []


def test_no_argument_is_told_that_there_is_not():
    names = {name for function in FUNCTIONS for name in inspect.signature(function).parameters}
    assert set(ARGUMENTS) == names


def tables() -> list[Tabular]:
    unfair = "G (A.hungry -> F A.critical)"
    return [
        api.check(PETERSON, unfair).counterexample,
        api.check(PETERSON, "G !A.critical").counterexample,
        api.compare(PETERSON, unfair, via="tgba"),
        api.check_all(PETERSON, [unfair, "G gave_way < 3"]),
        api.simulate(PETERSON, 4, seed=1),
        *(api.translate("G (a -> F b)", kind) for kind in ("tgba", "slba", "ta", "tela")),
    ]


def test_tables():
    pandas = pytest.importorskip("pandas")
    for value in tables():
        frame = value.to_dataframe()
        assert isinstance(frame, pandas.DataFrame)
        assert len(frame) == len(value.records()) > 1
        assert 1 < len(str(value).splitlines()) <= 30


def test_columns_of_a_counterexample_are_not_those_of_its_variables(tmp_path):
    model = tmp_path / "m.dve"
    model.write_text(
        "byte command, cycle = 3; process P { state a, b; init a; trans a -> b { }; } system async;"
    )
    (first, *_) = api.check(model, "G P.a").counterexample.records()
    assert first == {
        "command": "P: a -> b", "cycle": False, "command (variable)": 0, "cycle (variable)": 3, "P": "a",
    }  # fmt: skip


def test_without_pandas_there_is_a_message(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(api.InputError, match="a DataFrame needs pandas"):
        api.translate("G a", "tgba").to_dataframe()
