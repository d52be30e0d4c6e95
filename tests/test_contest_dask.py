"""Races and clauses on a Dask cluster of two processes, of which one is killed."""

from __future__ import annotations

import os
import signal

import pytest
from experiment_files import is_alive, wait_for
from runner import COUNTER, PETERSON, buchi, finish, start
from test_contest import RABIN, SAFE, UNFAIR

import buchi as library
from buchi.pipeline.isolation import descendants

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("dask")]


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as found:
        yield found


@pytest.fixture
def there(cluster):
    return ["--executor", f"dask={cluster.scheduler_address}"]


def searching(client) -> dict[str, list[int]]:
    """Return the processes of ours below each Dask worker."""
    return {address: found for address, found in client.run(_children).items() if found}


def _children():
    return descendants(os.getpid())


@pytest.fixture
def counter(tmp_path):
    path = tmp_path / "counter.dve"
    path.write_text(COUNTER.replace("z < 255", "z < 60"))
    return path


class TestRace:
    @pytest.mark.parametrize(("ltl", "code"), [(SAFE, 0), (UNFAIR, 1)])
    def test_the_verdict_and_no_process_left(self, client, there, ltl, code):
        ended = buchi("check", PETERSON, "--ltl", ltl, "--race", "--json", *there)
        assert (ended.code, len(ended.json["contest"]["entrants"])) == (code, 2), ended
        wait_for(lambda: not searching(client), seconds=5)

    def test_a_model_as_a_value(self, cluster):
        model = library.load_model(PETERSON)
        address = f"dask={cluster.scheduler_address}"
        assert not library.check(model, UNFAIR, race=True, executor=address)
        assert library.check(model, SAFE, executor=address)

    def test_a_relative_path(self, monkeypatch, there):
        monkeypatch.chdir(PETERSON.parent)
        assert buchi("check", PETERSON.name, "--ltl", SAFE, "--race", *there).code == 0

    def test_a_dask_worker_that_dies_costs_its_task_only(self, client, there, counter):
        process = start("check", counter, "--ltl", "G x <= 255", "--race", "--json", *there)
        wait_for(lambda: len(searching(client)) == 2)
        pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        ended = finish(process)
        assert (ended.code, ended.json["verdict"]) == (0, "holds"), ended

    def test_the_only_task_is_done_again(self, client, there, counter):
        wait_for(lambda: not searching(client))  # of the test before
        process = start("check", counter, "--ltl", "G x <= 255", "--json", *there)
        seen: list[str] = []
        wait_for(lambda: seen.extend(searching(client)) or seen)
        os.kill(client.run(os.getpid)[seen[0]], signal.SIGKILL)
        ended = finish(process)
        assert (ended.code, ended.json["verdict"]) == (0, "holds"), ended

    def test_ctrl_c(self, client, there, counter):
        process = start("check", counter, "--ltl", "G x <= 255", "--race", "--json", *there)
        wait_for(lambda: len(searching(client)) == 2)
        ours = [pid for pids in searching(client).values() for pid in pids]
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert (ended.code, ended.json["reason"]) == (3, "interrupted")
        wait_for(lambda: not any(map(is_alive, ours)), seconds=5)


@pytest.mark.parametrize("more", [[], ["--via", "tgra"]], ids=" ".join)
def test_clauses(tmp_path, there, more):
    path = tmp_path / "rabin.hoa"
    path.write_text(RABIN)
    ended = buchi("check", PETERSON, "--automaton", path, "--json", *there, *more)
    assert (ended.code, ended.json["contest"]["rule"], ended.json["contest"]["winner"] in (0, 1)) == (
        1,
        "all",
        True,
    )


def test_no_scheduler(monkeypatch):
    monkeypatch.setattr("buchi.pipeline.executors.cluster.PATIENCE", 0.3)
    for more in ([], ["--race"]):
        ended = buchi("check", PETERSON, "--ltl", SAFE, "--executor", "dask=tcp://127.0.0.1:9", *more)
        assert (ended.code, "no Dask scheduler" in ended.err) == (2, True)
