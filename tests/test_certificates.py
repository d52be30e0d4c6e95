"""Every `holds` has a certificate that both checkers accept, whoever searched, and whatever the property is."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from nets import pnml
from random_dve import random_dve
from runner import PETERSON, ROOT, buchi

import buchi as api
from buchi.common.ends import Verdict
from buchi.common.errors import InputError, InternalError
from buchi.models.backends import Backend
from buchi.models.kripke import Kripke
from buchi.pipeline import registry
from buchi.pipeline.answer import LOOKED_AT
from buchi.pipeline.certificates import certifying
from buchi.pipeline.certificates.certifying import By, Question, certify
from buchi.pipeline.check import check
from buchi.pipeline.options import CheckOptions, Deadlock, Fair, FairBy, FairTo, Overflow
from buchi.schemas.certificate import Certified
from buchi.schemas.kinds import AUTOMATA, Kind

BY: tuple[By, ...] = ("small", "fast")
CRITICAL = "G (A.waiting -> F A.critical)"
SAFE = "G !(A.critical && B.critical)"
COUNTERS = """
byte a, b;
process P { state s; init s; trans s -> s { effect a = (a + 1) % 50; }; }
process Q { state s, t; init s; trans s -> s { guard b < 60; effect b = b + 1; }, s -> t { guard a == b; }; }
system async;
"""
"""Six thousand states."""


def certified(file: Path, by: By) -> Certified:
    with file.open("rb") as opened:
        return certify(opened, str(file), Question(by=by))


def holds(model: Path, tmp_path: Path, **options: object) -> list[Certified]:
    """Check a model, and let both checkers look at the certificate."""
    ltl, automaton = options.pop("ltl", None), options.pop("automaton", None)
    file = tmp_path / "a.cert"
    how = CheckOptions(certificate=file, **options)  # type: ignore[arg-type]
    assert check(model, ltl=ltl, automaton=automaton, options=how).verdict is Verdict.HOLDS  # type: ignore[arg-type]
    return [certified(file, by) for by in BY]


@pytest.mark.parametrize("kind", AUTOMATA)
@pytest.mark.parametrize(
    "ltl", [CRITICAL, SAFE, "F G A.thinking -> G F A.thinking", "G F (A.thinking | !A.thinking)"]
)
def test_every_kind_of_automaton(kind: Kind, ltl: str, tmp_path: Path) -> None:
    for one in holds(PETERSON, tmp_path, ltl=ltl, via=kind):
        assert one.trusted == ()


@pytest.mark.parametrize("name", registry.checkers())
def test_every_checker(name: str, tmp_path: Path) -> None:
    """Whether it numbers components or leaves that to a pass of its own."""
    testing = registry.checker(name).accepts.testing
    ltl = SAFE if name in ("reach", "sd") else CRITICAL
    small, fast = holds(PETERSON, tmp_path, ltl=ltl, checker=name, via=Kind.TA if testing else Kind.TLBA)
    assert small.states == fast.states


def test_several_workers(tmp_path: Path) -> None:
    holds(PETERSON, tmp_path, ltl=CRITICAL, workers=2)


SEMANTICS = {
    "deadlocks that do not count": {"ltl": CRITICAL, "deadlock": Deadlock.DROP},
    "weak fairness": {"ltl": "G F A.thinking", "fair": (FairTo(Fair.WEAK),)},
    "strong fairness": {"ltl": "G (A.hungry -> F A.critical)", "fair": (FairTo(Fair.STRONG),)},
    "both": {"ltl": "G F B.critical", "fair": (FairTo(Fair.WEAK, ("A",)), FairTo(Fair.STRONG, ("B",)))},
    "fair to commands": {"ltl": "G F A.critical", "fair": (FairTo(Fair.WEAK),), "fair_by": FairBy.COMMAND},
    "commands that are enabled": {"ltl": "G (enabled(A) || enabled(B))"},
    "commands that are taken": {"ltl": "G (moved(A) || moved(B))"},
    "no deadlock": {"ends": "false"},
    "a random order": {"ltl": CRITICAL, "seed": 3},
    "no overflow": {"ltl": CRITICAL, "overflow": Overflow.ERROR},
    "one pair": {"ltl": "F G A.thinking -> G F A.thinking", "via": Kind.TGRA, "checker": "tgrp"},
    "any acceptance": {"ltl": CRITICAL, "via": Kind.TELA, "checker": "generic"},
}


@pytest.mark.parametrize("what", SEMANTICS)
@pytest.mark.parametrize("backend", [Backend.COMPILED, Backend.INTERPRETED])
def test_every_semantics(what: str, backend: Backend, tmp_path: Path) -> None:
    small, fast = holds(PETERSON, tmp_path, backend=backend, **SEMANTICS[what])
    assert small.successors == "evaluator"
    assert fast.successors == ("interpreted" if backend is Backend.COMPILED else "compiled")
    assert small.trusted == fast.trusted == ()


def test_an_automaton_that_is_given(tmp_path: Path) -> None:
    hoa = tmp_path / "both.hoa"
    hoa.write_text(
        'HOA: v1\nStates: 2\nStart: 0\nAP: 2 "A.critical" "B == \'critical\'"\nAcceptance: 1 Inf(0)\n--BODY--\n'
        "State: 0\n[t] 0\n[0&1] 1\nState: 1\n[t] 1 {0}\n--END--\n"
    )
    for kind in (None, Kind.SLBA, Kind.TGRA):
        for one in holds(PETERSON, tmp_path, automaton=hoa, via=kind):
            assert one.trusted == ()


def test_a_property_process(tmp_path: Path) -> None:
    model = tmp_path / "own.dve"
    never = "process N { state q; init q; accept q; trans q -> q { guard A.critical and B.critical; }; }"
    text = PETERSON.read_text().replace("system async;", f"{never}\nsystem async property N;")
    model.write_text(text)
    holds(model, tmp_path)


def test_other_languages(tmp_path: Path) -> None:
    structure = tmp_path / "a.kripke.yaml"
    structure.write_text("states: {a: {to: [b], holds: [p]}, b: {to: [a, b], holds: [q]}}\n")
    holds(structure, tmp_path, ltl="G (p -> X q)")
    holds(ROOT / "examples" / "buffer.pnml", tmp_path, ltl="G (G (1 >= 2) || true)")


def test_variables_that_got_wider(tmp_path: Path) -> None:
    net = tmp_path / "wide.pnml"
    net.write_text(pnml({"a": 300, "b": 0}, {"t": ({"a": 1}, {"b": 1})}))
    for one in holds(net, tmp_path, ltl="G (b <= 300)"):
        assert one.states == 301


def test_models_at_random(tmp_path: Path) -> None:
    """Arrays, channels, committed locations: both checkers see what the search saw."""
    count = 0
    for seed in range(60):
        model, file = tmp_path / "random.dve", tmp_path / "random.cert"
        model.write_text(random_dve(seed))
        options = CheckOptions(certificate=file, backend=Backend.INTERPRETED)
        options = CheckOptions(certificate=file, backend=Backend.COMPILED) if seed % 10 == 0 else options
        try:
            result = check(model, ltl="F G deadlock || G F !deadlock", options=options)
        except InputError:  # a step of the model fails
            continue
        if result.verdict is Verdict.HOLDS and result.states <= 2000:
            count += 1
            assert certified(file, "small").states == result.states
            if seed % 10 == 0:
                assert certified(file, "fast").states == result.states
    assert count >= 20


def test_more_than_a_piece_and_a_first_look(tmp_path: Path) -> None:
    model = tmp_path / "counters.dve"
    model.write_text(COUNTERS.replace("50", "250").replace("60", "250"))
    _, fast = holds_fast(model, tmp_path, "G F Q.s || F G Q.t", 2)
    assert fast.states > max(LOOKED_AT, 1 << 16)


def holds_fast(model: Path, tmp_path: Path, ltl: str, workers: int) -> tuple[Path, Certified]:
    file = tmp_path / "fast.cert"
    options = CheckOptions(certificate=file, checker="ascc", backend=Backend.COMPILED)
    assert check(model, ltl=ltl, options=options).verdict is Verdict.HOLDS
    with file.open("rb") as opened:
        return file, certify(opened, str(file), Question("fast", workers))


def test_a_holds_that_is_wrong_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a counterexample that does not replay is."""
    from buchi.pipeline import search
    from buchi.pipeline.ended import Ended

    right = search.check

    def wrong(*args: object, **kwargs: object) -> Ended:
        ended = right(*args, **kwargs)  # type: ignore[arg-type]
        return Ended(None, None, ended.counters)

    monkeypatch.setattr(search, "check", wrong)
    with pytest.raises(InternalError, match=r"the verdict `holds` is not proved by its certificate: .*row"):
        check(PETERSON, ltl="G (A.hungry -> F A.critical)", options=CheckOptions(certified=True))


def test_what_spot_cannot_judge_is_trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from buchi.pipeline.certificates import language

    monkeypatch.setattr(language, "MOST_STATES", 1)
    for one in holds(PETERSON, tmp_path, ltl=CRITICAL):
        assert [text.split(":")[0] for text in one.trusted] == [
            "the automaton is one of the negated property"
        ]


def test_assertions_that_the_automaton_does_not_come_to(tmp_path: Path) -> None:
    model = tmp_path / "asserts.dve"
    model.write_text(
        "byte x; process P { state a, b; init a; assert b: x == 0; trans a -> b { }, b -> a { }; } system async;"
    )
    small, _ = holds(model, tmp_path, ltl="F P.b || P.a")
    assert small.trusted == ("no assertion fails in states that the automaton keeps a search from",)
    small, _ = holds(model, tmp_path, ltl="G (P.a || P.b)", via=Kind.TELA)
    assert len(small.trusted) <= 1


def test_a_proposition_that_fails_where_nobody_reads_it(tmp_path: Path) -> None:
    model = tmp_path / "divides.dve"
    model.write_text(
        "byte x = 5; process P { state a, b, c; init a; trans a -> b { }, b -> c { effect x = 0; }, c -> c { }; } "
        "system async;"
    )
    for one in holds(model, tmp_path, ltl='G (P.a -> X "10 / x == 2")'):
        assert one.states == 3


def test_a_reduced_product_is_certified_as_such(tmp_path: Path) -> None:
    from buchi.pipeline.options import Reduce

    file = tmp_path / "a.cert"
    for one in holds(PETERSON, tmp_path, ltl=CRITICAL, reduce=Reduce.ON):
        assert one.trusted == ("which commands may meet, enable one another, be seen and break cycles",)
    assert certified(file, "fast").states < check(PETERSON, ltl=CRITICAL).states
    file.write_bytes(_told_as_whole(file.read_bytes()))
    for by in BY:
        with pytest.raises(InputError, match="a successor is missing"):
            certified(file, by)


def test_deadlocks_are_certified_in_a_part(tmp_path: Path) -> None:
    from buchi.pipeline.options import Reduce

    whole, _ = holds(PETERSON, tmp_path, ends="false")
    small, fast = holds(PETERSON, tmp_path, ends="false", reduce=Reduce.ON)
    assert small.states == fast.states < whole.states


def _told_as_whole(content: bytes) -> bytes:
    from certificates import Open

    one = Open.of(content)
    one.head["reduced"] = False
    return one.closed()


# The command line, Python, experiments


def test_check_and_certify(tmp_path: Path) -> None:
    file = tmp_path / "a.cert"
    done = buchi("check", PETERSON, "--ltl", CRITICAL, "--certified", "--certificate", file)
    assert (done.code, "certified by the small checker: 51 states, by the evaluator" in done.out) == (0, True)
    assert buchi("certify", file).out.startswith("certified by the small checker: 51 states")
    assert "interpreted steps" in buchi("certify", file, PETERSON, "--by", "fast", "--workers", "2").out
    told = json.loads(buchi("certify", file, "--json").out)
    assert (told["by"], told["states"], told["trusted"]) == ("small", 51, [])
    other = buchi("certify", file, ROOT / "examples" / "leader_extinction_1.dve")
    assert (other.code, "the certificate is of another model" in other.err) == (2, True)


def test_a_certificate_that_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.cert"
    buchi("check", PETERSON, "--ltl", CRITICAL, "--certificate", file)
    file.write_bytes(file.read_bytes()[:-40])
    done = buchi("certify", file, "--json")
    assert done.code == 2
    assert re.search(r"a\.cert: .*\(before byte \d+\)", json.loads(done.out)["error"])
    assert buchi("certify", tmp_path / "none.cert").code == 2
    assert buchi("certify", file, "--by", "nobody").code == 2


def test_what_has_no_certificate(tmp_path: Path) -> None:
    file = tmp_path / "a.cert"
    done = buchi("check", PETERSON, "--ltl", "G F A.critical", "--certificate", file)
    assert (done.code, "there is no certificate to write" in done.err, file.exists()) == (1, True, False)
    assert buchi("check", PETERSON, "--ltl", CRITICAL, "--certificate", file, "--race").code == 2
    assert buchi("check", PETERSON, "--ltl", CRITICAL, "--ltl", SAFE, "--certificate", file).code == 2
    assert buchi("check", PETERSON, "--ltl", CRITICAL, "--certificate", PETERSON).code == 2
    with pytest.raises(InputError, match="this one was no file"):
        api.check(Kripke(("p",), [[0]], [frozenset("p")]), "G p", certificate=file)


def test_limits_hold(tmp_path: Path) -> None:
    model = tmp_path / "counters.dve"
    model.write_text(COUNTERS)
    file = tmp_path / "a.cert"
    buchi("check", model, "--ltl", "G F Q.s || F G Q.t", "--certificate", file)
    assert buchi("certify", file, "--timeout", "0.000001").code == 3


def test_from_python(tmp_path: Path) -> None:
    file = tmp_path / "a.cert"
    result = api.check(PETERSON, CRITICAL, certified=True, certificate=file)
    assert result.certified is not None
    assert api.certify(file, PETERSON).states == result.states
    assert api.check(Kripke(("p",), [[0]], [frozenset("p")]), "G p", certified=True).certified is not None
    assert all(
        one.result.certified for one in api.check_all(PETERSON, [CRITICAL, SAFE], certified=True).properties
    )
    rows = api.compare(PETERSON, CRITICAL, certified=True).taken()
    assert len(rows) > 30
    assert all(row.certified is not None for row in rows)


def test_compare_tells_how_many_are_certified() -> None:
    done = buchi("compare", PETERSON, "--ltl", CRITICAL, "--via", "tgba", "--certified")
    assert re.match(r"holds by (\d+) routes, \1 of them certified", done.out)


def test_experiments_and_reports_tell_the_share(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        f"models: [{PETERSON}]\nformulas: ['{CRITICAL}', '{SAFE}', G F A.critical]\nroutes: [tgba/ascc, slba/se]\n"
        "certified: true\n"
    )
    assert buchi("run", tmp_path / "a.yaml").code == 0
    assert "certified: 100% of 4 verdicts holds" in buchi("report", tmp_path / "a.sqlite").out
    header, *rows = buchi("export", tmp_path / "a.sqlite", "--csv", "-").out.splitlines()
    column = header.split(",").index("certified_seconds")
    assert sum(bool(row.split(",")[column]) for row in rows) >= 1


# What the fast checker is made of


def test_the_fast_checker_shares_nothing_with_the_engine() -> None:
    files = [ROOT / "engine" / "certify.cpp", *(ROOT / "engine" / "certify").iterdir()]
    included = {name for file in files for name in re.findall(r'#include "(.*)"', file.read_text())}
    own = {f"certify/{file.name}" for file in files} | {file.name for file in files}
    assert included - own == {"model.hpp"}


def test_the_small_checker_is_small_and_knows_no_engine() -> None:
    text = Path(certifying.__file__).with_name("small.py").read_text()
    assert len(text.splitlines()) <= 300
    assert "_engine" not in text


def test_constants_with_other_values(tmp_path: Path) -> None:
    """A certificate is of the model with these values, and of no other."""
    model, file = tmp_path / "count.dve", tmp_path / "count.cert"
    model.write_text(
        "const byte N = 9; byte x;\n"
        "process P { state a; init a; trans a -> a { guard x < N; effect x = x + 1; }; }\nsystem async;\n"
    )
    found = api.check(model, "G x <= 4", constants={"N": 4}, certified=True, certificate=file)
    assert found.verdict is Verdict.HOLDS
    assert found.certified is not None
    assert api.certify(file, model).states == found.states
    first, head, rest = file.read_bytes().split(b"\n", 2)
    told = json.loads(head)
    assert told["model"]["constants"] == [["N", 4]]
    told["model"]["constants"] = [["N", 5]]
    body = b"\n".join([first, json.dumps(told).encode(), rest])[:-32]
    file.write_bytes(body + sha256(body).digest())
    with pytest.raises(InputError):
        api.certify(file)
