"""State graphs to be drawn: of a model, around a state of it, or of a product with an automaton; up to a bound."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from buchi.common.ends import Reason
from buchi.common.errors import InputError, LimitReached, ModelRuntimeError
from buchi.models.evaluate import Evaluator, State
from buchi.models.telling import told
from buchi.pipeline.watches import breakpoint_at

LOOKED_THROUGH = 200_000
"""States among which one is looked for that a proposition holds in."""

Vertex = TypeVar("Vertex", bound=Hashable)


class Step(NamedTuple, Generic[Vertex]):
    """A step of a graph: what it is called, its marks, and where it leads."""

    text: str
    marks: int
    target: Vertex


@dataclass
class Graph(Generic[Vertex]):
    """Part of a graph: its vertices in the order in which they were met, and the steps between them."""

    initial: tuple[Vertex, ...]
    vertices: list[Vertex] = field(default_factory=list)
    steps: dict[Vertex, list[Step[Vertex]]] = field(default_factory=dict)
    """Of those whose steps were looked at; where the graph goes on elsewhere, there is more than is drawn."""
    failed: dict[Vertex, str] = field(default_factory=dict)

    def goes_on(self, vertex: Vertex) -> bool:
        """Are there steps that are not drawn?"""
        known = self.steps.get(vertex)
        if known is None:
            return vertex not in self.failed
        inside = set(self.vertices)
        return any(step.target not in inside for step in known)


@dataclass(frozen=True)
class Bounds:
    """How much of a graph is drawn."""

    states: int
    depth: int | None = None


def part(
    starts: Iterable[Vertex], post: Callable[[Vertex], list[Step[Vertex]]], bounds: Bounds
) -> Graph[Vertex]:
    """Return what is within some steps of the first vertices, breadth first; no vertex beyond the bound."""
    graph: Graph[Vertex] = Graph(tuple(dict.fromkeys(starts)))
    distance: dict[Vertex, int] = dict.fromkeys(graph.initial[: bounds.states], 0)
    pending = deque(distance)
    while pending:
        vertex = pending.popleft()
        try:
            steps = graph.steps[vertex] = post(vertex)
        except ModelRuntimeError as error:
            graph.failed[vertex] = error.message
            continue
        if distance[vertex] == bounds.depth:
            continue
        for step in steps:
            if step.target not in distance and len(distance) < bounds.states:
                distance[step.target] = distance[vertex] + 1
                pending.append(step.target)
    graph.vertices = list(distance)
    return graph


def post_of(evaluator: Evaluator) -> Callable[[State], list[Step[State]]]:
    """Return what gives the steps of a state: the name of the command, with what it passes on."""

    def post(state: State) -> list[Step[State]]:
        return [
            Step(words(evaluator, state, command, target), 0, target)
            for command, target in evaluator.successors(state)
        ]

    return post


def words(evaluator: Evaluator, state: State, command: int, target: State) -> str:
    """Return what a step is called in a picture."""
    step = told(evaluator, {}, state, command, target)
    message = step.message
    return f"{step.command}\n{message.words()}" if message and message.values else step.command or ""


def nearest_state(evaluator: Evaluator, proposition: str) -> State:
    """Return a state in which a proposition holds, the nearest to the initial one. Raises InputError."""
    wanted = breakpoint_at(proposition, evaluator)
    assert wanted.holds is not None
    for state in _breadth_first(evaluator):
        if wanted.holds(state, lambda s=state: _enabled(evaluator, s)):  # type: ignore[misc]
            return state
    raise InputError(f"{proposition} holds in no state that can be reached")


def _enabled(evaluator: Evaluator, state: State) -> tuple[int, ...]:
    return tuple(command for command, _ in evaluator.successors(state))


def _breadth_first(evaluator: Evaluator) -> Iterator[State]:
    """Yield the states of a model, the nearest first. Raises LimitReached where they are too many."""
    seen = {evaluator.initial()}
    pending = deque(seen)
    while pending:
        state = pending.popleft()
        yield state
        for _, target in evaluator.successors(state):
            if target not in seen:
                seen.add(target)
                pending.append(target)
        if len(seen) > LOOKED_THROUGH:
            raise LimitReached(Reason.STATES, f"not in the first {LOOKED_THROUGH:,} states")


def around(evaluator: Evaluator, path: Sequence[State], bounds: Bounds) -> Graph[State]:
    """Return what is near the last state of a path: before it as many of the path as steps follow it, at most."""
    post = post_of(evaluator)
    before = list(dict.fromkeys(reversed(path[:-1])))[: bounds.depth]
    graph = part([path[-1]], post, Bounds(max(1, bounds.states - len(before)), bounds.depth))
    for state in before:
        if state not in graph.steps:
            graph.steps[state] = post(state)
    graph.vertices = list(dict.fromkeys([*graph.vertices, *before]))
    graph.initial = (evaluator.initial(),)
    return graph
