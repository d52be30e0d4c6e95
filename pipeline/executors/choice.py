"""Chooses where jobs are executed."""

from __future__ import annotations

from buchi.common.errors import InputError
from buchi.pipeline.cores import cores
from buchi.pipeline.executors.jobs import Executor, Outcome
from buchi.pipeline.executors.processes import Kept

LOCAL = "local"
DASK = "dask="


def executor(name: str, places: int | None, kept: Kept | None = None) -> Executor[Outcome]:
    """Return the executor that `local` or `dask=ADDRESS` names. Raises InputError.

    On this machine there are so many places, else one for each core that we may use, and `kept` is at hand.
    """
    if name == LOCAL:
        from buchi.pipeline.executors import local

        count = places or cores()
        return lambda jobs: local.execute(jobs, count, kept)
    if name.startswith(DASK) and name != DASK:
        from buchi.pipeline.executors import cluster

        if places is not None:
            raise InputError("--processes is for this machine; a Dask cluster has its own")
        return lambda jobs: cluster.execute(jobs, name.removeprefix(DASK))
    raise _unknown(name)


def places_of(name: str) -> int:
    """Return how many places an executor has now. Raises InputError."""
    if name == LOCAL:
        return cores()
    if not name.startswith(DASK) or name == DASK:
        raise _unknown(name)
    from buchi.pipeline.executors import cluster

    return cluster.places(name.removeprefix(DASK))


def _unknown(name: str) -> InputError:
    return InputError(f"there is no executor {name!r}", suggestion="give `local` or `dask=ADDRESS`")
