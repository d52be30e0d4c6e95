"""Models that are kept between runs are those that would be made."""

from __future__ import annotations

import marshal
from dataclasses import replace
from pathlib import Path

import pytest

from buchi.common.errors import InputError
from buchi.models import cache, kept
from buchi.models.dve import DVE
from buchi.models.frontend import Loaded
from buchi.models.propositions import parse_proposition
from buchi.pipeline.loading import load_model

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.dve"))
TEXT = "byte x = 1; process P { state a; init a; trans a -> a { effect x = x + 1; }; } system async;"
WITH_PROPERTY = TEXT.replace(
    "system async;",
    "process N { state q; init q; accept q; trans q -> q { guard x == 1; }; } system async property N;",
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache.location("loaded")


def of(text, source="m.dve", *, overflow_is_error=False):
    """Return a model, and whether it had to be made."""
    made = []

    def make() -> Loaded:
        made.append(True)
        return DVE().load(text, source, overflow_is_error=overflow_is_error)

    return kept.load(text, source, overflow_is_error=overflow_is_error, make=make), bool(made)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize("overflow_is_error", [False, True])
def test_what_is_read_back_is_what_was_made(path, overflow_is_error):
    model = DVE().load(path.read_text(), path.name, overflow_is_error=overflow_is_error).model
    assert kept.restored(marshal.loads(marshal.dumps(kept.flattened(model)))) == model


def test_a_model_is_made_once():
    (first, was_made), (second, was_made_again) = of(TEXT), of(TEXT, "elsewhere/m.dve")
    assert (was_made, was_made_again) == (True, False)
    assert first == second


def test_another_text_name_or_meaning_is_another_model():
    of(TEXT)
    assert of(TEXT.replace("= 1", "= 2"))[0].model.variables[0].initial == (2,)
    assert of(TEXT, "n.dve")[0].model.name == "n"
    assert of(TEXT, overflow_is_error=True)[0].model.overflow_is_error


def test_other_code_makes_models_anew(monkeypatch):
    of(TEXT)
    monkeypatch.setattr(kept, "_code", lambda: "other")
    assert of(TEXT)[1]


def test_the_code_is_that_of_the_grammar_too():
    assert {"expressions.lark", "grammar.lark"} <= {path.name for path in kept.code_files()}


def test_a_model_with_a_property_is_made_with_it():
    for _ in range(2):
        loaded, was_made = of(WITH_PROPERTY)
        assert was_made
        assert loaded.forbidden is not None


def test_a_model_that_is_nested_too_deeply_is_made_each_time():
    deep = TEXT.replace("x + 1", "x" + " + x" * 5000)
    assert [of(deep)[1] for _ in range(2)] == [True, True]


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 100])
def test_a_damaged_file_is_not_taken(folder, damage):
    expected, _ = of(TEXT)
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    assert of(TEXT) == (expected, True)
    assert of(TEXT) == (expected, False)


def test_a_folder_that_others_can_write_to_is_not_used(folder):
    of(TEXT)
    folder.chmod(0o777)
    assert of(TEXT)[1]


def test_there_are_never_more_than_so_many(folder, monkeypatch):
    monkeypatch.setattr(kept, "SLOTS", 4)
    for number in range(40):
        of(TEXT, f"m{number}.dve")
    assert 1 <= len(list(folder.iterdir())) <= 4
    assert not of(TEXT, "m39.dve")[1]


def meant(names, model):
    """Return what propositions mean, and which of them had to be read."""
    read = []

    def make(name):
        read.append(name)
        return parse_proposition(name, model)

    return list(kept.meanings(names, model, make).values()), read


NAMES = ["x > 1", "P.a"]


def test_propositions_are_read_once():
    first, second = (meant(NAMES, of(TEXT)[0].model) for _ in range(2))
    assert (first[1], second[1]) == (NAMES, [])
    assert first[0] == second[0] == [parse_proposition(name, of(TEXT)[0].model) for name in NAMES]


@pytest.mark.parametrize(
    ("old", "new"),
    [("byte x = 1", "byte y = 1, x = 1"), ("state a;", "state b, a;"), ("effect", "guard x > 3; effect")],
)
def test_over_another_model_they_are_others(old, new):
    meant(NAMES, of(TEXT)[0].model)
    model = of(TEXT.replace(old, new))[0].model
    assert meant(NAMES, model) == ([parse_proposition(name, model) for name in NAMES], NAMES)


def test_a_model_from_elsewhere_has_no_key():
    model = replace(of(TEXT)[0].model, name="other")
    assert [meant(NAMES, model)[1] for _ in range(2)] == [NAMES, NAMES]


def test_a_proposition_that_is_refused_is_refused_again():
    for _ in range(2):
        with pytest.raises(InputError, match="the model has no y"):
            meant(["x > 1", "y"], of(TEXT)[0].model)


def test_files_of_models_are_kept(tmp_path, folder):
    file = tmp_path / "m.dve"
    file.write_text(TEXT)
    assert load_model(file) == load_model(file)
    assert len(list(folder.iterdir())) == 1
