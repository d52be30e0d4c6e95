"""Cores that we may use, and places for jobs with several threads."""

from __future__ import annotations

import threading
from itertools import count
from typing import Any

import pytest
from experiment_files import TINY, records, write
from runner import PETERSON, buchi

import buchi as library
from buchi.common.ends import Limits
from buchi.pipeline import cores
from buchi.pipeline.executors import local
from buchi.pipeline.executors.jobs import Here
from buchi.pipeline.executors.places import Places
from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.reading import read_experiment


class TestCores:
    def quotas(self, folder, membership: str) -> list[int]:
        (folder / "self").write_text(membership)
        return list(cores.quotas(folder / "self", folder))

    def test_of_control_groups_of_version_2(self, tmp_path):
        files = {"job/cpu.max": "150000 100000\n", "cpu.max": "max 100000\n"}
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(content)
        assert self.quotas(tmp_path, "0::/job\n") == [2]

    def test_of_control_groups_of_version_1(self, tmp_path):
        folder = tmp_path / "cpu"
        folder.mkdir()
        (folder / "cpu.cfs_quota_us").write_text("400000")
        (folder / "cpu.cfs_period_us").write_text("100000")
        assert self.quotas(tmp_path, "3:cpu,cpuacct:/docker/abc\n") == [4]
        (folder / "cpu.cfs_quota_us").write_text("-1")
        assert self.quotas(tmp_path, "3:cpu,cpuacct:/docker/abc\n") == []

    @pytest.mark.parametrize(("bound", "quota", "expected"), [(4, [], 4), (4, [2], 2), (1, [3, 8], 1)])
    def test_the_least_counts(self, monkeypatch, bound, quota, expected):
        monkeypatch.setattr("os.sched_getaffinity", lambda _pid: set(range(bound)))
        monkeypatch.setattr(cores, "quotas", lambda: iter(quota))
        assert cores.cores() == expected


class TestAuto:
    @pytest.mark.parametrize(
        ("there", "workers", "checker"), [(3, 3, "ufscc"), (1, 1, "reach"), (99, 28, "ufscc")]
    )
    def test_it_takes_the_cores_and_says_how_many(self, monkeypatch, there, workers, checker):
        monkeypatch.setattr(cores, "cores", lambda: there)
        given = ("check", PETERSON, "--ltl", "G !(A.critical & B.critical)", "--workers", "auto")
        found = buchi(*given, "--json").json
        assert (found["verdict"], found["workers"], found["checker"]) == ("holds", workers, checker)
        assert (f" with {workers} workers on a" in buchi(*given).out) == (workers > 1)

    def test_in_python(self, monkeypatch):
        monkeypatch.setattr(cores, "cores", lambda: 2)
        assert library.check(PETERSON, "G F A.critical", workers="auto").workers == 2

    @pytest.mark.parametrize("text", ["all", "2.0", "-1", "٣", ""])
    def test_what_is_no_number(self, text):
        ended = buchi("check", PETERSON, "--ltl", "G F A.critical", f"--workers={text}")
        assert (ended.code, "is not a number from 1 to 28, or auto" in ended.err) == (2, True)


class TestPlaces:
    def test_no_more_are_taken_than_there_are(self):
        """Jobs of one to five threads in three places: the largest takes all, and all come to their end."""
        places, lock = Places(3), threading.Lock()
        now, most, ended = 0, 0, []

        def work(wanted: int) -> None:
            nonlocal now, most
            with places.taken(wanted):
                with lock:
                    now += min(wanted, 3)
                    most = max(most, now)
                threading.Event().wait(0.002)
                with lock:
                    now -= min(wanted, 3)
                    ended.append(wanted)

        threads = [threading.Thread(target=work, args=(1 + i % 5,)) for i in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert (most, now, len(ended)) == (3, 0, 40)

    def test_a_large_one_is_not_overtaken_by_those_that_come_later(self):
        places, order = Places(2), []
        first = places.taken(1)
        first.__enter__()

        def work(wanted: int) -> None:
            with places.taken(wanted):
                order.append(wanted)

        large = threading.Thread(target=work, args=(2,))
        large.start()
        while not places._turn.locked():
            pass
        small = threading.Thread(target=work, args=(1,))
        small.start()
        small.join(0.1)
        assert order == []
        first.__exit__(None, None, None)
        large.join(10)
        small.join(10)
        assert order == [2, 1]


class Sleeper:
    """A job that tells when it began and ended."""

    _numbers = count()
    limits = Limits()

    def __init__(self, places: int) -> None:
        self.places = places
        self.key = str(next(self._numbers))

    def execute(self, _here: Here) -> Any:
        import time

        began = time.monotonic()
        time.sleep(0.1)
        return self.places, began, time.monotonic()


def test_jobs_of_an_executor_take_their_places():
    jobs = [Sleeper(places) for places in (1, 2, 1, 1, 3, 1)]
    spans = [outcome for outcome in local.execute(iter(jobs), 2, {}) if outcome is not None]
    assert len(spans) == len(jobs)
    for _, moment, _ in spans:
        running = [min(places, 2) for places, began, ended in spans if began <= moment < ended]
        assert sum(running) <= 2


class TestExperiments:
    TEAMS = TINY.replace("{kind: tlba, checker: se}", "{kind: tgba, checker: ufscc, workers: 2}")

    def test_records_tell_the_workers_and_resuming_knows_them(self, tmp_path):
        path = write(tmp_path, self.TEAMS)
        assert buchi("run", path, "--processes", "2").code == 0
        found = {(r.route, r.workers) for r in records(path)}
        assert found == {("tgba/ascc", 1), ("tgba/ufscc/2 workers", 2)}
        verdicts = {}
        for record in records(path):
            verdicts.setdefault((record.model, record.formula), set()).add(record.verdict)
        assert all(len(one) == 1 for one in verdicts.values())
        path.write_text(self.TEAMS.replace("workers: 2", "workers: 3"))
        assert "6 done, 6 kept from before" in buchi("run", path, "--processes", "2").out
        report = buchi("report", path.with_suffix(".sqlite"))
        assert ("ufscc/2 workers" in report.out, "ufscc/3 workers" in report.out) == (True, True)
        exported = buchi("export", path.with_suffix(".sqlite"), "--csv", "-").out.splitlines()
        column = exported[0].split(",").index("workers")
        assert {line.split(",")[column] for line in exported[1:] if "ufscc" in line} == {"2", "3"}

    def test_the_whole_product_is_counted_by_one_worker(self, tmp_path):
        path = write(tmp_path, self.TEAMS.replace("workers: 2", "workers: 2, whole: true"))
        assert buchi("run", path, "--processes", "1").code == 0

    def test_auto_is_what_the_machine_has(self, tmp_path, monkeypatch):
        monkeypatch.setattr(cores, "cores", lambda: 5)
        path = write(tmp_path, self.TEAMS.replace("workers: 2", "workers: auto"))
        plan = Plan.of(read_experiment(path))
        assert [(route.name, route.workers) for route in plan.routes][1] == ("tgba/ufscc/5 workers", 5)

    def test_all_applicable_keeps_to_checks_for_workers(self, tmp_path):
        text = self.TEAMS.replace("checker: ufscc, workers: 2", "checker: all-applicable, workers: 2")
        names = {route.checker for route in Plan.of(read_experiment(write(tmp_path, text))).routes[1:]}
        assert "ufscc" in names
        assert "ascc" not in names
