"""`buchi compare`: every route in one table, one verdict, and what happens when routes disagree."""

from __future__ import annotations

import csv
import io
import os
import signal
from collections.abc import Sequence
from typing import ClassVar

import pytest
from runner import COUNTER, PETERSON, buchi

from buchi.checkers.declaration import Accepts, Lasso, Product
from buchi.models.backends import Backend
from buchi.pipeline import registry
from buchi.pipeline.compare import Disagreement, compare
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.registry import Group, Plugins
from buchi.pipeline.search import Progress
from buchi.schemas.automaton import Clause
from buchi.schemas.comparison import Comparison
from buchi.schemas.errors import InternalError
from buchi.schemas.kinds import Kind
from buchi.schemas.result import Limits, Reason, Verdict

SAFE = "G !(A.critical && B.critical)"
UNFAIR = "G (A.hungry -> F A.critical)"
NEXT = "G (A.hungry -> X A.polite)"


@pytest.fixture(scope="module")
def unfair() -> Comparison:
    return compare(PETERSON, ltl=UNFAIR)


def test_every_kind_and_every_checker_has_its_row(unfair: Comparison) -> None:
    assert unfair.verdict is Verdict.VIOLATED
    assert {row.kind for row in unfair.rows} == {kind.value for kind in Kind} - {"ltl"}
    first = [row for row in unfair.rows if row.kind == "tlba"]
    assert {row.checker for row in first} == set(registry.checkers())
    assert all((row.verdict is None) == (row.refusal is not None) for row in unfair.rows)
    assert not unfair.interrupted


def test_all_routes_that_were_taken_agree(unfair: Comparison) -> None:
    assert {row.verdict for row in unfair.taken()} == {Verdict.VIOLATED}
    assert {row.checker for row in unfair.taken() if row.kind == "ta"} == {"tarjan+", "ta-scc", "tgrp"}
    assert all(row.counterexample for row in unfair.taken())


def test_the_same_automaton_is_searched_once(unfair: Comparison) -> None:
    again = [row for row in unfair.rows if "the same automaton as" in (row.refusal or "")]
    assert "tlba (ltl-tlba)" in str([row.refusal for row in again])
    assert all(row.checker is None for row in again)


def test_a_kind_that_cannot_be_had_says_why() -> None:
    result = compare(PETERSON, ltl=NEXT)
    (row,) = (row for row in result.rows if row.kind == "ta")
    assert "not stutter-invariant" in (row.refusal or "")


def test_only_one_kind_or_checker() -> None:
    result = compare(PETERSON, ltl=SAFE, options=CheckOptions(via="slba", checker="hpy"))
    (row,) = result.rows
    assert (row.kind, row.checker, result.verdict) == ("slba", "hpy", Verdict.HOLDS)


def test_every_chain() -> None:
    plain = compare(PETERSON, ltl="GF A.critical -> GF B.critical", options=CheckOptions(via="tfla"))
    every = compare(
        PETERSON, ltl="GF A.critical -> GF B.critical", options=CheckOptions(via="tfla"), every_chain=True
    )
    chains = {row.translators for row in every.rows}
    assert {row.translators for row in plain.rows} < chains
    assert ("ltl-tgba", "tgba-tfla") in chains
    assert any("tgra-tfla method=literal" in chain for chain in chains)
    assert every.verdict is plain.verdict


def test_a_limit_leaves_rows_unknown() -> None:
    options = CheckOptions(via="tgba", limits=Limits(states=20))
    result = compare(PETERSON, ltl=SAFE, options=options)
    assert result.verdict is Verdict.UNKNOWN
    assert {row.reason for row in result.taken()} == {Reason.STATES}


class Optimist:
    """Finds nothing, ever."""

    name: ClassVar = "optimist"
    summary: ClassVar = "wrong"
    paper: ClassVar = "none"
    accepts: ClassVar = Accepts(max_clauses=None, fin=True)

    def find(self, product: Product, acceptance: Sequence[Clause]) -> Lasso | None:
        return None


def install(monkeypatch: pytest.MonkeyPatch, checker: object, name: str) -> None:
    known = {group: registry.plugins(group) for group in Group}
    found = {**known[Group.CHECKERS].found, name: checker}
    monkeypatch.setattr(registry, "plugins", {**known, Group.CHECKERS: Plugins(found)}.__getitem__)


class NoCycle(Optimist):
    """Finds a run that ends."""

    name: ClassVar = "no-cycle"

    def find(self, product: Product, acceptance: Sequence[Clause]) -> Lasso | None:
        return Lasso(product.initial(), [])


def test_a_run_without_a_cycle_is_a_bug_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, NoCycle(), NoCycle.name)
    with pytest.raises(InternalError, match=r"with no-cycle: .* no cycle"):
        compare(PETERSON, ltl=SAFE, options=CheckOptions(checker=NoCycle.name))


@pytest.fixture
def optimist(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Optimist(), Optimist.name)


@pytest.mark.usefixtures("optimist")
class TestDisagreement:
    def test_it_stops_everything(self) -> None:
        with pytest.raises(Disagreement, match="two routes disagree") as error:
            compare(PETERSON, ltl=UNFAIR)
        told = str(error.value)
        assert str(PETERSON) in told
        assert "A.hungry" in told
        assert "tlba (ltl-tlba) with ascc: violated" in told
        assert "with optimist: holds" in told

    def test_on_the_command_line(self) -> None:
        ended = buchi("compare", PETERSON, "--ltl", UNFAIR, "--order", "random:7")
        assert (ended.code, ended.out) == (4, "")
        assert "random:7" in ended.err


def test_the_json() -> None:
    ended = buchi("compare", PETERSON, "--ltl", SAFE, "--json")
    assert ended.code == 0
    assert list(ended.json) == ["model", "property", "verdict", "interrupted", "rows"]
    assert Comparison.model_validate(ended.json).verdict is Verdict.HOLDS


def test_the_csv() -> None:
    ended = buchi("compare", PETERSON, "--ltl", UNFAIR, "--csv")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert ended.code == 1
    assert {row["verdict"] for row in rows} == {"violated", ""}
    assert all(row["automaton_states"].isdigit() for row in rows if row["verdict"])
    assert buchi("compare", PETERSON, "--ltl", UNFAIR, "--csv", "--json").code == 2


def test_the_table_marks_the_best() -> None:
    ended = buchi("compare", PETERSON, "--ltl", UNFAIR, "--via", "tgba", COLUMNS="80")
    lines = ended.out.splitlines()
    assert lines[0].startswith("violated by")
    column = lines[1].split().index("transitions")
    searches = [line.split() for line in lines[2 : lines.index("")] if line.startswith("  ")]
    least = min(int(line[column].rstrip("*")) for line in searches)
    marked = {line[0] for line in searches if line[column].endswith("*")}
    assert marked == {line[0] for line in searches if int(line[column].rstrip("*")) == least}
    assert max(map(len, lines[: lines.index("")])) <= 80
    assert "tgba (ltl-tgba) tarjan+ ta-scc: needs a testing automaton" in lines


def test_each_route_has_its_own_limit(tmp_path) -> None:
    path = tmp_path / "counter.dve"
    path.write_text(COUNTER)
    ended = buchi("compare", path, "--ltl", "G x < 300", "--via", "tgba", "--max-states", "1000", "--json")
    assert ended.code == 3
    assert {row["reason"] for row in ended.json["rows"] if row["verdict"]} == {"states"}


def test_an_interrupt_keeps_what_is_known(tmp_path) -> None:
    path = tmp_path / "counter.dve"
    path.write_text(COUNTER)
    options = CheckOptions(via="tgba", backend=Backend.INTERPRETED)

    def interrupt(_progress: Progress, what: str) -> None:
        assert what == "tgba with ascc"
        os.kill(os.getpid(), signal.SIGINT)

    result = compare(path, ltl="G x < 300", options=options, watch=interrupt)
    assert (result.interrupted, result.verdict) == (True, Verdict.UNKNOWN)
    assert result.rows[-1].reason is Reason.INTERRUPTED
    assert len(result.taken()) == 1
