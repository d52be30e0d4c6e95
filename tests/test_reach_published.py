"""The largest violated safety properties of BEEM and of the artifact of Bloemen et al.: the depth of each violation.

What `reach` finds is compared with a breadth-first search in Python, over the successors of the model and the edges of
the automaton as they are written.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from data import FOLDER, needs_data
from test_reach import distance

from buchi.common.labels import Label
from buchi.pipeline.answer import Answer, decide, prepare
from buchi.pipeline.check import made
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.routes import NO_WISHES
from buchi.pipeline.search import Deadline, nobody
from buchi.pipeline.task import Task
from buchi.schemas.automaton import Automaton
from buchi.schemas.kinds import Kind

PROCESSES = (
    "bopdp.3.prop2", "lifts.6.prop4", "bopdp.1.prop2", "bopdp.2.prop2", "lifts.4.prop4", "synapse.1.prop3",
    "lifts.5.prop4", "lifts.3.prop4", "lifts.2.prop4", "lifts.1.prop4", "protocols.1.prop4",
)  # fmt: skip
FORMULAS = (
    "bopdp.3_128", "bakery.4_144", "brp2.3_140", "pgm_protocol.8_104", "pgm_protocol.8_064", "bakery.4_154",
    "lifts.7_134", "at.5_046", "production_cell.6_124", "pgm_protocol.8_074", "elevator.4_094",
)  # fmt: skip
FAST = ("lifts.1.prop4", "protocols.1.prop4", "at.5_046", "elevator.4_094")
Pair = tuple[bytes, int]
pytestmark = needs_data


def question(name: str) -> tuple[Path, str | None]:
    """Return the model and the formula of a row."""
    if name in PROCESSES:
        return FOLDER / "beem" / name.split(".")[0] / f"{name}.dve", None
    folder = FOLDER / "sttt-beem" / name.rpartition("_")[0]
    return folder / f"{folder.name}.dve", (folder / f"{name}.ltl").read_text().strip()


def least_steps(task: Task, automaton: Automaton) -> int | None:
    """Return how many steps lead at least to a state that takes the automaton into an accepting one."""
    model, evaluator = task.model.engine, task.model.evaluator
    meanings = [task.forbidden.meanings[name] for name in automaton.propositions]
    accepting = {edge.source for edge in automaton.edges if automaton.accepts_marks(edge.marks)}
    outgoing: dict[int, list[tuple[Label, int]]] = {}
    for edge in automaton.edges:
        outgoing.setdefault(edge.source, []).append((edge.label, edge.destination))

    def after(pair: Pair) -> set[int]:
        packed, state = pair
        values = evaluator.unpack(packed)
        read = sum(1 << i for i, meaning in enumerate(meanings) if evaluator.evaluate(meaning, values))
        return {
            target
            for label, target in outgoing.get(state, [])
            if any(read & true == true and not read & false for true, false in label)
        }

    return distance(
        (model.initial, automaton.initial[0][1]),
        lambda pair: [(state, to) for _, state in model.successors(pair[0]) for to in after(pair)],
        lambda pair: not accepting.isdisjoint(after(pair)),
    )


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in FAST else pytest.mark.slow) for name in (*PROCESSES, *FORMULAS)],
)
def test_the_depth_is_that_of_a_plain_search(name: str) -> None:
    path, ltl = question(name)
    task, answer, deadline = Task.of(path, ltl, None, CheckOptions()), Answer(Kind.TGBA), Deadline(None)
    prepare(answer, task, lambda kind: made(task, kind, NO_WISHES, deadline))
    decide(answer, task, deadline, nobody)
    assert answer.ready is not None
    assert answer.found is not None
    assert answer.ready.choice.checker.name == "reach"
    assert (answer.found.length, len(answer.found.cycle)) == (
        least_steps(task, answer.ready.automaton.table),
        0,
    )
