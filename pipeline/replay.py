"""Replays a counterexample without the engine that found it: each step by the evaluator, the word by Spot.

A counterexample that does not replay is a bug of ours: InternalError, never a verdict.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from buchi.common.errors import InternalError
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Expr
from buchi.pipeline.judge import Judge, Word
from buchi.schemas.result import Counterexample
from buchi.schemas.steps import PackedSteps

MEMORY = 1 << 14
"""States and steps of which is kept what they mean: a run may come through them again, or be a million others."""
_STAYS, _NO_STEP = -1, -2


@dataclass(frozen=True)
class Trace:
    """A run of the model as the engine reports it: packed states, `prefix` once and `cycle` for ever."""

    prefix: Sequence[bytes]
    cycle: Sequence[bytes]

    @classmethod
    def of(cls, prefix: Sequence[int], cycle: Sequence[int], read: Callable[[int], bytes]) -> Trace:
        """Return the run through numbered states, each of which is read when it is needed."""
        return cls(_Numbered(prefix, read), _Numbered(cycle, read))

    def states(self) -> Iterator[bytes]:
        """Yield the states of prefix and cycle."""
        return chain(self.prefix, self.cycle)


@dataclass(frozen=True)
class _Numbered(Sequence[bytes]):
    """States by their numbers: the vectors of a million would take more than all the rest."""

    numbers: Sequence[int]
    read: Callable[[int], bytes]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        chosen = self.numbers[index]
        return [*map(self.read, chosen)] if isinstance(index, slice) else self.read(chosen)

    def __iter__(self) -> Iterator[bytes]:
        return map(self.read, self.numbers)


class Replayer:
    """Replays the counterexamples of a model and a property; what it learns of one serves the next.

    `meanings` is what the propositions of the property say, `stutter` whether a state without successors is
    repeated for ever.
    """

    def __init__(
        self, evaluator: Evaluator, meanings: Mapping[str, Expr], is_forbidden: Judge, *, stutter: bool
    ) -> None:
        self._evaluator = evaluator
        self._meanings = meanings
        self._is_forbidden = is_forbidden
        self._stutter = stutter
        self._command = lru_cache(MEMORY)(self._command_taken)
        self._letter = lru_cache(MEMORY)(self._letter_read)

    def counterexample(self, run: Trace) -> Counterexample:
        """Return the counterexample that `run` is, after making sure that it is one."""
        taken = self._replay_steps(run)
        if not self._is_forbidden(self._read_word(run)):
            raise InternalError(
                "the counterexample found is a run of the model, but does not violate the property"
            )
        start = len(run.prefix)
        return Counterexample(
            prefix=_packed(run.prefix, taken[:start], self._evaluator),
            cycle=_packed(run.cycle, taken[start:], self._evaluator),
        )

    def _replay_steps(self, run: Trace) -> array[int]:
        """Return the command of each step, -1 for stuttering; the last one closes the cycle."""
        if not run.cycle:
            raise InternalError("the counterexample found has no cycle")
        if self._evaluator.unpack(next(run.states())) != self._evaluator.initial():
            raise InternalError("the counterexample found does not begin in the initial state of the model")
        taken = array("i")
        for before, after in pairwise(chain(run.states(), run.cycle[:1])):
            taken.append(self._command(before, after))
            if taken[-1] == _NO_STEP:
                raise InternalError(
                    f"step {len(taken) - 1} of the counterexample found is not a step of the model"
                )
        return taken

    def _command_taken(self, before: bytes, after: bytes) -> int:
        """Return the first command that leads from one state to the other."""
        goal, dead = self._evaluator.unpack(after), True
        for command, state in self._evaluator.successors(self._evaluator.unpack(before)):
            dead = False
            if state == goal:
                return command
        return _STAYS if dead and self._stutter and before == after else _NO_STEP

    def _read_word(self, run: Trace) -> Word:
        """Evaluate the propositions in each state of the run."""
        prefix, cycle = (array("Q", map(self._letter, part)) for part in (run.prefix, run.cycle))
        return Word(tuple(self._meanings), prefix, cycle)

    def _letter_read(self, packed: bytes) -> int:
        state = self._evaluator.unpack(packed)
        values = (self._evaluator.evaluate(expr, state) != 0 for expr in self._meanings.values())
        return sum(1 << bit for bit, value in enumerate(values) if value)


def _packed(states: Sequence[bytes], taken: array[int], evaluator: Evaluator) -> PackedSteps:
    vectors = bytearray()
    for state in states:
        vectors += state
    names = tuple(command.name for command in evaluator.model.commands)
    return PackedSteps(evaluator.layout, names, taken, vectors)
