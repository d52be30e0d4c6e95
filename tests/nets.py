"""Small nets for tests: as PNML, and explored by the firing rule alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Arcs: TypeAlias = Mapping[str, int]
Transitions: TypeAlias = Mapping[str, tuple[Arcs, Arcs]]
Marking: TypeAlias = Mapping[str, int]

PTNET = "http://www.pnml.org/version-2009/grammar/ptnet"


def document(content: str, kind: str = PTNET) -> str:
    return f'<?xml version="1.0"?>\n<pnml><net id="n" type="{kind}"><page id="g">\n{content}\n</page></net></pnml>\n'


def pnml(marking: Marking, transitions: Transitions, units: Sequence[Sequence[str]] = ()) -> str:
    """Return a net; `units` are those that it claims to have."""
    lines = [_place(name, tokens) for name, tokens in marking.items()]
    for name, (inputs, outputs) in transitions.items():
        lines.append(f'<transition id="{name}"/>')
        lines += [_arc(place, name, weight) for place, weight in inputs.items()]
        lines += [_arc(name, place, weight) for place, weight in outputs.items()]
    return document("\n".join(lines + _units(units)))


def _place(name: str, tokens: int) -> str:
    return f'<place id="{name}"><initialMarking><text>{tokens}</text></initialMarking></place>'


def _arc(source: str, target: str, weight: int) -> str:
    ends = f'source="{source}" target="{target}"'
    return f'<arc id="a" {ends}><inscription><text> {weight} </text></inscription></arc>'


def _units(units: Sequence[Sequence[str]]) -> list[str]:
    if not units:
        return []
    inner = "".join(f'<unit id="u{i}"><places>{" ".join(u)}</places></unit>' for i, u in enumerate(units))
    head = f'<structure units="{len(units)}" root="u0" safe="true">'
    return [f'<toolspecific tool="nupn" version="1.1">{head}{inner}</structure></toolspecific>']


CONTEST_NET = pnml(
    {"a": 2, "b-1": 0, "c": 1, "d": 0},
    {"t": ({"a": 1}, {"b-1": 1}), "u": ({"b-1": 1}, {"a": 1}), "v": ({"c": 1}, {"d": 1})},
)
"""Places of which `c` and `d` are a unit, and a name with a sign."""


def contest_properties(formulas: Mapping[str, str]) -> str:
    """Return a file of properties, by their ids."""
    inner = "".join(
        f"<property><id>{name}</id><description><p/>text</description>"
        f"<formula><all-paths>{formula}</all-paths></formula></property>"
        for name, formula in formulas.items()
    )
    return f'<?xml version="1.0"?>\n<property-set xmlns="http://mcc.lip6.fr/">{inner}</property-set>'


def reachable(marking: Marking, transitions: Transitions, most: int = 10_000) -> tuple[int, int]:
    """Return the numbers of markings and of firings."""
    names = list(marking)
    start = tuple(marking.values())
    seen, pending, firings = {start}, [start], 0
    while pending:
        now = dict(zip(names, pending.pop(), strict=True))
        for inputs, outputs in transitions.values():
            if all(now[place] >= weight for place, weight in inputs.items()):
                firings += 1
                after = tuple(now[p] - inputs.get(p, 0) + outputs.get(p, 0) for p in names)
                if after not in seen:
                    assert len(seen) < most
                    seen.add(after)
                    pending.append(after)
    return len(seen), firings
