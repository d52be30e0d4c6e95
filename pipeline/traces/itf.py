"""The Informal Trace Format of Apalache and Quint (ADR 015 of Apalache): states, and where the loop begins.

An array is a list. Numbers are written as `#bigint`, which all readers take, and locations as strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from buchi import __version__
from buchi.schemas.result import Counterexample
from buchi.schemas.steps import PackedSteps, Step

_ELEMENT = re.compile(r"(.*)\[(\d+)\]", re.DOTALL)


def itf_chunks(found: Counterexample, model: str) -> Iterator[str]:
    """Yield a counterexample as ITF, piece by piece: a state to a line."""
    words = _words(found)
    names = list(found.at(0).state)
    groups = _groups(names)
    meta = {
        "format": "ITF",
        "description": f"{found.summary()}; written by buchi {__version__}",
        "source": model,
        "varTypes": {name: _type(name, members, words) for name, members in groups.items()},
    }
    yield f'{{"#meta":{json.dumps(meta)},\n"vars":{json.dumps(list(groups))},\n"states":[\n'
    states = len(found.prefix) + len(found.cycle)
    for number in range(states):
        state = _state(number, found.at(number), groups, words)
        yield json.dumps(state, separators=(",", ":")) + (",\n" if number + 1 < states else "\n")
    yield f'],"loop":{len(found.prefix)}}}\n' if found.cycle else "]}\n"


def _state(number: int, step: Step, groups: dict[str, list[str]], words: frozenset[str]) -> dict[str, Any]:
    told: dict[str, Any] = {"#meta": {"index": number, "command": step.command}}
    for name, members in groups.items():
        values = [_value(step.state[member], member in words) for member in members]
        told[name] = values[0] if members == [name] else values
    return told


def _value(text: str, is_word: bool) -> Any:
    return text if is_word else {"#bigint": text}


def _type(name: str, members: Sequence[str], words: frozenset[str]) -> str:
    of_one = "Str" if members[0] in words else "Int"
    return of_one if members == [name] else f"Seq({of_one})"


def _words(found: Counterexample) -> frozenset[str]:
    """Return the variables whose values are words."""
    steps = found.prefix or found.cycle
    if isinstance(steps, PackedSteps):
        return frozenset(name for name, values in steps.layout.elements if values)
    return frozenset(
        name for step in steps for name, value in step.state.items() if not re.fullmatch(r"-?\d+", value)
    )


def _groups(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the variables with their elements; that of a scalar is itself."""
    groups: dict[str, list[str]] = {}
    for name in names:
        element = _ELEMENT.fullmatch(name)
        is_next = element is not None and int(element[2]) == len(groups.get(element[1], ()))
        groups.setdefault(element[1] if element and is_next else name, []).append(name)
    return groups
