"""Races and clauses in processes of their own: the verdict is that of one search, whoever dies and however it ends."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest
from differential import formulas, structure
from experiment_files import is_alive, wait_for
from runner import COUNTER, PETERSON, buchi, finish, start

import buchi as library
from buchi.common.ends import Limits
from buchi.common.errors import InputError
from buchi.pipeline.isolation import descendants
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.race import Entry, parts, racers
from buchi.pipeline.routes import convert
from buchi.pipeline.task import Task
from buchi.schemas.kinds import Kind

SAFE, UNFAIR = "G !(A.critical && B.critical)", "G F A.critical"
TWO_SETS = "!(G F A.critical & G F B.critical)"
"""The automaton of its negation has two sets."""
RABIN = """\
HOA: v1
States: 1
Start: 0
AP: 2 "A.critical" "B.critical"
Acceptance: 4 (Fin(0) & Inf(1)) | (Fin(2) & Inf(3))
--BODY--
State: 0
[!0&!1] 0
[0] 0 {0 3}
[1] 0 {1 2}
--END--
"""
"""That one of the two is critical again and again, and the other one only so often."""


def entrants(ended) -> list[tuple[str, str, int, str]]:
    return [
        tuple(one[k] for k in ("kind", "checker", "workers", "order"))
        for one in ended.json["contest"]["entrants"]
    ]


class TestWhoRaces:
    """By the number of places: a team, another automaton, other orders."""

    def entries(self, ltl: str, places: int, team: int | None = None, **options):
        task = Task.of(PETERSON, ltl, None, CheckOptions(**options))
        kind = options.get("via") or Kind.TGBA
        found = racers(task, task.prepared(convert(task.forbidden.value, kind)), places, team)
        assert [entry.restarts for entry in found] == [False, True, *[False] * (len(found) - 2)]
        return [(e.options.via, e.expected, e.options.workers, e.options.seed) for e in found]

    def test_two_places(self):
        assert self.entries(UNFAIR, 2) == [(None, "sd", 1, None), (None, "sd", 1, 100)]

    def test_four_places(self):
        expected = [(None, "ufscc", 2, None), (None, "sd", 1, 100), (None, "sd", 1, None)]
        assert self.entries(UNFAIR, 4) == expected

    def test_another_automaton_where_there_are_several_sets(self):
        expected = [(None, "ufscc", 2, None), (None, "ascc", 1, 100), (Kind.TLBA, "auto", 1, None)]
        assert self.entries(TWO_SETS, 4) == expected

    def test_an_order_and_a_checker_that_are_asked_for_stay(self):
        expected = [(None, "gv", 1, 7), (None, "gv", 1, 107), (None, "gv", 1, 8)]
        assert self.entries(UNFAIR, 3, seed=7, checker="gv") == expected

    def test_a_checker_that_is_not_for_teams(self):
        expected = [(Kind.TA, "tarjan+", 1, seed) for seed in (None, 100, 1)]
        assert self.entries(UNFAIR, 3, via=Kind.TA, checker="tarjan+") == expected

    def test_on_a_cluster_the_first_has_the_workers_and_the_others_the_rest(self):
        found = self.entries(UNFAIR, 6, team=3)
        assert [(workers, seed) for _, _, workers, seed in found] == [(3, None), (1, 100), (1, None), (1, 1)]

    def test_alone(self):
        with pytest.raises(InputError, match="a race needs two places"):
            self.entries(UNFAIR, 1)

    def test_short_searches_grow_up_to_the_limit(self):
        limits = Limits(states=90_000)
        entry = Entry(CheckOptions(seed=7, limits=limits), restarts=True)
        found = [(one.seed, one.limits.states) for one in entry.tries()]
        first = [(7 + i, 20_000) for i in range(4)]
        second = [(11 + i, 40_000) for i in range(4)]
        third = [(15 + i, 80_000) for i in range(4)]
        assert found == [*first, *second, *third, (7, 90_000)]
        assert list(replace(entry, restarts=False).tries()) == [entry.options]

    def test_clauses_share_the_workers(self, tmp_path):
        (tmp_path / "rabin.hoa").write_text(RABIN)
        task = Task.of(PETERSON, None, tmp_path / "rabin.hoa", CheckOptions(workers=5))
        whole = task.forbidden.value
        assert [(e.clause, e.options.workers) for e in parts(task, whole, shared=True)] == [(0, 2), (1, 2)]
        assert [e.options.workers for e in parts(task, whole, shared=False)] == [5, 5]
        assert parts(task, None, shared=True)[0].clause is None


class TestRace:
    @pytest.mark.parametrize("workers", [2, 3, 5])
    @pytest.mark.parametrize(("ltl", "code"), [(SAFE, 0), (UNFAIR, 1), (TWO_SETS, 1)])
    def test_the_verdict_and_who_won(self, ltl, code, workers):
        ended = buchi("check", PETERSON, "--ltl", ltl, "--race", "--workers", workers, "--json")
        contest = ended.json["contest"]
        assert (ended.code, contest["rule"], sum(one[2] for one in entrants(ended))) == (code, "any", workers)
        winner = contest["entrants"][contest["winner"]]
        assert (winner["kind"], winner["checker"]) == (ended.json["kind"], ended.json["checker"])
        assert (ended.json["counterexample"] is None) == (code == 0)

    def test_it_is_told_in_words(self):
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--race", "--workers", "2")
        assert "reach on a tgba" in ended.out
        assert "won a race of 2; the others: reach on a tgba" in ended.out

    def test_random_models_by_every_number_of_places(self):
        for number, ltl in enumerate(formulas(3, 12)):
            model = structure(number)
            alone = library.check(model, ltl)
            raced = library.check(model, ltl, race=True, workers=2 + number % 4)
            assert raced.verdict is alone.verdict
            assert raced.contest is not None

    def test_a_bad_order_is_left_for_another(self, tmp_path):
        """A cycle that a search in the order of the model meets after all else, and most others soon."""
        path = tmp_path / "late.dve"
        way_out = "(x - x); }, go -> out { guard x == 0 && y == 1; }, out -> out { };"
        path.write_text(COUNTER.replace("state go;", "state go, out;").replace("(x - x); };", way_out))
        given = ["check", path, "--ltl", "G F Count.go", "--checker", "ascc"]
        assert buchi(*given, "--max-states", "1000000").code == 3
        ended = buchi(*given, "--race", "--workers", "2", "--json")
        contest = ended.json["contest"]
        assert (ended.code, contest["winner"], contest["entrants"][1]["restarts"]) == (1, 1, True)

    def test_one_place_is_refused(self):
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--race", "--workers", "1")
        assert (ended.code, "a race needs two places" in ended.err, "--workers 2" in ended.err) == (
            2,
            True,
            True,
        )

    def test_without_a_number_it_takes_the_cores(self, monkeypatch):
        monkeypatch.setattr("buchi.pipeline.cores.cores", lambda: 3)
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--race", "--json")
        assert sum(one[2] for one in entrants(ended)) == 3

    def test_limits(self, counter):
        given = ("check", counter, "--ltl", "G x <= 255", "--race", "--workers", "2", "--json")
        for limit, value, reason in (("--max-states", "3000", "states"), ("--timeout", "2", "time")):
            ended = finish(start(*given, limit, value))
            assert (ended.code, ended.json["verdict"], ended.json["reason"]) == (3, "unknown", reason)
            assert (ended.json["contest"]["winner"], ended.json["states"] > 0) == (None, True)

    def test_an_error_of_the_model(self, tmp_path):
        path = tmp_path / "fails.dve"
        path.write_text(
            "byte x; process P { state s; init s;"
            " trans s -> s { effect x = x + 1 + 0 / (3 - x); }; } system async;"
        )
        for more in (["--race", "--workers", "2"], ["--isolate"]):
            ended = buchi("check", path, "--ltl", "G x <= 255", *more)
            assert (ended.code, "division by zero" in ended.err) == (2, True)

    def test_bad_input(self):
        for more in (["--race"], ["--isolate"]):
            ended = buchi("check", PETERSON, "--ltl", "G F A.nowhere", *more)
            assert (ended.code, "A.nowhere" in ended.err) == (2, True)
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--executor", "elsewhere")
        assert (ended.code, "there is no executor 'elsewhere'" in ended.err) == (2, True)


class TestClauses:
    @pytest.fixture
    def rabin(self, tmp_path):
        path = tmp_path / "rabin.hoa"
        path.write_text(RABIN)
        return path

    @pytest.mark.parametrize(
        "more", [[], ["--via", "tgra"], ["--via", "tfla"], ["--workers", "4"]], ids=" ".join
    )
    def test_one_that_is_violated_decides(self, rabin, more):
        ended = buchi("check", PETERSON, "--automaton", rabin, "--isolate", "--json", *more)
        contest = ended.json["contest"]
        assert (ended.code, contest["rule"], len(contest["entrants"])) == (1, "all", 2)
        assert contest["winner"] in (0, 1)

    def test_all_must_hold(self, rabin, tmp_path):
        """Peterson's processes are never critical at the same time; nothing else is asked for here."""
        rabin.write_text(RABIN.replace("[!0&!1] 0\n[0] 0 {0 3}\n[1] 0 {1 2}", "[!0|!1] 0\n[0&1] 0 {1 3}"))
        alone = buchi("check", PETERSON, "--automaton", rabin, "--json")
        ended = buchi("check", PETERSON, "--automaton", rabin, "--isolate", "--json", "--workers", "2")
        assert (alone.code, ended.code, ended.json["contest"]["winner"]) == (0, 0, None)
        one = buchi("check", PETERSON, "--automaton", rabin, "--via", "tgra", "--json").json
        assert ended.json["states"] >= one["states"]
        assert (
            "2 clauses of the acceptance" in buchi("check", PETERSON, "--automaton", rabin, "--isolate").out
        )

    def test_one_search_in_a_process_of_its_own(self):
        ended = buchi("check", PETERSON, "--ltl", UNFAIR, "--isolate", "--json")
        plain = buchi("check", PETERSON, "--ltl", UNFAIR, "--json")
        assert ended.json["counterexample"] == plain.json["counterexample"]
        assert ended.json["states"] == plain.json["states"]

    def test_in_python(self, rabin):
        model = library.load_model(PETERSON)
        assert library.check(model, UNFAIR, isolate=True).contest is not None
        automaton = library.translate(UNFAIR, "tgra", negate=True)
        assert not library.check(model, automaton=automaton, isolate=True)


class TestDeaths:
    GIVEN = ("--ltl", "G x <= 255", "--race", "--workers", "2", "--json")

    @pytest.fixture
    def process(self, counter):
        counter.write_text(counter.read_text().replace("z < 255", "z < 40"))
        process = start("check", counter, *self.GIVEN)
        wait_for(lambda: len(contestants(process.pid)) == 2)
        return process

    def test_of_one_contestant(self, process):
        time.sleep(0.2)
        os.kill(contestants(process.pid)[0], signal.SIGKILL)
        ended = finish(process)
        assert (ended.code, ended.json["verdict"]) == (0, "holds"), ended

    def test_of_all(self, process):
        ours = contestants(process.pid)
        for pid in ours:
            os.kill(pid, signal.SIGKILL)
        ended = finish(process)
        assert (ended.code, ended.json["verdict"], ended.json["reason"]) == (3, "unknown", "memory"), ended

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_asked_for(self, process, number):
        ours = descendants(process.pid)
        process.send_signal(number)
        ended = finish(process)
        assert (ended.code, ended.json["verdict"], ended.json["reason"]) == (3, "unknown", "interrupted"), (
            ended
        )
        assert not any(map(is_alive, ours))

    def test_of_the_one_who_watches(self, process):
        ours = descendants(process.pid)
        process.kill()
        process.communicate()
        wait_for(lambda: not any(map(is_alive, ours)), seconds=2)

    def test_nobody_is_left_when_it_ends_by_itself(self, process):
        ours = descendants(process.pid)
        assert finish(process).code == 0
        assert not any(map(is_alive, ours))

    def test_a_crash_of_all_is_a_bug(self, plugin):
        given = ["check", PETERSON, "--ltl", SAFE, "--checker", "evil", "--isolate", "--json"]
        ended = finish(start(*given, **plugin("os.kill(os.getpid(), signal.SIGSEGV)")))
        assert (ended.code, "the worker died (SIGSEGV)" in ended.json["error"]) == (4, True)


def contestants(pid: int) -> list[int]:
    """Return the processes that search: those below the one that works below the one that was started."""
    return [one for child in descendants(pid)[:1] for one in descendants(child)]
