"""Replays a counterexample without the engine that found it: each step by the evaluator, the word by Spot.

A counterexample that does not replay is a bug of ours: InternalError, never a verdict.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, pairwise, repeat
from typing import Any

from buchi.common.errors import InternalError
from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import Meaning, StepTest
from buchi.pipeline.fairness import Condition
from buchi.pipeline.judge import Judge, Word
from buchi.pipeline.notes import Watcher, noted
from buchi.schemas.result import Counterexample, FailedAssertion, Violation
from buchi.schemas.steps import PackedSteps
from buchi.schemas.told import Notes

REPLAY = 0.5
"""Seconds that a replay may take when the search took all the time there was."""
MEMORY = 1 << 14
"""States and steps of which is kept what they mean: a run may come through them again, or be a million others."""
_STAYS, _NO_STEP = -1, -2


@dataclass(frozen=True)
class Vectors(Sequence[bytes]):
    """Packed states, one after the other: a list of a million would take more than all the rest."""

    packed: bytearray
    length: int
    look: Callable[[], object] = int
    """Called before each state: it may raise where there is no more time."""

    @classmethod
    def of(
        cls, states: Sequence[int], read: Callable[[int], bytes], look: Callable[[], object] = int
    ) -> Vectors:
        """Read states that are given by their numbers."""
        packed = bytearray()
        for state in states:
            look()
            packed += read(state)
        return cls(packed, len(states), look)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.length))]
        size = len(self.packed) // self.length
        return bytes(self.packed[index * size : (index + 1) * size])

    def __iter__(self) -> Iterator[bytes]:
        size = len(self.packed) // max(self.length, 1)
        view = memoryview(self.packed)
        for i in range(self.length):
            self.look()
            yield view[i * size : (i + 1) * size].tobytes()


@dataclass(frozen=True)
class Trace:
    """A run of the model as the engine reports it: packed states, `prefix` once and `cycle`, if any, for ever."""

    prefix: Vectors
    cycle: Vectors
    taken: Sequence[int] | None = None
    """The command of each step, where that matters; -1 for a state that is repeated."""
    watcher: Watcher | None = None
    """In which states the automaton was found to be, and what it is."""

    @classmethod
    def of(
        cls,
        prefix: Sequence[int],
        cycle: Sequence[int],
        read: Callable[[int], bytes],
        look: Callable[[], object] = int,
        taken: Sequence[int] | None = None,
        watcher: Watcher | None = None,
    ) -> Trace:
        """Return the run through numbered states; `look` is called before each, whenever they are gone through."""
        return cls(Vectors.of(prefix, read, look), Vectors.of(cycle, read, look), taken, watcher)

    def states(self) -> Iterator[bytes]:
        """Yield the states of prefix and cycle."""
        return chain(self.prefix, self.cycle)


class Stepper:
    """Replays the steps of runs; `stutter` tells whether a state without successors is repeated for ever."""

    def __init__(self, evaluator: Evaluator, *, stutter: bool) -> None:
        self._evaluator = evaluator
        self._stutter = stutter
        self._command = lru_cache(MEMORY)(self._command_taken)

    def taken(self, run: Trace) -> array[int]:
        """Return the command of each step, -1 for stuttering; the last one closes the cycle, or is none."""
        if not run.prefix and not run.cycle:
            raise InternalError("the counterexample found has no state")
        if self._evaluator.unpack(next(run.states())) != self._evaluator.initial():
            raise InternalError("the counterexample found does not begin in the initial state of the model")
        taken = array("i")
        told = run.taken or repeat(None)
        for (before, after), command in zip(pairwise(chain(run.states(), run.cycle[:1])), told):  # noqa: B905
            taken.append(self._command(before, after, command))
            if taken[-1] == _NO_STEP:
                raise InternalError(
                    f"step {len(taken) - 1} of the counterexample found is not a step of the model"
                )
        if not run.cycle:
            taken.append(_STAYS)
        return taken

    def _command_taken(self, before: bytes, after: bytes, told: int | None) -> int:
        """Return the command that leads from one state to the other: the one that is told, or else the first."""
        goal, dead = self._evaluator.unpack(after), True
        for command, state in self._evaluator.successors(self._evaluator.unpack(before)):
            dead = False
            if state == goal and told in (None, command):
                return command
        return _STAYS if dead and self._stutter and before == after else _NO_STEP


class Replayer:
    """Replays the counterexamples of a model and a property; what it learns of one serves the next.

    `meanings` is what the propositions of the property say, `stutter` whether a state without successors is
    repeated for ever, `fair` to what a run must be fair.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        meanings: Mapping[str, Meaning],
        is_forbidden: Judge,
        *,
        stutter: bool,
        fair: Sequence[Condition] = (),
    ) -> None:
        self._evaluator = evaluator
        self._meanings = meanings
        self._is_forbidden = is_forbidden
        self._fair = fair
        self._steps = Stepper(evaluator, stutter=stutter)
        tests = [meaning for meaning in meanings.values() if isinstance(meaning, StepTest)]
        self._reads_steps = bool(tests)
        self._reads_taken = any(test.what == "moved" for test in tests)
        self._enabled = lru_cache(MEMORY)(self._commands_enabled)
        self._letter = lru_cache(MEMORY)(self._letter_read)
        self._judged: dict[bytes, bool] = {}

    def counterexample(self, run: Trace) -> Counterexample:
        """Return the counterexample that `run` is, after making sure that it is one."""
        taken = self._steps.taken(run)
        self._check_fairness(run, taken)
        word = self._read_word(run, taken)
        if not self._violates(word):
            raise InternalError(
                "the counterexample found is a run of the model, but does not violate the property"
            )
        notes = noted(self._evaluator, run.states(), taken, run.watcher, word)
        return _counterexample(run, taken, self._evaluator, notes, None if word.cycle else _violation(word))

    def _commands_enabled(self, packed: bytes) -> frozenset[int]:
        return frozenset(command for command, _ in self._evaluator.successors(self._evaluator.unpack(packed)))

    def _check_fairness(self, run: Trace, taken: array[int]) -> None:
        start = len(run.prefix)
        for condition in self._fair:
            if not condition.holds(zip(map(self._enabled, run.cycle), taken[start:], strict=True)):
                raise InternalError(f"the counterexample found is not fair to {condition.name}")

    def _read_word(self, run: Trace, taken: array[int]) -> Word:
        """Evaluate the propositions in each state of the run.

        Of the last state of a run that ends there is no step, and no letter where propositions speak of the one taken.
        """
        commands = taken if self._reads_steps else array("i", [_STAYS]) * len(taken)
        letters = array("Q", map(self._letter, run.states(), commands))
        start = len(run.prefix)
        if self._reads_taken and not run.cycle:
            letters.pop()
        return Word(tuple(self._meanings), letters[:start], letters[start:])

    def _violates(self, word: Word) -> bool:
        """Ask the judge, once for each word: most routes find one that another has found."""
        digest = sha256(len(word.prefix).to_bytes(8, "big"))
        for part in (word.prefix, word.cycle):
            digest.update(array("Q", part))
        key = digest.digest()
        if key not in self._judged:
            self._judged[key] = self._is_forbidden(word)
        return self._judged[key]

    def _letter_read(self, packed: bytes, command: int) -> int:
        state = self._evaluator.unpack(packed)
        values = (self._holds(meaning, state, packed, command) for meaning in self._meanings.values())
        return sum(1 << bit for bit, value in enumerate(values) if value)

    def _holds(self, meaning: Meaning, state: State, packed: bytes, command: int) -> bool:
        if isinstance(meaning, StepTest):
            return meaning.holds(self._enabled(packed), command)
        return self._evaluator.evaluate(meaning, state) != 0


def _counterexample(
    run: Trace, taken: array[int], evaluator: Evaluator, notes: Notes, violation: Violation | None
) -> Counterexample:
    names = tuple(command.name for command in evaluator.model.commands)
    first, rest = slice(len(run.prefix)), slice(len(run.prefix), None)
    return Counterexample(
        prefix=PackedSteps(evaluator.layout, names, taken[first], run.prefix.packed, notes.part(first)),
        cycle=PackedSteps(evaluator.layout, names, taken[rest], run.cycle.packed, notes.part(rest)),
        violation=violation,
    )


def _violation(word: Word) -> Violation:
    """Return the values of the propositions in the last state of a finite run."""
    last = word.prefix[-1]
    return Violation(propositions={name: bool(last >> bit & 1) for bit, name in enumerate(word.propositions)})


def failed_assertion(run: Trace, evaluator: Evaluator) -> Counterexample:
    """Return the counterexample that `run` is, after making sure that an assertion fails in its last state."""
    taken = Stepper(evaluator, stutter=False).taken(run)
    failed = evaluator.failed_assertion(evaluator.unpack(run.prefix[len(run.prefix) - 1]))
    if failed is None:
        raise InternalError("the run found is one of the model, but no assertion fails in its last state")
    assertion = FailedAssertion(name=failed.name, expression=failed.expression, line=failed.line)
    notes = noted(evaluator, run.states(), taken)
    return _counterexample(run, taken, evaluator, notes, Violation(assertion=assertion))
