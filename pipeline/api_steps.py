"""Functions for notebooks and scripts that go through a model step by step, beside those of `api`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from buchi.pipeline import arguments
from buchi.pipeline.api import ModelLike, OverflowName, for_python, model_of, overflow_of, several
from buchi.pipeline.simulation import Simulation, evaluator_of
from buchi.pipeline.trace_files import read_trace
from buchi.schemas.simulation import SimulatedRun


@for_python
def simulate(
    model: ModelLike,
    steps: int = 10,
    *,
    seed: int | None = None,
    trace: Path | str | None = None,
    at: int | None = None,
    watch: str | Sequence[str] = (),
    stop: str | Sequence[str] = (),
    constants: Mapping[str, int] | None = None,
    overflow: OverflowName | None = None,
) -> SimulatedRun:
    """Take steps of a model at random, as `buchi simulate --random` does.

    The run begins in the initial state, or goes on from state `at` of a `trace`, which `check --trace` wrote. It ends
    after so many steps, in a deadlock, or where one of the propositions of `stop` holds. Of what is to be watched,
    variables and propositions, the result tells the values in the last state. A `seed` that is given makes the run the
    same again; the result tells the one that was taken.
    """
    model = model_of(model, constants)
    arguments.check_position(trace, at)
    evaluator = evaluator_of(model, arguments.overflow(overflow_of(model, overflow)))
    simulation = Simulation(evaluator, arguments.seed(seed))
    simulation.look_at(several(watch), several(stop))
    if trace is not None:
        simulation.follow(read_trace(Path(trace), evaluator))
        simulation.go(at or 0)
    return simulation.result(simulation.walk(steps))
