"""Functions for notebooks and scripts that go through a model step by step, beside those of `api`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from buchi.common.pictures import Picture
from buchi.pipeline import arguments, drawing
from buchi.pipeline.api import (
    DeadlockName,
    KindName,
    ModelLike,
    OverflowName,
    for_python,
    model_of,
    overflow_of,
    several,
)
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.simulation import Simulation, evaluator_of
from buchi.pipeline.trace_reading import read_trace
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


@for_python
def draw(
    model: ModelLike,
    ltl: str | None = None,
    *,
    automaton: AutomatonLike | None = None,
    via: KindName | None = None,
    around: str | None = None,
    trace: Path | str | None = None,
    at: int | None = None,
    depth: int | None = None,
    max_states: int = 60,
    watch: str | Sequence[str] = (),
    deadlock: DeadlockName = "stutter",
    constants: Mapping[str, int] | None = None,
    overflow: OverflowName | None = None,
) -> Picture:
    """Draw the states of a model, as `buchi draw` does: a notebook shows the picture, `dot()` and `svg()` are texts.

    With `ltl` or `automaton`, the product that a check searches is drawn, with an automaton of the kind `via`. Else all
    states are drawn, those near the nearest one where `around` holds, or those near state `at` of a `trace`, by default
    its last. There are at most `max_states` of them, and none further than `depth` steps; a dashed one has more behind
    it. What is to be watched is written on the states, by default all that varies.
    """
    model = model_of(model, constants)
    where = drawing.Where.of(max_states, depth, around, None if trace is None else Path(trace), at)
    options = arguments.drawing(via, deadlock, overflow_of(model, overflow))
    return drawing.drawn(model, ltl, automaton, options, where, several(watch))
