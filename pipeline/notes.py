"""What is noted of a run while it is replayed, so that it can be told later without the model."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from buchi import _engine
from buchi.checkers.declaration import Lasso
from buchi.common.labels import label_words, marks_words
from buchi.models.evaluate import Evaluator
from buchi.models.telling import known, sent
from buchi.pipeline.judge import Word
from buchi.schemas.automaton import Automaton, Letter
from buchi.schemas.told import EDGES, MESSAGES, Notes, compact

_READ = {Letter.SOURCE: "", Letter.DESTINATION: "then ", Letter.CHANGE: "changed: "}
"""What stands before a label that is not of the state which a step leaves."""


class Watcher(NamedTuple):
    """The automaton that watched a run: the state in which it was in each state of the model, and its edges."""

    states: array[int]
    edges: tuple[tuple[int, str, str, int], ...]

    @classmethod
    def of(
        cls, lasso: Lasso, product: _engine.Product, automaton: Automaton, look: Callable[[], object]
    ) -> Watcher:
        """Return what the product says of it; `look` is called before each state."""
        states = array("Q")
        for state in chain(lasso.prefix, lasso.cycle):
            look()
            states.append(product.automaton_state(state))
        read = _READ[automaton.letter]
        shown = automaton.edges if len(automaton.edges) <= EDGES else ()
        edges = (
            (
                edge.source,
                read + label_words(edge.label, automaton.propositions),
                marks_words(edge.marks),
                edge.destination,
            )
            for edge in shown
        )
        return cls(compact(states), tuple(edges))


def noted(
    evaluator: Evaluator,
    states: Iterable[bytes],
    taken: array[int],
    watcher: Watcher | None = None,
    word: Word | None = None,
) -> Notes:
    """Return what there is to tell of a run: `word` is what its propositions say."""
    places: dict[tuple[int, ...], int] = {}
    commands = evaluator.model.commands
    passed = array("i")
    for packed, number in zip(states, taken, strict=True):
        values: tuple[int, ...] = ()
        if number >= 0 and commands[number].message is not None:
            values = sent(evaluator, commands[number], evaluator.unpack(packed))
        fits = values and (values in places or len(places) < MESSAGES)
        passed.append(places.setdefault(values, len(places)) if fits else -1)
    return Notes(
        tuple(map(known, commands)),
        tuple(places),
        passed,
        word.propositions if word else (),
        compact(array("Q", chain(word.prefix, word.cycle)) if word else array("Q")),
        watcher.states if watcher else array("B"),
        watcher.edges if watcher else (),
    )
