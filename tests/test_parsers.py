"""Parsers that are kept between runs."""

from __future__ import annotations

import pytest
from lark import Token, Transformer

from buchi.models.parsers import make_parser

GRAMMAR = 'start: WORD+\nWORD: /[a-z]+/\n%ignore " "\n'


class Words(Transformer[Token, list[str]]):
    def start(self, words: list[str]) -> list[str]:
        return [str(word) for word in words]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "buchi" / "parsers"


def parse(grammar: str, text: str) -> object:
    return make_parser("words", grammar, Words()).parse(text)


def test_the_second_time_it_is_there(folder):
    assert parse(GRAMMAR, "a bc") == ["a", "bc"]
    kept = (folder / "words.tables").read_bytes()
    assert parse(GRAMMAR, "d e") == ["d", "e"]
    assert (folder / "words.tables").read_bytes() == kept


def test_another_grammar_is_another_parser(folder):
    parse(GRAMMAR, "a")
    assert parse(GRAMMAR.replace("a-z", "0-9"), "1 2") == ["1", "2"]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"0" * 64 + b"\n\x80\x04"])
def test_a_damaged_file_does_not_matter(folder, content):
    folder.mkdir(parents=True)
    (folder / "words.tables").write_bytes(content)
    assert parse(GRAMMAR, "a") == ["a"]


def test_nor_does_a_folder_that_cannot_be(folder):
    folder.parent.write_text("a file where a folder should be")
    assert parse(GRAMMAR, "a") == ["a"]
