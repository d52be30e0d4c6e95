"""Hanoi Omega-Automata: the text format in which tools exchange automata. Spot reads it; the writer is ours.

An automaton is read as the narrowest of TGBA, Fin-less, TGRA and TELA that its acceptance allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import spot
from pydantic import ValidationError

from buchi.common.complaints import Complaint
from buchi.common.errors import InputError
from buchi.common.graph import successors
from buchi.common.labels import exactly
from buchi.readers.hoa import parse_hoa
from buchi.schemas.automaton import Automaton, Clause, Label, bits
from buchi.schemas.forms import Tela, Tfla, Tgba, Tgra
from buchi.schemas.slba import Slba
from buchi.translators.spot_helpers.automata import from_spot, read_conditions

AnyAutomaton = TypeVar("AnyAutomaton", bound=Automaton)


def read_hoa(text: str, source: str = "automaton") -> Tgba | Tfla | Tgra | Tela:
    """Return the automaton of a HOA text, of the narrowest kind. Raise `InputError` if it is bad or empty."""
    automaton = parse_hoa(text, source)
    with _blaming(source):
        return from_spot(automaton, narrowest(automaton))


def read_as(automaton: spot.twa_graph, form: type[AnyAutomaton], source: str) -> AnyAutomaton:
    """Return Spot's automaton as `form`. Raise `InputError` if it is none."""
    with _blaming(source):
        return from_spot(automaton, form)


@contextmanager
def _blaming(source: str) -> Iterator[None]:
    """What is refused here is the file's fault."""
    try:
        yield
    except ValidationError as error:
        raise InputError(f"{source}: {Complaint.of(error)}") from None
    except InputError as error:
        raise InputError(f"{source}: {error.message}", suggestion=error.suggestion) from None


def narrowest(automaton: spot.twa_graph) -> type[Tgba] | type[Tfla] | type[Tgra] | type[Tela]:
    """Return the form with the simplest acceptance that covers that of Spot's automaton."""
    clauses, *further = read_conditions(automaton.get_acceptance(), Tela)
    if further or any(bin(fin).count("1") > 1 for fin, _ in clauses):
        return Tela
    if any(fin for fin, _ in clauses):
        return Tgra
    return Tgba if len(clauses) == 1 else Tfla


def write_hoa(form: Automaton | Slba, name: str = "") -> str:
    """Return an automaton over source letters, or a state-labelled one, in HOA."""
    if isinstance(form, Slba):
        return _document(form.propositions, form.states, form.initial, name, _SLBA_LINES, _slba_body(form))
    lines = [*_acceptance_lines(form), "properties: trans-labels explicit-labels trans-acc"]
    starts = [state for _, state in form.initial]
    return _document(form.propositions, form.states, starts, name, lines, _body(form))


_SLBA_LINES = [
    "acc-name: Buchi",
    "Acceptance: 1 Inf(0)",
    "properties: state-labels explicit-labels state-acc",
]


def _document(
    names: Sequence[str], states: int, starts: Sequence[int], name: str, more: list[str], body: list[str]
) -> str:
    lines = ["HOA: v1", *([f"name: {quoted(name)}"] if name else []), f"States: {states}"]
    lines += [f"Start: {state}" for state in starts]
    lines.append(" ".join([f"AP: {len(names)}", *map(quoted, names)]))
    return "\n".join([*lines, *more, "--BODY--", *body, "--END--", ""])


def _acceptance_lines(form: Automaton) -> list[str]:
    """Return the `Acceptance:` line, after an `acc-name:` line where the condition has a common name."""
    line = f"Acceptance: {form.sets} {form.acceptance_words()}"
    if form.conditions != ((Clause(fin=0, inf=(1 << form.sets) - 1),),) or form.sets == 0:
        return [line]
    return ["acc-name: Buchi" if form.sets == 1 else f"acc-name: generalized-Buchi {form.sets}", line]


def _body(form: Automaton) -> list[str]:
    lines: list[list[str]] = [[f"State: {state}"] for state in range(form.states)]
    for edge in form.edges:
        lines[edge.source].append(f"[{label_text(edge.label)}] {edge.destination}{marks_text(edge.marks)}")
    return [line for state in lines for line in state]


def _slba_body(form: Slba) -> list[str]:
    """A state says what is read there; its edges have nothing to add."""
    following = successors(form.states, form.edges)
    accepting = frozenset(form.accepting)
    width = len(form.propositions)
    lines: list[str] = []
    for state, letter in enumerate(form.labels):
        label = label_text(exactly(letter, width))
        lines.append(f"State: [{label}] {state}{marks_text(int(state in accepting))}")
        lines.append(" ".join(map(str, following[state])))
    return lines


def quoted(text: str) -> str:
    """Return a string of HOA."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def label_text(label: Label) -> str:
    """Return a label in the syntax of HOA."""
    return " | ".join("&".join(_literals(true, false)) or "t" for true, false in label) or "f"


def _literals(true: int, false: int) -> list[str]:
    return [str(i) if true >> i & 1 else f"!{i}" for i in bits(true | false)]


def marks_text(marks: int) -> str:
    """Return the acceptance marks of an edge or state, with a leading blank, or nothing."""
    return f" {{{' '.join(map(str, bits(marks)))}}}" if marks else ""
