"""Formulas and answers of the Model Checking Contest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from nets import CONTEST_NET as NET
from nets import contest_properties
from runner import PETERSON, buchi, finish, start

from buchi.common.errors import InputError
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model
from buchi.models.pnml import PNML, contest
from buchi.models.pnml.contest import Property, read_properties

COUNT = "<tokens-count><place>a</place><place> b-1\n</place></tokens-count>"
LESS = f"<integer-le>{COUNT}<integer-constant>2</integer-constant></integer-le>"
FIRE = "<is-fireable><transition>u</transition><transition>v</transition></is-fireable>"


def properties(**formulas: str) -> str:
    return contest_properties(formulas)


def net() -> Model:
    return PNML().load(NET, "net.pnml").model


def read(text: str) -> tuple[Property, ...]:
    return read_properties(text, "f.xml", net())


class TestReading:
    def test_operators(self) -> None:
        until = f"<until><before>{FIRE}</before><reach><negation>{LESS}</negation></reach></until>"
        formula = f"<globally><disjunction>{until}<finally>{LESS}</finally><next>{FIRE}</next></disjunction></globally>"
        (found,) = read(properties(x=f"<conjunction>{formula}{FIRE}</conjunction>"))
        expected = "((G(((p0) U (!(p1))) | (F(p1)) | (X(p0)))) & (p0))"
        assert (found.id, found.formula.replace(" ", "")) == ("x", expected.replace(" ", ""))
        assert set(found.meanings) == {"p0", "p1"}

    def test_meanings(self) -> None:
        model = net()
        (found,) = read(properties(x=f"<conjunction>{LESS}{FIRE}</conjunction>"))
        evaluator = Evaluator(model)
        values = [evaluator.evaluate(meaning, evaluator.initial()) for meaning in found.meanings.values()]
        assert values == [1, 1]

    def test_properties_have_propositions_of_their_own(self) -> None:
        first, second = read(properties(x=LESS, y=FIRE))
        assert list(first.meanings) == list(second.meanings) == ["p0"]
        assert first.meanings != second.meanings


REFUSED = {
    "no XML": ("x", "not XML"),
    "another root": ("<html/>", "no file of properties: the root element is html"),
    "nothing": (properties(), "no property"),
    "a document type": ("<!DOCTYPE x><property-set/>", "document type"),
    "CTL": (properties(x="<exists-path/>"), "exists-path is not supported"),
    "an unknown place": (properties(x=LESS.replace(">a<", ">aa<")), "the net has no place aa"),
    "an unknown transition": (properties(x=FIRE.replace(">u<", ">uu<")), "the net has no transition uu"),
    "no names": (properties(x="<is-fireable/>"), "needs names"),
    "one number": (properties(x=f"<integer-le>{COUNT}</integer-le>"), "compares two numbers"),
    "a formula as a number": (
        properties(x=f"<integer-le>{COUNT}{FIRE}</integer-le>"),
        "compares two numbers",
    ),
    "a number as a formula": (properties(x=f"<globally>{COUNT}</globally>"), "globally has other parts"),
    "two formulas": (properties(x=FIRE + FIRE), "all-paths has other parts than 1 formula"),
    "no until": (properties(x=f"<until><before>{FIRE}</before></until>"), "until has other parts than 2"),
    "a huge number": (properties(x=LESS.replace(">2<", ">3000000000<")), "is no number from 0"),
    "no number": (properties(x=LESS.replace(">2<", ">-2<")), "'-2' is no number"),
    "an id that comes twice": (properties(x=FIRE, y=FIRE).replace("<id>y<", "<id>x<"), "comes twice"),
    "no id": (properties(x=FIRE).replace("<id>x</id>", ""), "one id and one formula"),
    "depth": (properties(x="<globally>" * 2000), "nested more than"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(text)
    assert str(caught.value).startswith("f.xml:")


def test_a_formula_of_any_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "LONGEST", 1000)
    with pytest.raises(InputError, match="at most 1000 characters"):
        read(properties(x="<conjunction>" + FIRE * 200 + "</conjunction>"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "net.pnml").write_text(NET)
    formulas = properties(
        always=f"<globally>{LESS}</globally>",
        never=f"<globally>{FIRE}</globally>",
        again=f"<globally><finally>{LESS}</finally></globally>",
    )
    (tmp_path / "f.xml").write_text(formulas)
    return tmp_path / "net.pnml", tmp_path / "f.xml"


EXPECTED = {"always": "TRUE", "never": "FALSE", "again": "TRUE"}


class TestCommand:
    def test_all_formulas(self, files: tuple[Path, Path]) -> None:
        ended = buchi("check", files[0], "--mcc", files[1])
        technique = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING"
        assert ended.out.splitlines() == [f"FORMULA {n} {v} {technique}" for n, v in EXPECTED.items()]
        assert ended.code == 0

    def test_some_formulas(self, files: tuple[Path, Path]) -> None:
        ended = buchi("check", files[0], "--mcc", files[1], "--only", "again", "--only", "never")
        assert [row.split()[1:3] for row in ended.out.splitlines()] == [["again", "TRUE"], ["never", "FALSE"]]

    def test_each_holds_is_certified(self, files: tuple[Path, Path]) -> None:
        ended = buchi("check", files[0], "--mcc", files[1], "--certified")
        assert {row.split()[1]: row.split()[2] for row in ended.out.splitlines()} == EXPECTED
        assert ended.code == 0

    def test_side_by_side(self, files: tuple[Path, Path]) -> None:
        ended = finish(start("check", files[0], "--mcc", files[1], "--jobs", "2"))
        assert {row.split()[1]: row.split()[2] for row in ended.out.splitlines()} == EXPECTED

    @pytest.mark.parametrize("jobs", [[], ["--jobs", "1"]])
    def test_json(self, files: tuple[Path, Path], jobs: list[str]) -> None:
        ended = finish(start("check", files[0], "--mcc", files[1], "--json", *jobs))
        found = {row["id"]: row["verdict"] for row in json.loads(ended.out)["formulas"]}
        assert found == {"always": "holds", "never": "violated", "again": "holds"}

    def test_what_cannot_be_computed(self, files: tuple[Path, Path]) -> None:
        ended = buchi("check", files[0], "--mcc", files[1], "--only", "again", "--max-states", "1")
        assert (ended.out.strip(), ended.code) == ("FORMULA again CANNOT_COMPUTE", 3)

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["--mcc", "FILE", "--only", "agan"], "there is no formula agan"),
            (["--mcc", "FILE", "--ltl", "G a"], "formulas of its own"),
            (["--only", "again", "--ltl", "G a"], "--only belongs to --properties and --mcc"),
            (["--jobs", "2", "--ltl", "G a"], "--jobs belongs to --properties and --mcc"),
        ],
    )
    def test_mistakes(self, files: tuple[Path, Path], more: list[str], message: str) -> None:
        ended = buchi("check", files[0], *[str(files[1]) if word == "FILE" else word for word in more])
        assert ended.code == 2
        assert message in ended.err

    def test_state_space(self, files: tuple[Path, Path]) -> None:
        rows = buchi("explore", files[0], "--mcc").out.splitlines()
        assert [row.split()[:3] for row in rows] == [
            ["STATE_SPACE", "STATES", "6"],
            ["STATE_SPACE", "TRANSITIONS", "11"],
            ["STATE_SPACE", "MAX_TOKEN_IN_PLACE", "2"],
            ["STATE_SPACE", "MAX_TOKEN_PER_MARKING", "3"],
        ]
        assert buchi("explore", files[0], "--mcc", "--workers", "2").out.count("PARALLEL") == 4
        found = json.loads(buchi("explore", files[0], "--mcc", "--json").out)
        assert (found["tokens_in_place"], found["tokens_in_marking"]) == (2, 3)
        refused = buchi("explore", PETERSON, "--mcc")
        assert (refused.code, refused.err) == (2, "error: only Petri nets have tokens\n")
        assert buchi("explore", files[0], "--mcc", "--max-states", "1").out == "CANNOT_COMPUTE\n"
