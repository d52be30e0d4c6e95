"""Hanoi Omega-Automata: the text format in which tools exchange automata. Spot reads it; the writer is ours.

An automaton is read as the narrowest of TGBA, Fin-less, TGRA and TELA that its acceptance allows.
"""

from __future__ import annotations

import re
from typing import TypeVar

import spot
from pydantic import ValidationError

from buchi.schemas.automaton import Automaton, Clause, Edge, Label
from buchi.schemas.errors import InputError, Place
from buchi.schemas.forms import Tela, Tfla, Tgba, Tgra
from buchi.translators.spot_automata import acceptance_text, from_spot, read_acceptance

_PLACE = re.compile(r":(\d+)\.(\d+)(?:-[\d.]+)?: (.*)")
AnyAutomaton = TypeVar("AnyAutomaton", bound=Automaton)


def read_hoa(text: str, source: str = "automaton") -> Tgba | Tfla | Tgra | Tela:
    """Return the automaton of a HOA text, of the narrowest kind. Raise `InputError` if it is bad or empty."""
    automaton = parse_hoa(text, source)
    return read_as(automaton, narrowest(automaton), source)


def read_as(automaton: spot.twa_graph, form: type[AnyAutomaton], source: str) -> AnyAutomaton:
    """Return Spot's automaton as `form`; what the schema refuses is the file's fault."""
    try:
        return from_spot(automaton, form)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise InputError(f"{source}: {reason}") from None


def parse_hoa(text: str, source: str) -> spot.twa_graph:
    """Return Spot's automaton of a HOA text; what Spot cannot read is an `InputError` with its place."""
    if not text.lstrip().startswith("HOA:"):
        raise InputError(
            "this is not an automaton in the HOA format", Place(source, 1, 1), "it begins with `HOA: v1`"
        )
    try:
        return spot.automaton(text if text.endswith("\n") else text + "\n", trust_hoa=False)
    except (SyntaxError, RuntimeError, ValueError) as error:
        raise _located(str(error), text, source) from None


def narrowest(automaton: spot.twa_graph) -> type[Tgba] | type[Tfla] | type[Tgra] | type[Tela]:
    """Return the form with the simplest acceptance that covers that of Spot's automaton."""
    clauses = read_acceptance(automaton.get_acceptance())
    if any(bin(fin).count("1") > 1 for fin, _ in clauses):
        return Tela
    if any(fin for fin, _ in clauses):
        return Tgra
    return Tgba if len(clauses) == 1 else Tfla


def _located(complaint: str, text: str, source: str) -> InputError:
    """Find line and column in Spot's message, which reads `name:LINE.COLUMN-END: what`."""
    found = _PLACE.search(complaint)
    if found is None:
        return InputError(f"{source}: {complaint.strip() or 'there is no automaton in this text'}")
    line, column = int(found.group(1)), int(found.group(2))
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    return InputError(found.group(3), Place(source, line, column, shown))


def write_hoa(automaton: Automaton, name: str = "") -> str:
    """Return an automaton over source letters in HOA."""
    lines = _header(automaton, name)
    by_source: list[list[Edge]] = [[] for _ in range(automaton.states)]
    for edge in automaton.edges:
        by_source[edge.source].append(edge)
    for state, edges in enumerate(by_source):
        lines.append(f"State: {state}")
        lines += [f"[{label_text(e.label)}] {e.destination}{marks_text(e.marks)}" for e in edges]
    return "\n".join([*lines, "--END--", ""])


def _header(automaton: Automaton, name: str) -> list[str]:
    lines = ["HOA: v1"]
    if name:
        lines.append(f"name: {quoted(name)}")
    lines.append(f"States: {automaton.states}")
    lines += [f"Start: {state}" for _, state in automaton.initial]
    lines.append(propositions_line(automaton.propositions))
    lines += acceptance_lines(automaton.sets, automaton.acceptance)
    return [*lines, "properties: trans-labels explicit-labels trans-acc", "--BODY--"]


def propositions_line(names: tuple[str, ...]) -> str:
    """Return the `AP:` line."""
    return " ".join([f"AP: {len(names)}", *map(quoted, names)])


def acceptance_lines(sets: int, acceptance: tuple[Clause, ...]) -> list[str]:
    """Return the `Acceptance:` line, after an `acc-name:` line where the condition has a common name."""
    line = f"Acceptance: {sets} {acceptance_text(acceptance)}"
    every = (Clause(fin=0, inf=(1 << sets) - 1),)
    if acceptance != every or sets == 0:
        return [line]
    return ["acc-name: Buchi" if sets == 1 else f"acc-name: generalized-Buchi {sets}", line]


def quoted(text: str) -> str:
    """Return a string of HOA."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def label_text(label: Label) -> str:
    """Return a label in the syntax of HOA."""
    return " | ".join("&".join(_literals(true, false)) or "t" for true, false in label) or "f"


def _literals(true: int, false: int) -> list[str]:
    used = true | false
    return [str(i) if true >> i & 1 else f"!{i}" for i in range(used.bit_length()) if used >> i & 1]


def marks_text(marks: int) -> str:
    """Return the acceptance marks of an edge or state, with a leading blank, or nothing."""
    sets = " ".join(str(i) for i in range(marks.bit_length()) if marks >> i & 1)
    return f" {{{sets}}}" if sets else ""
