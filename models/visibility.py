"""Which commands a property can see: those that may change the truth of one of its propositions.

The assertions of a model are propositions, too: that they hold is part of every property.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from buchi.models.arithmetic import binary, conjunction, unary
from buchi.models.command_facts import Condition, Facts
from buchi.models.guarded import Binary, Const, Expr, Model, Read


def visible(model: Model, facts: Sequence[Facts], observed: Iterable[Expr]) -> frozenset[int]:
    """Return the commands that may change what is observed, or the truth of an assertion."""
    conditions = [Condition(model, expr) for expr in (*observed, *_assertions(model))]
    return frozenset(
        number
        for number, known in enumerate(facts)
        for condition in conditions
        if not condition.reads.isdisjoint(known.writes.places) and any(known.changes(condition))
    )


def _assertions(model: Model) -> Iterator[Expr]:
    for assertion in model.assertions:
        tests: list[Expr] = [Binary("==", Read(variable), Const(value)) for variable, value in assertion.at]
        there = conjunction(tests)
        condition = assertion.condition
        yield condition if there is None else binary("or", unary("not", there), condition)
