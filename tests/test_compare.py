"""`buchi compare`: every route in one table, one verdict, and what happens when routes disagree."""

from __future__ import annotations

import csv
import io
import os
import re
import signal
import time
from collections.abc import Sequence
from typing import ClassVar

import pytest
from runner import COUNTER, PETERSON, buchi, long_run

from buchi import _engine
from buchi.checkers.declaration import Accepts, Lasso, Product
from buchi.common.ends import Limits, Reason, Verdict
from buchi.common.errors import InternalError
from buchi.models.backends import Backend
from buchi.models.guarded import Model
from buchi.pipeline import prepared, registry
from buchi.pipeline.cli.compare_table import as_csv, render_comparison
from buchi.pipeline.compare import Disagreement, compare
from buchi.pipeline.executable import build_model
from buchi.pipeline.options import CheckOptions, Deadlock
from buchi.pipeline.registry import Group, Plugins
from buchi.pipeline.search import Progress
from buchi.schemas.automaton import Clause
from buchi.schemas.comparison import Comparison, Row
from buchi.schemas.kinds import Kind
from buchi.schemas.result import AutomatonSize

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
    assert {row.checker for row in unfair.taken() if row.kind == "ta"} == {
        "tarjan+",
        "ta-scc",
        "tgrp",
        "generic",
    }
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
    result = compare(PETERSON, ltl=SAFE, options=CheckOptions(via=Kind.SLBA, checker="hpy"))
    (row,) = result.rows
    assert (row.kind, row.checker, result.verdict) == ("slba", "hpy", Verdict.HOLDS)


def test_every_chain() -> None:
    plain = compare(PETERSON, ltl="GF A.critical -> GF B.critical", options=CheckOptions(via=Kind.TFLA))
    every = compare(
        PETERSON, ltl="GF A.critical -> GF B.critical", options=CheckOptions(via=Kind.TFLA), every_chain=True
    )
    chains = {row.translators for row in every.rows}
    assert {row.translators for row in plain.rows} < chains
    assert ("ltl-tgba", "tgba-tfla") in chains
    assert any("tgra-tfla method=literal" in chain for chain in chains)
    assert every.verdict is plain.verdict


def test_a_limit_leaves_rows_unknown() -> None:
    options = CheckOptions(via=Kind.TGBA, limits=Limits(states=20))
    result = compare(PETERSON, ltl=SAFE, options=options)
    assert result.verdict is Verdict.UNKNOWN
    assert {row.reason for row in result.taken()} == {Reason.STATES}


FAULTY = """
byte x, data[2];
process P {
    state run, rest;
    init run;
    trans
        run -> rest { },
        rest -> rest { },
        run -> run { effect data[x] = 1, x = x + 1; };
}
system async;
"""
"""Rests for ever in its first run; the others leave the array."""


def test_a_route_that_meets_an_error_of_the_model_does_not_end_the_others(tmp_path) -> None:
    path = tmp_path / "faulty.dve"
    path.write_text(FAULTY)
    result = compare(path, ltl="G F P.run")
    assert result.verdict is Verdict.VIOLATED
    (why,) = {row.refusal for row in result.rows if "error" in (row.refusal or "")}
    assert why == "met an error of the model: index out of bounds in P: run -> run"


@pytest.mark.parametrize("formula", ["G (P.rest -> G P.rest)", "G (x <= 5)"])
def test_an_error_of_the_model_is_reported_where_there_is_no_violation(tmp_path, formula: str) -> None:
    path = tmp_path / "faulty.dve"
    path.write_text(FAULTY)
    ended = buchi("compare", path, "--ltl", formula)
    assert ended.code == 2
    assert "index out of bounds" in ended.err
    assert "in the state x = 2" in ended.err


def test_what_the_automaton_lacks_is_told_before_what_the_model_does() -> None:
    dropped = CheckOptions(via=Kind.TGBA, checker="reach", deadlock=Deadlock.DROP)
    (weak,) = compare(PETERSON, ltl=UNFAIR, options=dropped).rows
    (terminal,) = compare(PETERSON, ltl=SAFE, options=dropped).rows
    assert weak.refusal == "needs a terminal automaton"
    assert "not --deadlock drop" in (terminal.refusal or "")


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
    with pytest.raises(InternalError, match=r"with no-cycle: .* does not violate the property"):
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
    assert list(ended.json) == ["model", "forbidden", "verdict", "interrupted", "warnings", "rows"]
    assert Comparison.model_validate(ended.json).verdict is Verdict.HOLDS


def test_the_csv() -> None:
    ended = buchi("compare", PETERSON, "--ltl", UNFAIR, "--csv")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert ended.code == 1
    assert {row["verdict"] for row in rows} == {"violated", ""}
    assert all(row["automaton_states"].isdigit() for row in rows if row["verdict"])
    assert buchi("compare", PETERSON, "--ltl", UNFAIR, "--csv", "--json").code == 2


def test_no_cell_is_a_command_for_a_spreadsheet() -> None:
    evil = Row(kind="tgba", translators=("@x",), checker="-1+1", refusal="=cmd|'/c calc'!A0")
    result = Comparison(
        model="m", forbidden="p", verdict=Verdict.UNKNOWN, interrupted=False, rows=(evil, row("a", 0.5))
    )
    first, second = csv.DictReader(io.StringIO(as_csv(result)))
    assert (first["translators"], first["checker"], first["refusal"]) == (
        "'@x",
        "'-1+1",
        "'=cmd|'/c calc'!A0",
    )
    assert second["seconds"] == "0.5"


def test_the_table_marks_the_best() -> None:
    ended = buchi("compare", PETERSON, "--ltl", UNFAIR, "--via", "tgba")
    lines = ended.out.splitlines()
    assert lines[0].startswith("violated by")
    column = lines[1].split().index("transitions")
    searches = [line.split() for line in lines[2 : lines.index("")] if line.startswith("  ")]
    least = min(int(line[column].rstrip("*")) for line in searches)
    marked = {line[0] for line in searches if line[column].endswith("*")}
    assert marked == {line[0] for line in searches if int(line[column].rstrip("*")) == least}
    assert lines[-1] == "4 routes not taken: --refusals tells why"


def test_why_routes_were_not_taken_is_told_on_demand() -> None:
    told = buchi("compare", PETERSON, "--ltl", UNFAIR, "--refusals").out
    assert "tlba (ltl-tlba) tarjan+ ta-scc: needs a testing automaton" in told.splitlines()
    assert "not taken" not in told
    brief = buchi("compare", PETERSON, "--ltl", UNFAIR).out
    assert "needs a testing automaton" not in brief
    assert re.search(r"\n\n\d+ routes not taken, among them all to tgba, tgra, tfla, tela: --ref", brief)


def row(checker: str, seconds: float, verdict: Verdict = Verdict.HOLDS) -> Row:
    reason = Reason.TIME if verdict is Verdict.UNKNOWN else None
    size = AutomatonSize(states=1, edges=2, sets=1, pairs=1)
    return Row(
        kind="tgba", translators=(), checker=checker, verdict=verdict, reason=reason, seconds=seconds,
        automaton=size,
    )  # fmt: skip


def shown(*rows: Row, verdict: Verdict = Verdict.HOLDS) -> list[str]:
    result = Comparison(model="m", forbidden="p", verdict=verdict, interrupted=False, rows=rows)
    return [line.plain for line in render_comparison(result)]


def test_what_is_shown_as_equal_is_marked_alike() -> None:
    _, _, heading, *searches = shown(row("a", 0.00011), row("b", 0.00014), row("c", 0.2), row("d", 0.00012))
    assert heading == "tgba: 1* state, 2* edges  (as given)"
    times = [" ".join(line.split()[-2:]) for line in searches[:4]]
    assert times == ["0.1 ms*", "0.1 ms*", "0.20 s", "0.1 ms*"]


WIDE = Row(
    kind="tfla",
    translators=("ltl-tgra", "tgra-tfla method=literal", *["tlba-tgba"] * 9),
    checker="tarjan+",
    verdict=Verdict.UNKNOWN,
    reason=Reason.INTERRUPTED,
    automaton=AutomatonSize(states=12345, edges=234567, sets=1, pairs=1),
    states=1234567890,
    transitions=2345678901,
    post_calls=999999,
    max_depth=100000,
    seconds=12345.678,
    bytes=1023 << 30,
)


def test_the_table_fits_the_terminal() -> None:
    found = WIDE.model_copy(update={"verdict": Verdict.VIOLATED, "reason": None, "counterexample": 99999})
    result = Comparison(
        model="m", forbidden="p", verdict=Verdict.VIOLATED, interrupted=False, rows=(found, WIDE, row("a", 1))
    )
    exact = [line.plain for line in render_comparison(result)]
    assert "2,345,678,901" in exact[3]
    assert max(map(len, exact)) > 120
    narrow = [line.plain for line in render_comparison(result, width=80)]
    assert max(map(len, narrow)) <= 80
    for short in ("1.2G", "2.3G", "1.0M", "100k", "(interrupted)"):
        assert short in " ".join(narrow)
    assert [line.plain for line in render_comparison(result, width=300)] == exact


def test_numbers_that_only_look_alike_are_not_both_the_best() -> None:
    less, more = (
        WIDE.model_copy(update={"verdict": Verdict.HOLDS, "reason": None, "states": states})
        for states in (1234567890, 1234567891)
    )
    result = Comparison(model="m", forbidden="p", verdict=Verdict.HOLDS, interrupted=False, rows=(less, more))
    first, second = (line.plain for line in render_comparison(result, width=80) if "tarjan+" in line.plain)
    assert ("1.2G*" in first, "1.2G*" in second) == (True, False)


def test_a_second_pass_is_told() -> None:
    once, twice = (row("tarjan+", 0.5).model_copy(update={"passes": passes}) for passes in (1, 2))
    lines = shown(once, twice)
    assert [line.endswith("2 passes") for line in lines[3:5]] == [False, True]


def test_only_routes_that_gave_the_verdict_are_counted() -> None:
    assert shown(row("a", 1), row("b", 1, Verdict.UNKNOWN))[0] == "holds by 1 of 2 routes"
    assert shown(row("a", 1))[0] == "holds by 1 route"
    assert shown(row("a", 1, Verdict.UNKNOWN), verdict=Verdict.UNKNOWN)[0] == "unknown by 1 route"


def test_without_a_route_there_is_no_table() -> None:
    ended = buchi("compare", PETERSON, "--ltl", NEXT, "--checker", "tarjan+")
    assert ended.code == 3
    verdict, empty, *why = ended.out.splitlines()
    assert (verdict, empty) == ("unknown: no route was taken", "")
    assert "tlba (ltl-tlba) tarjan+: needs a testing automaton" in why


def test_each_route_has_its_own_limit(tmp_path) -> None:
    path = tmp_path / "counter.dve"
    path.write_text(COUNTER)
    ended = buchi("compare", path, "--ltl", "G x < 300", "--via", "tgba", "--max-states", "1000", "--json")
    assert ended.code == 3
    assert {row["reason"] for row in ended.json["rows"] if row["verdict"]} == {"states"}


def test_the_first_route_does_not_pay_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is built once, for all routes, and no limit of a search is meant for that."""

    def slowly(model: Model, backend: Backend) -> _engine.Model:
        time.sleep(1.2)
        return build_model(model, backend)

    monkeypatch.setattr(prepared, "build_model", slowly)
    result = compare(PETERSON, ltl=SAFE, options=CheckOptions(via=Kind.TGBA, limits=Limits(seconds=1)))
    assert {row.verdict for row in result.taken()} == {Verdict.HOLDS}


def test_an_interrupt_keeps_what_is_known(tmp_path) -> None:
    path = tmp_path / "counter.dve"
    path.write_text(COUNTER)
    options = CheckOptions(via=Kind.TGBA, backend=Backend.INTERPRETED)

    def interrupt(_progress: Progress, what: str) -> None:
        assert what == "tgba with ascc"
        os.kill(os.getpid(), signal.SIGINT)

    result = compare(path, ltl="G x < 300", options=options, watch=interrupt)
    assert (result.interrupted, result.verdict) == (True, Verdict.UNKNOWN)
    assert result.rows[-1].reason is Reason.INTERRUPTED
    assert len(result.taken()) == 1


def test_a_replay_is_within_the_limit_of_its_route(tmp_path):
    """The run is found at once, and has two million steps to replay."""
    model = tmp_path / "long.dve"
    model.write_text(long_run(2000))
    given = ["compare", model, "--ltl", "F x == 1000", "--via", "tgba", "--checker", "ascc"]
    for seconds in (4, 16):  # a busy machine may not come to the replay in the first
        ended = buchi(*given, "--timeout", seconds, "--json")
        (row,) = (row for row in ended.json["rows"] if row["verdict"])
        assert (ended.code, row["verdict"], row["reason"]) == (3, "unknown", "time")
        if row["states"] == 2_000_000:
            return
    pytest.fail("the search did not end, or the replay did")
