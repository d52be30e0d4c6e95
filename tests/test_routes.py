"""Routes, external translators and `buchi translate`."""

from __future__ import annotations

import json
import sys

import pytest
import spot
from languages import Oracle
from typer.testing import CliRunner

from buchi.common.errors import InputError, LimitReached
from buchi.pipeline import configuration, routes
from buchi.pipeline.cli.app import application
from buchi.pipeline.routes import Wishes
from buchi.schemas.kind_schemas import ANY_FORM
from buchi.schemas.kinds import AUTOMATA, Kind
from buchi.translators.external import ExternalCommand, ExternalTranslator
from buchi.translators.hoa import read_hoa
from buchi.translators.ltl import parse_ltl
from buchi.translators.spot_helpers.automata import to_spot
from buchi.translators.translator import Options, Translator

FORMULA = "G(a -> F b)"
WIDE = " & ".join(f"p{i}" for i in range(12))
SCRIPT = "import sys, spot; print(spot.translate(sys.argv[1]).to_str('hoa'))"


@pytest.fixture(autouse=True)
def no_configuration(monkeypatch, tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("")
    monkeypatch.setenv(configuration.VARIABLE, str(file))
    return file


def names(route):
    return [link.translator.name for link in route]


@pytest.mark.parametrize(
    ("target", "route"),
    [
        (Kind.TLBA, ["ltl-tlba"]),
        (Kind.SLBA, ["ltl-tlba", "tlba-slba"]),
        (Kind.TA, ["ltl-tlba", "tlba-slba", "slba-ta"]),
        (Kind.TGBA, ["ltl-tgba"]),
        (Kind.TGRA, ["ltl-tgra"]),
        (Kind.TFLA, ["ltl-tgra", "tgra-tfla"]),
        (Kind.TELA, ["ltl-tela"]),
    ],
)
def test_the_route_to_each_kind(target, route):
    assert names(routes.find_chain(Kind.LTL, target)) == route


def test_a_route_through():
    find = routes.find_chain
    assert names(find(Kind.LTL, Kind.TFLA, Wishes(("tgba", "tgra")))) == [
        "ltl-tgba",
        "tgba-tgra",
        "tgra-tfla",
    ]
    assert names(find(Kind.LTL, Kind.TA, Wishes(("tgba-tlba",)))) == [
        "ltl-tgba",
        "tgba-tlba",
        "tlba-slba",
        "slba-ta",
    ]
    assert names(find(Kind.TGBA, Kind.TGBA)) == []


def test_no_route():
    with pytest.raises(InputError, match="no translators lead from ta to tgba; tgba can be made from ltl"):
        routes.find_chain(Kind.TA, Kind.TGBA)
    with pytest.raises(InputError, match="did you mean tgba"):
        routes.find_chain(Kind.LTL, Kind.TA, Wishes(("tgbb",)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tgra-tfla.method=magic", "'literal', 'reduced' or 'spot'"),
        ("tgra-tfla.mode=literal", "its options: method"),
        ("tgra-tfl.method=literal", "did you mean tgra-tfla"),
        ("method", "TRANSLATOR.NAME=VALUE"),
    ],
)
def test_bad_options(text, reason):
    with pytest.raises(InputError, match=reason):
        Wishes.of([], [text])


def test_every_translator_says_what_it_is():
    for name, translator in routes.translators().items():
        assert isinstance(translator, Translator)
        assert (translator.name, translator.summary != "") == (name, True)
        assert issubclass(translator.options, Options)


def external(command, **more):
    return ExternalTranslator("tool", ExternalCommand(command=command, **more))


def test_an_external_translator():
    tool = external(f'{sys.executable} -W ignore -c "{SCRIPT}" %f', target="tgba")
    formula = parse_ltl('G("P_1 == p9" -> F "x[0] > 2")')
    made = tool.run(formula, Options())
    assert set(made.propositions) == {"P_1==p9", "x[0]>2"}
    assert spot.are_equivalent(to_spot(made), spot.formula(formula.formula))


@pytest.mark.parametrize(
    ("command", "error", "reason"),
    [
        ("no-such-program %f", InputError, "cannot be run"),
        ("sh -c 'echo oh no >&2; exit 3' %f", InputError, "exit code 3"),
        ("true %f", InputError, "printed nothing"),
        ("echo %f", InputError, "not an automaton in the HOA format"),
        ("sh -c 'sleep 60' %f", LimitReached, "took more than"),
    ],
)
def test_external_translators_that_fail(command, error, reason):
    with pytest.raises(error, match=reason):
        external(command, seconds=0.3).run(parse_ltl("F a"), Options())


def test_a_command_without_a_place_for_the_formula():
    with pytest.raises(InputError, match="%f"):
        external("ltl3tela")


def test_translators_of_the_configuration(no_configuration):
    no_configuration.write_text('translators:\n  mine: {command: "mine -f %f", target: tela}\n')
    assert names(routes.find_chain(Kind.LTL, Kind.TGRA, Wishes(("mine",)))) == ["mine", "tela-tgra"]
    assert names(routes.find_chain(Kind.LTL, Kind.TELA)) == ["ltl-tela"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("translators: [1]", "mapping"),
        ("translators: {mine: {target: tela}}", "translators.mine.command"),
        ("translators: {mine: {command: x %f, target: ta}}", "translators.mine.target"),
        ("translators: {ltl-tgba: {command: x %f}}", "the name of another"),
        ("[", r"config.yaml:\d:\d: "),
        ("3", "mapping"),
    ],
)
def test_bad_configuration(no_configuration, text, reason):
    no_configuration.write_text(text)
    with pytest.raises(InputError, match=reason):
        routes.translators()


def buchi(*arguments):
    return CliRunner().invoke(application(), ["translate", *arguments])


def test_every_stage_is_shown():
    shown = buchi(FORMULA, "--to", "ta").stdout
    for word in ("ltl-tlba", "tlba-slba", "slba-ta", "states", "edges", "Inf(0)", "deterministic", "ms"):
        assert word in shown


def test_all_kinds_in_one_table():
    result = buchi("X a", "--all")
    assert result.exit_code == 0
    assert all(kind.value in result.stdout for kind in AUTOMATA)
    assert "ta: the property is not stutter-invariant" in result.stdout


@pytest.mark.parametrize("kind", ["tlba", "slba", "tgba", "tgra", "tfla", "tela"])
def test_hoa_output(kind):
    assert Oracle(FORMULA).accepts(read_hoa(buchi(FORMULA, "--to", kind, "--format", "hoa").stdout))


@pytest.mark.parametrize("kind", ["tlba", "slba", "ta", "tgba", "tgra", "tfla", "tela"])
def test_json_and_dot_output(kind):
    text = buchi(FORMULA, "--to", kind, "--format", "json").stdout
    assert json.loads(text)["kind"] == kind
    assert Oracle(FORMULA).accepts(ANY_FORM.validate_json(text))
    assert buchi(FORMULA, "--to", kind, "--format", "dot").stdout.startswith("digraph")


def test_from_an_automaton(tmp_path):
    file = tmp_path / "given.hoa"
    file.write_text(buchi(FORMULA, "--to", "tgba", "--format", "hoa").stdout)
    text = buchi("--automaton", str(file), "--to", "ta", "--format", "json").stdout
    assert Oracle(FORMULA).accepts(ANY_FORM.validate_json(text))


def test_the_negation():
    text = buchi(FORMULA, "--to", "tgba", "--negate", "--format", "hoa").stdout
    assert Oracle(f"!({FORMULA})").accepts(read_hoa(text))


def test_an_option_reaches_its_translator():
    arguments = ("FGa", "--to", "tfla", "--through", "ltl-tgra", "--format", "json", "--option")
    states = [
        json.loads(buchi(*arguments, f"tgra-tfla.method={method}").stdout)["states"]
        for method in ("literal", "reduced")
    ]
    assert states == [2, 2]
    unreduced = buchi("a U b", "--to", "slba", "--format", "json", "--option", "tlba-slba.bisimilar=false")
    assert unreduced.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["X a", "--to", "ta"], 2, "not stutter-invariant"),
        (["F a", "--to", "tba"], 2, "did you mean"),
        (["F a"], 2, "--to"),
        (["F a", "--to", "ta", "--format", "hoa"], 2, "HOA has no testing automata"),
        (["F a", "--to", "ta", "--format", "pdf"], 2, "format"),
        (["F a", "--automaton", "x.hoa", "--to", "ta"], 2, "one of them"),
        (["--automaton", "no-such.hoa", "--to", "ta"], 2, "no such file"),
        (["F a &", "--to", "tgba"], 2, "unexpected end"),
        (["F a", "--to", "tgba", "--through", "ta"], 2, "no translators lead from ta"),
        ([f"F({WIDE})", "--to", "slba"], 2, "12 propositions"),
        (["&".join(f"(GFa{i} | FGb{i})" for i in range(12)), "--to", "tgba", "--timeout", "0.2"], 3, "time"),
    ],
)
def test_what_goes_wrong(arguments, code, reason):
    result = buchi(*arguments)
    assert result.exit_code == code
    assert reason in result.stderr
    assert result.stdout == ""
