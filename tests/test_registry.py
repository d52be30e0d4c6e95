from __future__ import annotations

import importlib.metadata
import os
import sys
import zipfile
from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest

from buchi.checkers.declaration import Accepts
from buchi.common.errors import InputError
from buchi.pipeline import registry
from buchi.pipeline.entry_points import declared
from buchi.pipeline.registry import Group, load_plugins


class Good:
    name: ClassVar = "good"
    summary: ClassVar = "a checker"
    paper: ClassVar = "none"
    accepts: ClassVar = Accepts()
    kernel: ClassVar = "ascc"


class SameName(Good):
    pass


class NoSearch:
    name: ClassVar = "lazy"
    summary: ClassVar = "declares, but cannot search"
    paper: ClassVar = "none"
    accepts: ClassVar = Accepts()


class Explosive(Good):
    def __init__(self) -> None:
        raise OSError("no licence")


def entry(name, value):
    return EntryPoint(name, value, Group.CHECKERS.value)


def entry_of(cls):
    return entry(cls.name, f"{__name__}:{cls.__name__}")


def test_our_own_plugins_are_found():
    assert "dve" in registry.frontends()
    assert "ltl-tgba" in registry.translators()
    assert "ascc" in registry.checkers()
    assert not any(registry.plugins(group).broken for group in Group)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (
            entry("gone", "no_such_package.checker:Checker"),
            "ModuleNotFoundError: No module named 'no_such_package'",
        ),
        (entry("typo", f"{__name__}:Godo"), "AttributeError"),
        (entry_of(Explosive), "OSError: no licence"),
        (entry_of(NoSearch), "NoSearch lacks kernel or find"),
        (
            entry("odd", "builtins:object"),
            "builtins.object lacks name, summary, paper, accepts, kernel or find",
        ),
    ],
    ids=["missing package", "missing class", "constructor raises", "cannot search", "not a checker"],
)
def test_a_broken_plugin_is_set_aside_with_the_reason(bad, reason):
    plugins = load_plugins(Group.CHECKERS, [bad, entry_of(Good)])
    assert list(plugins.found) == ["good"]
    (broken,) = plugins.broken
    assert (broken.entry, broken.origin) == (bad.name, bad.value)
    assert reason in broken.reason


def test_a_name_is_given_only_once():
    plugins = load_plugins(Group.CHECKERS, [entry_of(Good), entry_of(SameName)])
    assert type(plugins.found["good"]).__name__ == "Good"
    assert "the name 'good' is taken by" in plugins.broken[0].reason


def test_asking_for_a_broken_plugin_tells_what_is_wrong_with_it():
    plugins = load_plugins(Group.CHECKERS, [entry("gone", "no_such_package:Checker")])
    with pytest.raises(InputError, match="the checker gone cannot be loaded: ModuleNotFoundError"):
        plugins.get("gone", "checker")


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(InputError, match=r"there is no checker 'asc'\ndid you mean ascc"):
        registry.checker("asc")


def test_an_unknown_name_far_from_all_gets_the_list():
    with pytest.raises(InputError, match="known: ascc"):
        registry.checker("xyz")


@pytest.mark.parametrize("group", Group)
def test_entries_are_those_that_importlib_finds(group):
    expected = [(entry.name, entry.value) for entry in importlib.metadata.entry_points(group=group.value)]
    assert expected
    assert sorted((entry.name, entry.value) for entry in declared(group.value)) == sorted(expected)


def test_of_two_versions_of_a_package_the_first_on_the_path_counts(tmp_path, monkeypatch):
    for folder, name in (("a", "My.Plugin-2.dist-info"), ("b", "my_plugin-1.dist-info")):
        info = tmp_path / folder / name
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: my-plugin\nVersion: {name[10]}\n")
        (info / "entry_points.txt").write_text(
            f"[console_scripts]\nx = y:z\n\n[buchi.models]\n# none\n{folder} = os:{folder} [extra]\n"
        )
    folders = (tmp_path / "gone", tmp_path / "a", tmp_path / "b")
    monkeypatch.setattr(sys, "path", [str(folder) for folder in folders])
    assert declared("buchi.models") == [("a", "os:a [extra]", "buchi.models")]
    assert [(entry.name, entry.value) for entry in importlib.metadata.entry_points(group="buchi.models")] == [
        ("a", "os:a [extra]")
    ]


def test_packages_in_archives_are_found(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("packed-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\nVersion: 1\n")
        archive.writestr("packed-1.dist-info/entry_points.txt", "[buchi.models]\npacked = os:sep\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packed.zip")])
    (found,) = declared("buchi.models")
    assert (found.name, found.load()) == ("packed", os.sep)
