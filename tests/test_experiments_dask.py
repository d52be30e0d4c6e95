"""The same experiments on a Dask cluster: a real one, of several processes, of which some are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest
from experiment_files import (
    LONG,
    RUNS,
    TINY,
    assert_complete,
    has_results,
    is_alive,
    planned,
    records,
    wait_for,
    write,
)
from runner import buchi, finish, start

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("dask")]


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as found:
        yield found


def test_the_results_are_those_of_this_machine(tmp_path, cluster):
    path = write(tmp_path, TINY)
    ended = buchi("run", path, "--executor", f"dask={cluster.scheduler_address}")
    assert ended.code == 0, ended
    there = {r.key: (r.verdict, r.measured.states) for r in records(path)}
    path.with_suffix(".sqlite").unlink()
    assert buchi("run", path, "--processes", "1").code == 0
    assert there == {r.key: (r.verdict, r.measured.states) for r in records(path)}


def test_a_worker_is_killed_in_the_middle(tmp_path, cluster, client):
    path = write(tmp_path, LONG)
    process = start("run", path, "--executor", f"dask={cluster.scheduler_address}")
    wait_for(lambda: has_results(path, 4))
    before = records(path)
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    ended = finish(process)
    assert ended.code == 0, ended
    assert len(before) < len(planned(path))
    assert_complete(path, before)


def test_the_parent_is_killed_in_the_middle(tmp_path, cluster, client):
    path = write(tmp_path, LONG)
    address = f"dask={cluster.scheduler_address}"
    process = start("run", path, "--executor", address)
    wait_for(lambda: has_results(path, 4))
    process.kill()
    process.communicate()
    before = records(path)
    assert buchi("run", path, "--executor", address).code == 0
    assert_complete(path, before)


_CLUSTER = """
import sys, distributed
if __name__ == "__main__":
    found = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
    print(found.scheduler_address, flush=True)
    sys.stdin.read()
"""


def test_the_scheduler_is_killed_in_the_middle(tmp_path, monkeypatch):
    monkeypatch.setattr("buchi.pipeline.executors.cluster.PATIENCE", 2)
    path, script = write(tmp_path, LONG), tmp_path / "cluster.py"
    script.write_text(_CLUSTER)
    process = subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    address = process.stdout.readline().decode().strip()

    def kill():
        wait_for(lambda: has_results(path, 3))
        process.kill()

    thread = threading.Thread(target=kill)
    thread.start()
    ended = buchi("run", path, "--executor", f"dask={address}")
    thread.join()
    process.communicate()
    assert (ended.code, "the Dask scheduler at" in ended.err, "bug" in ended.err) == (3, True, False), ended
    before = records(path)
    assert len(before) < RUNS
    assert buchi("run", path, "--processes", "1").code == 0
    assert_complete(path, before)


def test_ctrl_c_leaves_no_process_behind(tmp_path, cluster, client):
    path = write(tmp_path, LONG)
    process = start("run", path, "--executor", f"dask={cluster.scheduler_address}")
    wait_for(lambda: has_results(path, 2))
    ours = [pid for found in client.run(_children).values() for pid in found]
    assert ours
    process.send_signal(signal.SIGINT)
    assert finish(process).code == 3
    wait_for(lambda: not any(map(is_alive, ours)))


def _children():
    """Return the processes below a Dask worker."""
    folder = f"/proc/{os.getpid()}/task"
    return [int(p) for t in os.listdir(folder) for p in open(f"{folder}/{t}/children").read().split()]


def test_no_scheduler(tmp_path, monkeypatch):
    monkeypatch.setattr("buchi.pipeline.executors.cluster.PATIENCE", 0.3)
    ended = buchi("run", write(tmp_path, TINY), "--executor", "dask=tcp://127.0.0.1:9")
    assert (ended.code, "no Dask scheduler" in ended.err) == (2, True)


@pytest.mark.parametrize("address", ["nonsense", "foo://bar:3"])
def test_no_address(tmp_path, address):
    ended = buchi("run", write(tmp_path, TINY), "--executor", f"dask={address}")
    assert (ended.code, f"no Dask scheduler at {address}" in ended.err) == (2, True)


def test_without_dask(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ended = buchi("run", write(tmp_path, TINY), "--executor", "dask=tcp://127.0.0.1:9")
    assert (ended.code, "pip install 'buchi[dask]'" in ended.err) == (2, True)
