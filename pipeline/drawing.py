"""Pictures of models and of products with automata: which states are drawn, and what is written on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.common.pictures import Arrow, Node, Picture, joined
from buchi.common.words import counted
from buchi.models.evaluate import Evaluator, State
from buchi.pipeline import isolation
from buchi.pipeline.arguments import check_position
from buchi.pipeline.drawn_products import DrawnProduct, ProductState
from buchi.pipeline.loading import ModelLike
from buchi.pipeline.options import CheckOptions, Overflow
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.simulation import evaluator_of
from buchi.pipeline.state_graphs import Bounds, Graph, around, nearest_state, part, post_of
from buchi.pipeline.task import Task
from buchi.pipeline.trace_reading import read_trace
from buchi.pipeline.watches import Watch, watch

NEAR = 2
"""Steps around a state that are drawn where nothing is said."""
MOST_STATES = 10_000
MOST_VALUES = 12
"""Values of a state that are written on it."""
HERE, FAILS, DEAD = "#fff3b0", "#f8c0c0", "#e0e0e0"
"""Colours of the state that is drawn around, of one where the model fails, and of one without successors."""

Vertex = TypeVar("Vertex", State, ProductState)


@dataclass(frozen=True)
class Where:
    """What is drawn: all from the initial state, or what is around a state: of a trace, or where something holds."""

    bounds: Bounds
    around: str | None = None
    trace: Path | None = None
    at: int | None = None

    @classmethod
    def of(
        cls, states: int, depth: int | None, around: str | None, trace: Path | None, at: int | None
    ) -> Where:
        """Return what is to be drawn. Raises InputError."""
        check_position(trace, at)
        if around is not None and trace is not None:
            raise InputError(f"{option('around')} and {option('trace')} exclude each other")
        if not 1 <= states <= MOST_STATES:
            raise InputError(f"{option('max_states', states)} is not from 1 to {MOST_STATES:,}")
        near = around is not None or trace is not None
        return cls(Bounds(states, NEAR if depth is None and near else depth), around, trace, at)

    @property
    def is_part(self) -> bool:
        """Is only what is near a state drawn?"""
        return self.around is not None or self.trace is not None


def drawn(
    model: ModelLike,
    ltl: str | None,
    automaton: AutomatonLike | None,
    options: CheckOptions,
    where: Where,
    watched: Sequence[str],
) -> Picture:
    """Draw a model, or its product where there is a property. Raises InputError and LimitReached."""
    if ltl is None and automaton is None:
        if options.via is not None:
            raise InputError(
                f"{option('via')} is the automaton of a product", suggestion=f"give {option('ltl')}, too"
            )
        return draw_model(model, options.overflow, where, watched)
    if where.is_part:
        raise InputError(f"{option('around')} and {option('trace')} are for the states of a model alone")
    options = options.bounded()
    isolation.limit(None, options.limits.bytes)
    return draw_product(Task.of(model, ltl, automaton, options), where, watched)


def draw_model(model: ModelLike, overflow: Overflow, where: Where, watched: Sequence[str]) -> Picture:
    """Draw the states of a model. Raises InputError."""
    evaluator = evaluator_of(model, overflow)
    path = _path(evaluator, where)
    isolation.stage("drawing")
    if path is None:
        graph = part([evaluator.initial()], post_of(evaluator), where.bounds)
    else:
        graph = around(evaluator, path, where.bounds)
    texts = _texts(evaluator, graph.vertices, watched)
    here = path[-1] if path else None
    return _picture(evaluator.model.name, graph, texts, lambda state: HERE if state == here else "")


def _path(evaluator: Evaluator, where: Where) -> list[State] | None:
    """Return the way to the state that is drawn around, as far as it is known; None where all is drawn."""
    if where.trace is not None:
        run = [evaluator.initial(), *(step.state for step in read_trace(where.trace, evaluator))]
        last = len(run) - 1 if where.at is None else where.at
        _check_is_in(last, run)
        return run[: last + 1]
    return None if where.around is None else [nearest_state(evaluator, where.around)]


def _check_is_in(number: int, run: Sequence[State]) -> None:
    if not 0 <= number < len(run):
        raise InputError(
            f"there is no state {number}", suggestion=f"the trace has the states 0 to {len(run) - 1}"
        )


def draw_product(task: Task, where: Where, watched: Sequence[str]) -> Picture:
    """Draw the product of a model with the automaton of what a property forbids. Raises InputError."""
    return task.widening(lambda: _product_picture(DrawnProduct(task), where, watched))


def _product_picture(product: DrawnProduct, where: Where, watched: Sequence[str]) -> Picture:
    isolation.stage("drawing")
    graph = part(product.initial(), product.post, where.bounds)
    states = list(dict.fromkeys(vertex.state for vertex in graph.vertices))
    texts = _texts(product.evaluator, states, watched)
    both = {v: joined([texts[v.state], f"automaton: {v.automaton}"]) for v in graph.vertices}
    picture = _picture(product.title, graph, both, lambda _: "")
    rings = [2 if vertex.automaton in product.accepting else 1 for vertex in graph.vertices]
    nodes = [node._replace(rings=number) for node, number in zip(picture.nodes, rings, strict=True)]
    return picture._replace(nodes=nodes)


def _picture(
    title: str, graph: Graph[Vertex], texts: Mapping[Vertex, str], colour: Callable[[Vertex], str]
) -> Picture:
    numbers = {vertex: number for number, vertex in enumerate(graph.vertices)}
    goes_on = {vertex for vertex in graph.vertices if graph.goes_on(vertex)}
    nodes = [
        _node(vertex, graph, texts[vertex], colour(vertex), vertex in goes_on) for vertex in graph.vertices
    ]
    arrows = [Arrow(None, "", numbers[vertex]) for vertex in graph.initial if vertex in numbers]
    for vertex, steps in graph.steps.items():
        arrows += [
            Arrow(numbers[vertex], text, numbers[target], marks)
            for text, marks, target in steps
            if target in numbers
        ]
    more = f"; dashed: there is more after {counted(len(goes_on), 'state')}" if goes_on else ""
    return Picture(f"{title}: {counted(len(nodes), 'state')}{more}", nodes, arrows, boxes=True)


def _node(vertex: Vertex, graph: Graph[Vertex], text: str, colour: str, goes_on: bool) -> Node:
    failed = graph.failed.get(vertex)
    if failed is not None:
        return Node(joined([text, failed]), fill=FAILS)
    is_dead = not goes_on and not graph.steps[vertex]
    return Node(text, dashed=goes_on, fill=colour or (DEAD if is_dead else ""))


def _texts(evaluator: Evaluator, states: Sequence[State], watched: Sequence[str]) -> dict[State, str]:
    """Return what is written on each state: what is watched, or else the values that vary among them."""
    if watched:
        watches = [watch(text, evaluator) for text in watched]
        return {state: _watched(evaluator, watches, state) for state in states}
    shown = {state: evaluator.show(state) for state in states}
    varies = [
        name for name, _ in evaluator.layout.elements if len({values[name] for values in shown.values()}) > 1
    ]
    return {state: _values({name: values[name] for name in varies}) for state, values in shown.items()}


def _watched(evaluator: Evaluator, watches: Sequence[Watch], state: State) -> str:
    def enabled() -> tuple[int, ...]:
        return tuple(command for command, _ in evaluator.successors(state))

    return _values({one.text: one.shown(state, enabled) for one in watches})


def _values(values: Mapping[str, str]) -> str:
    lines = [f"{name} = {value}" for name, value in values.items()]
    rest = len(lines) - MOST_VALUES
    return "\n".join([*lines[:MOST_VALUES], f"… {rest} more"] if rest > 0 else lines)
