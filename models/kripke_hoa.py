"""Explicit Kripke structures as state-labelled HOA (`Acceptance: 0 t`), which Spot reads.

Every state has a label that decides every proposition, and a successor: Spot keeps no label of a state
without one.
"""

from __future__ import annotations

from typing import Any, ClassVar

from buchi.common.errors import InputError, Place
from buchi.common.interrupts import held_back
from buchi.models.frontend import Loaded
from buchi.models.kripke import Kripke


class KripkeHoa:
    """The front-end for state-labelled HOA."""

    name: ClassVar[str] = "kripke-hoa"
    suffixes: ClassVar[tuple[str, ...]] = (".hoa",)

    def load(self, text: str, source: str, *, overflow_is_error: bool = False) -> Loaded:
        """Read a structure; nothing in it can overflow. Raises InputError."""
        with held_back():
            from buchi.readers.hoa import parse_kripke

        return _structure(parse_kripke(text, source), source).loaded(source)


def _structure(graph: Any, source: str) -> Kripke:
    names = {graph.register_ap(p): p.ap_name() for p in graph.ap()}
    states = range(graph.num_states())
    edges = [[edge.dst for edge in graph.out(state)] for state in states]
    for state in states:
        if not edges[state]:
            raise InputError(
                f"state {state} has no successor", Place(source), "give it a loop, which means the same"
            )
    labels = [_label(graph, state, names, source) for state in states]
    return Kripke(tuple(names.values()), edges, labels, graph.get_init_state_number())


def _label(graph: Any, state: int, names: dict[int, str], source: str) -> frozenset[str]:
    """Return the propositions true in a state, whose label must decide all of them."""
    import buddy  # can be imported only once `spot` has been

    rest = graph.state_condition(graph.state_from_number(state))
    true, undecided = set(), set(names)
    while rest not in (buddy.bddtrue, buddy.bddfalse):
        variable, high = buddy.bdd_var(rest), buddy.bdd_high(rest)
        is_true = buddy.bdd_low(rest) == buddy.bddfalse
        if not is_true and high != buddy.bddfalse:
            break
        undecided.discard(variable)
        true |= {names[variable]} if is_true else set()
        rest = high if is_true else buddy.bdd_low(rest)
    if undecided or rest == buddy.bddfalse:
        raise InputError(f"the label of state {state} does not decide every proposition", Place(source))
    return frozenset(true)
