"""A run of a model that is made step by step, on the evaluator: choose, go back and forth, walk at random.

States are kept packed, since a walk may be long.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from buchi.common.errors import InputError, ModelRuntimeError
from buchi.common.words import counted
from buchi.models.evaluate import Evaluator, State
from buchi.models.telling import told
from buchi.models.widening import widest
from buchi.pipeline import isolation, memory
from buchi.pipeline.loading import ModelLike, load_model
from buchi.pipeline.options import Overflow
from buchi.pipeline.watches import Watch, breakpoint_at, watch
from buchi.schemas.simulation import End, SimulatedRun
from buchi.schemas.steps import PackedSteps
from buchi.schemas.told import Told

KEPT = 1 << 10
"""States of which the successors are kept: one goes back and forth among a few."""


class Choice(NamedTuple):
    """A step that can be taken: the number of its command, and where it leads."""

    command: int
    state: State


@dataclass(frozen=True)
class Choices:
    """The steps that can be taken in a state; none where the model fails in it, and `failure` says how."""

    steps: tuple[Choice, ...]
    end: End = End.STEPS
    failure: str | None = None

    def enabled(self) -> tuple[int, ...]:
        """Return the commands."""
        return tuple(step.command for step in self.steps)


class Stop(NamedTuple):
    """Where a walk ended, and why."""

    end: End
    why: str | None = None


class Simulation:
    """A run from the initial state, and a position in it: what comes after was undone, and can be done again."""

    def __init__(self, evaluator: Evaluator, seed: int = 0) -> None:
        self.evaluator = evaluator
        self.seed = seed
        self.position = 0
        self.watched: dict[str, Watch] = {}
        self.breakpoints: dict[str, Watch] = {}
        self._random = Random(seed)
        self._choices = lru_cache(KEPT)(self._found_choices)
        self._names = tuple(command.name for command in evaluator.model.commands)
        self._vectors = bytearray(evaluator.pack(evaluator.initial()))
        self._size = len(self._vectors)
        self._taken = array("i")

    @property
    def last(self) -> int:
        """The number of the last state of the run, that of the first being 0."""
        return len(self._taken)

    @property
    def state(self) -> State:
        """The state at the position."""
        return self.state_at(self.position)

    def state_at(self, number: int) -> State:
        """Return a state of the run."""
        return self.evaluator.unpack(bytes(self._vectors[number * self._size : (number + 1) * self._size]))

    def look_at(self, watched: Iterable[str], breakpoints: Iterable[str]) -> None:
        """Watch variables and propositions, and stop where propositions hold. Raises InputError."""
        for text in watched:
            found = watch(text, self.evaluator)
            self.watched[found.text] = found
        for text in breakpoints:
            found = breakpoint_at(text, self.evaluator)
            self.breakpoints[found.text] = found

    def choices(self) -> Choices:
        """Return what can follow."""
        return self._choices(self.state)

    def _found_choices(self, state: State) -> Choices:
        failed = self.evaluator.failed_assertion(state)
        if failed is not None:
            return Choices((), End.ASSERTION, f"the assertion {failed} does not hold")
        try:
            found = tuple(Choice(*step) for step in self.evaluator.successors(state))
        except ModelRuntimeError as error:
            return Choices((), End.ERROR, error.message)
        return Choices(found, End.STEPS if found else End.DEADLOCK)

    def take(self, number: int) -> None:
        """Take the step with this number, the first being 1; what was undone is forgotten. Raises InputError."""
        steps = self.choices().steps
        if not 1 <= number <= len(steps):
            raise InputError(f"there is no step {number} here", suggestion=_range(len(steps)))
        self._add(steps[number - 1])

    def follow(self, run: Sequence[Choice]) -> None:
        """Let the run be this one, and stay at its beginning; the steps were looked at."""
        self.go(0)
        for step in run:
            self._add(step)
        self.go(0)

    def _add(self, step: Choice) -> None:
        """Go on by a step. Of an interrupt in between, what is left lies after the position."""
        self._forget()
        self._vectors += self.evaluator.pack(step.state)
        self._taken.append(step.command)
        self.position += 1

    def _forget(self) -> None:
        del self._taken[self.position :]
        del self._vectors[(self.position + 1) * self._size :]

    def go(self, position: int) -> None:
        """Go to a state of the run. Raises InputError."""
        if not 0 <= position <= self.last:
            raise InputError(
                f"there is no state {position}", suggestion=f"the run has the states 0 to {self.last}"
            )
        self.position = position

    def walk(self, steps: int) -> Stop:
        """Take so many steps at random, as far as that goes; stop where a breakpoint is met, or the model fails."""
        try:
            for _ in range(steps):
                choices = self.choices()
                if not choices.steps:
                    return Stop(choices.end, choices.failure)
                self._add(choices.steps[self._random.randrange(len(choices.steps))])
                met = self._met()
                if met is not None:
                    return Stop(End.BREAKPOINT, met)
        except KeyboardInterrupt:
            self._forget()
            return Stop(End.INTERRUPTED)
        return Stop(End.STEPS)

    def _met(self) -> str | None:
        """Return the breakpoint whose proposition holds here, if one does."""
        for text, one in self.breakpoints.items():
            assert one.holds is not None
            if one.holds(self.state, lambda: self.choices().enabled()):
                return text
        return None

    def values(self, number: int) -> dict[str, str]:
        """Return what is watched, with its values in a state of the run; where the model fails in it, that."""
        state = self.state_at(number)
        return {text: self._value(one, state) for text, one in self.watched.items()}

    def _value(self, one: Watch, state: State) -> str:
        try:
            return one.shown(state, lambda: self._choices(state).enabled())
        except ModelRuntimeError as error:
            return f"({error.message})"

    def name(self, command: int) -> str:
        """Return what a command is called."""
        return self._names[command]

    def steps(self) -> PackedSteps:
        """Return the run up to the position."""
        taken = self._taken[: self.position]
        taken.append(-1)
        vectors = self._vectors[: (self.position + 1) * self._size]
        return PackedSteps(self.evaluator.layout, self._names, taken, vectors)

    def told(self, number: int) -> Told:
        """Return what happens in the step that leaves a state of the run."""
        return self.tell(self.state_at(number), Choice(self._taken[number], self.state_at(number + 1)))

    def tell(self, before: State, step: Choice) -> Told:
        """Return what happens in a step."""
        return told(self.evaluator, {}, before, step.command, step.state)

    def result(self, stop: Stop) -> SimulatedRun:
        """Return what came of it."""
        return SimulatedRun(
            end=stop.end,
            why=stop.why,
            seed=self.seed,
            choices=tuple(map(self.name, self.choices().enabled())),
            watched=self.values(self.position),
            steps=self.steps(),
        )


def evaluator_of(model: ModelLike, overflow: Overflow) -> Evaluator:
    """Read a model to go through it step by step, within the memory that is free. Raises InputError."""
    isolation.limit(None, memory.default_limit())
    loaded = load_model(model, overflow_is_error=overflow is Overflow.ERROR)
    return Evaluator(widest(loaded.model))


def _range(number: int) -> str:
    return f"there is {counted(number, 'step')}" if number == 1 else f"there are {counted(number, 'step')}"
