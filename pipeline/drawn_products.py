"""The product of a model with an automaton, as a graph that can be drawn: states of both, marks on the steps."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from buchi.models.evaluate import State
from buchi.pipeline.check import made
from buchi.pipeline.faults import faults_of
from buchi.pipeline.options import AUTO
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.properties import kind_to_check
from buchi.pipeline.routes import NO_WISHES
from buchi.pipeline.search import Deadline
from buchi.pipeline.state_graphs import Step, words
from buchi.pipeline.task import Task
from buchi.schemas.forms import Tlba
from buchi.schemas.ltl import Ltl
from buchi.schemas.slba import Slba

STAYS = "(no command is enabled)"


class ProductState(NamedTuple):
    """A state of a product, by its number, and what it is made of."""

    number: int
    state: State
    automaton: int


class DrawnProduct:
    """A product as it is explored to be drawn. Raises InputError and LimitReached where it cannot be made."""

    def __init__(self, task: Task) -> None:
        self.evaluator = task.model.evaluator
        kind = kind_to_check(task.forbidden.value, task.options.via, AUTO)
        self._automaton = made(task, kind, NO_WISHES, Deadline(task.options.limits.seconds))
        self._product = task.product(self._automaton)
        self._task = task

    @property
    def title(self) -> str:
        """What is drawn."""
        value, form = self._task.forbidden.value, self._automaton.form
        what = value.formula if isinstance(value, Ltl) else "what is forbidden"
        return f"{self.evaluator.model.name} × {form.kind.value} of {what}, {_acceptance(self._automaton)}"

    @cached_property
    def accepting(self) -> frozenset[int]:
        """The states of the automaton that have two rings, in place of marks."""
        form = self._automaton.form
        return frozenset(form.accepting) if isinstance(form, Tlba | Slba) else frozenset()

    def initial(self) -> list[ProductState]:
        """Return the initial states."""
        with faults_of(self.evaluator.model, self._automaton.table.propositions):
            return [self._vertex(number) for number, _ in self._product.initial()]

    def post(self, vertex: ProductState) -> list[Step[ProductState]]:
        """Return the steps of a state; where there is none in the model, the one that stays."""
        with faults_of(self.evaluator.model, self._automaton.table.propositions):
            edges = self._product.post(vertex.number)
            commands = self._product.commands(vertex.number)
        targets = [(self._vertex(number), marks) for number, marks in edges]
        return [
            Step(self._words(vertex, command, target), 0 if self.accepting else marks, target)
            for command, (target, marks) in zip(commands, targets, strict=True)
        ]

    def _vertex(self, number: int) -> ProductState:
        packed = self._product.model_state(number)
        return ProductState(number, self.evaluator.unpack(packed), self._product.automaton_state(number))

    def _words(self, vertex: ProductState, command: int, target: ProductState) -> str:
        return STAYS if command < 0 else words(self.evaluator, vertex.state, command, target.state)


def _acceptance(automaton: Prepared) -> str:
    is_of_states = isinstance(automaton.form, Tlba | Slba)
    return "accepting states have two rings" if is_of_states else automaton.table.acceptance_words()
