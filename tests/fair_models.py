"""Random models of processes, and what is fair in them by definition: Spot decides on all of their steps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import spot

import buddy  # isort: skip  (it exists only after spot is imported)

from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import Assign, Binary, Command, Const, Expr, Model, Read, Type, Variable
from buchi.pipeline.options import Fair

LOCATIONS = ("a", "b", "c")
SHARED = Variable("x", Type.BYTE)


def random_processes(seed: object) -> Model:
    """Return a model of two or three processes with a shared variable; some commands are of two processes."""
    rng = random.Random(f"processes {seed}")
    names = ["P", "Q", "R"][: rng.randint(2, 3)]
    counters = tuple(Variable(name, Type.BYTE, values=LOCATIONS) for name in names)
    commands = [_command(rng, names, i) for i in range(len(names)) for _ in range(rng.randint(1, 3))]
    return Model("processes", (*counters, SHARED), tuple(commands), constants=_propositions(len(names)))


def _propositions(x: int) -> dict[str, Expr]:
    return {"p": Binary("==", Read(0), Const(0)), "q": Binary("==", Read(x), Const(1))}


def _command(rng: random.Random, names: list[str], process: int) -> Command:
    taking_part = [process]
    if rng.random() < 0.2:
        taking_part.append(rng.choice([i for i in range(len(names)) if i != process]))
    moves = [(i, rng.randrange(3), rng.randrange(3)) for i in taking_part]
    x = len(names)
    guard = Binary("==", Read(x), Const(rng.randrange(2))) if rng.random() < 0.5 else None
    effects = [Assign(i, None, Const(after)) for i, _, after in moves]
    if rng.random() < 0.5:
        effects.append(Assign(x, None, Const(rng.randrange(2))))
    label = " ".join(f"{names[i]}: {LOCATIONS[before]} -> {LOCATIONS[after]}" for i, before, after in moves)
    at = tuple((i, before) for i, before, _ in moves)
    return Command(label, at, guard, (), tuple(effects), processes=tuple(names[i] for i in taking_part))


@dataclass(frozen=True)
class Steps:
    """All steps of a model that can be reached; a deadlock is a step of no command."""

    model: Model
    stutter: bool

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.model)

    @cached_property
    def all(self) -> dict[State, list[tuple[int, State]]]:
        found: dict[State, list[tuple[int, State]]] = {}
        pending = [self.evaluator.initial()]
        while pending:
            state = pending.pop()
            if state not in found:
                steps = self.evaluator.successors(state)
                found[state] = steps or ([(-1, state)] if self.stutter else [])
                pending += [target for _, target in found[state]]
        return found

    def has_fair_run(
        self, forbidden: Any, strength: Fair, groups: Sequence[frozenset[int]], names: Sequence[str]
    ) -> bool:
        """Does Spot find a fair run that an automaton accepts? `names` are propositions, of steps too."""
        graph = spot.make_twa_graph(forbidden.get_dict())
        variables = [graph.register_ap(name) for name in names]
        number = {state: i for i, state in enumerate(self.all)}
        graph.new_states(len(number))
        graph.set_init_state(number[self.evaluator.initial()])
        graph.set_acceptance(2 * len(groups), _acceptance(strength, len(groups)))
        for state, steps in self.all.items():
            enabled = {command for command, _ in steps}
            for command, target in steps:
                letter = _cube(variables, [self._holds(name, state, enabled, command) for name in names])
                graph.new_edge(
                    number[state], number[target], letter, _marks(strength, groups, enabled, command)
                )
        return not spot.product(graph, forbidden).is_empty()

    def _holds(self, name: str, state: State, enabled: set[int], command: int) -> bool:
        if name == "deadlock":
            return enabled <= {-1}
        what, _, process = name.rstrip(")").partition("(")
        if what in ("enabled", "moved"):
            of_process = {i for i, c in enumerate(self.model.commands) if process in c.processes}
            return bool(of_process & (enabled if what == "enabled" else {command}))
        return self.evaluator.evaluate(self.model.constants[name], state) != 0


def _acceptance(strength: Fair, count: int) -> str:
    one = "Inf({1})" if strength is Fair.WEAK else "(Fin({0})|Inf({1}))"
    return "&".join(one.format(2 * i, 2 * i + 1) for i in range(count)) or "t"


def _marks(strength: Fair, groups: Sequence[frozenset[int]], enabled: set[int], command: int) -> list[int]:
    marks = []
    for i, group in enumerate(groups):
        is_enabled, moved = bool(group & enabled), command in group
        if strength is Fair.WEAK:
            marks += [2 * i + 1] if moved or not is_enabled else []
        else:
            marks += ([2 * i] if is_enabled else []) + ([2 * i + 1] if moved else [])
    return marks


def _cube(variables: Sequence[int], values: Sequence[bool]) -> Any:
    result = buddy.bddtrue
    for variable, value in zip(variables, values, strict=True):
        result &= buddy.bdd_ithvar(variable) if value else buddy.bdd_nithvar(variable)
    return result
