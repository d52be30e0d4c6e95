"""The one way from HOA text to Spot.

`spot.automaton` takes text for a command line when it ends with `|`, and for the name of a file when it has no line
end. The parser used here takes text for text, and only what `scan_hoa` has looked over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from buchi.common.errors import InputError, Place
from buchi.readers.hoa_scan import scan_hoa, scan_kripke
from buchi.readers.hoa_tokens import place_in

_PLACE = re.compile(r":(\d+)\.(\d+)(?:-[\d.]+)?: (.*)")


def parse_hoa(text: str, source: str, dictionary: Any = None) -> Any:
    """Return Spot's automaton of a HOA text; those with one dictionary can be compared. Raises InputError."""
    plain, starts = scan_hoa(text, source)
    automaton = _parsed(plain, source, kripke=False, dictionary=dictionary).aut
    automaton.prop_reset()
    if len(starts) > 1:
        if max(starts) >= automaton.num_states():
            raise InputError(f"the initial state {max(starts)} is not defined", Place(source))
        join_starts(automaton, starts)
    return automaton


def parse_kripke(text: str, source: str) -> Any:
    """Return Spot's Kripke structure of a HOA text with labels on states. Raises InputError."""
    return _parsed(scan_kripke(text, source), source, kripke=True).ks


def join_starts(automaton: Any, starts: Iterable[int]) -> None:
    """Make a new initial state with the edges of all of them."""
    edges = [(edge.dst, edge.cond, edge.acc) for state in starts for edge in automaton.out(state)]
    first = automaton.new_state()
    for destination, condition, marks in edges:
        automaton.new_edge(first, destination, condition, marks)
    automaton.set_init_state(first)


def _parsed(plain: str, source: str, kripke: bool, dictionary: Any = None) -> Any:
    import spot  # slow to load

    options = spot.automaton_parser_options()
    options.raise_errors, options.trust_hoa, options.want_kripke = True, False, kripke
    try:
        return spot.automaton_stream_parser(plain, "text", options).parse(dictionary or spot.make_bdd_dict())
    except (SyntaxError, RuntimeError, ValueError) as error:
        raise _located(str(error), plain, source) from None


def _located(complaint: str, text: str, source: str) -> InputError:
    """Find line and column in Spot's message, which reads `name:LINE.COLUMN-END: what`."""
    found = _PLACE.search(complaint)
    if found is None:
        return InputError(complaint.strip().partition("\n")[0] or "Spot cannot read this", Place(source))
    line, column, what = int(found.group(1)), int(found.group(2)), found.group(3)
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return InputError(what, place_in(text, source, start + column - 1))
