"""Replays a counterexample without the engine that found it: each step by the evaluator, the word by Spot.

A counterexample that does not replay is a bug of ours: InternalError, never a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Expr
from buchi.pipeline.word import Judge, Word
from buchi.schemas.errors import InternalError
from buchi.schemas.result import Counterexample, Step


@dataclass(frozen=True)
class Run:
    """A run of the model as the engine reports it: packed states, `prefix` once and `cycle` for ever."""

    prefix: Sequence[bytes]
    cycle: Sequence[bytes]


def replay(
    run: Run, evaluator: Evaluator, meanings: Mapping[str, Expr], is_forbidden: Judge, *, stutter: bool
) -> Counterexample:
    """Return the counterexample that `run` is, after making sure that it is one.

    `meanings` is what the propositions of the property say, `stutter` whether a state without successors is
    repeated for ever.
    """
    commands = _replay_steps(run, evaluator, stutter=stutter)
    if not is_forbidden(_read_word(run, evaluator, meanings)):
        raise InternalError(
            "the counterexample found is a run of the model, but does not violate the property"
        )
    names = [None if command is None else evaluator.model.commands[command].name for command in commands]
    steps = _describe([*run.prefix, *run.cycle], names, evaluator)
    return Counterexample(prefix=tuple(steps[: len(run.prefix)]), cycle=tuple(steps[len(run.prefix) :]))


def _replay_steps(run: Run, evaluator: Evaluator, *, stutter: bool) -> list[int | None]:
    """Return the command of each step, None for stuttering; the last one closes the cycle."""
    if not run.cycle:
        raise InternalError("the counterexample found has no cycle")
    states = [*run.prefix, *run.cycle]
    if evaluator.unpack(states[0]) != evaluator.initial():
        raise InternalError("the counterexample found does not begin in the initial state of the model")
    targets = chain(states[1:], [run.cycle[0]])
    taken: dict[tuple[bytes, bytes], int | None] = {}
    for number, step in enumerate(zip(states, targets, strict=True)):
        if step not in taken:
            taken[step] = _command_taken(*step, evaluator, number, stutter=stutter)
    return [taken[step] for step in zip(states, chain(states[1:], [run.cycle[0]]), strict=True)]


def _command_taken(
    before: bytes, after: bytes, evaluator: Evaluator, number: int, *, stutter: bool
) -> int | None:
    """Return the first command that leads from one state to the other."""
    goal, dead = evaluator.unpack(after), True
    for command, state in evaluator.successors(evaluator.unpack(before)):
        dead = False
        if state == goal:
            return command
    if dead and stutter and before == after:
        return None
    raise InternalError(f"step {number} of the counterexample found is not a step of the model")


def _read_word(run: Run, evaluator: Evaluator, meanings: Mapping[str, Expr]) -> Word:
    """Evaluate the propositions in each state of the run."""
    letters: dict[bytes, int] = {}
    for packed in chain(run.prefix, run.cycle):
        if packed not in letters:
            state = evaluator.unpack(packed)
            values = (evaluator.evaluate(expr, state) != 0 for expr in meanings.values())
            letters[packed] = sum(1 << bit for bit, value in enumerate(values) if value)
    return Word(tuple(meanings), [letters[s] for s in run.prefix], [letters[s] for s in run.cycle])


def _describe(states: Sequence[bytes], commands: Sequence[str | None], evaluator: Evaluator) -> list[Step]:
    shown = {packed: evaluator.show(evaluator.unpack(packed)) for packed in set(states)}
    return [Step(command=command, state=shown[s]) for s, command in zip(states, commands, strict=True)]
