"""From the text of a formula to the value `Ltl`.

Spot parses; this adds model propositions, limits and error places, and prints the formula so that Spot and
this read it alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import spot

from buchi.common.errors import InputError, Place
from buchi.schemas.automaton import MAX_PROPOSITIONS
from buchi.schemas.ltl import Ltl
from buchi.translators.spot_helpers.comparisons import Quoted, quote_names
from buchi.translators.spot_helpers.formula_size import check_size
from buchi.translators.spot_helpers.formula_words import is_bare, is_short

_PROMPT = ">>> "
_SHOWN = 160
"""Columns of a line that a message shows."""
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_RENAMED = re.compile(r"([FGX]?)(p\d+)")


def parse_ltl(text: str, source: str = "formula", names: Collection[str] | None = None) -> Ltl:
    """Read a formula in the syntax of SPIN or Spot over propositions such as `P_0.CS` or `P_1 != "p9"`.

    `names` are those of the model, where one is known: they win over operators, so that `Fast` is not
    `F ast`. Raise `InputError` with the place of the first mistake; `source` names the text in the message.
    """
    known = None if names is None else frozenset(names)
    try:
        _check_characters(text)
        quoted = quote_names(text, known)
        check_size(quoted.pieces)
    except InputError as error:
        at = error.place.column if error.place and error.place.column else 1
        raise InputError(error.message, _place(text, at - 1, source), error.suggestion) from None
    formula = _parsed(quoted, text, source, known)
    if not formula.is_ltl_formula():
        raise InputError(f"{source}: this is not an LTL formula", suggestion="PSL and SERE are not supported")
    propositions = sorted(p.ap_name() for p in spot.atomic_prop_collect(formula) or ())
    if len(propositions) > MAX_PROPOSITIONS:
        raise InputError(
            f"{source}: the formula has {len(propositions)} propositions; the limit is {MAX_PROPOSITIONS}"
        )
    return Ltl(formula=formula_text(formula), propositions=tuple(propositions))


def is_of_states(ltl: Ltl) -> bool:
    """Is a formula without temporal operators?"""
    return bool(spot.formula(ltl.formula).is_boolean())


def formula_text(formula: spot.formula) -> str:
    """Print a formula so that Spot and `parse_ltl` read it alike; Spot prints `GV` for `G "V"`."""
    meanings = spot.relabeling_map()
    text = str(spot.relabel(formula, spot.Pnn, meanings))
    names: dict[str, str] = {short.ap_name(): name.ap_name() for short, name in meanings.items()}

    def shown(match: re.Match[str]) -> str:
        operator, name = match.group(1), names[match.group(2)]
        if not is_bare(name):
            return operator + '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return operator + name if is_short(name) or not operator else f"{operator} {name}"

    return _RENAMED.sub(shown, text)


def _check_characters(text: str) -> None:
    """Refuse what Spot cannot take: it ends a text at a NUL, and surrogates are no UTF-8."""
    found = _NO_TEXT.search(text)
    if found:
        at = found.start() + 1
        what = "a NUL character" if found.group() == "\0" else "not valid UTF-8"
        raise InputError(f"character {at} of the formula is {what}", Place("formula", None, at))


def _parsed(quoted: Quoted, text: str, source: str, names: Collection[str] | None) -> spot.formula:
    """Let Spot parse; its other entry would go on to try the prefix notation of LBT on what is wrong."""
    found = spot.parse_infix_psl(quoted.text)
    complaint = spot.ostringstream()
    if found.format_errors(complaint):
        raise _located(str(complaint.str()), quoted, text, source, names)
    return found.f


def _located(
    complaint: str, quoted: Quoted, text: str, source: str, names: Collection[str] | None
) -> InputError:
    """Turn Spot's message, whose caret is under the text we gave it, into one about the user's text."""
    lines = complaint.strip("\n").splitlines()
    caret = next((line for line in lines if "^" in line and not line.strip("^ ")), "")
    message = lines[lines.index(caret) + 1] if caret else lines[-1]
    position = max(caret.find("^") - len(_PROMPT), 0)
    place = _place(text, quoted.origin(position, len(text.rstrip())), source)
    return InputError(message, place, _hint(quoted, names))


def _hint(quoted: Quoted, names: Collection[str] | None) -> str | None:
    """Tell how to mention a name of the model that is an operator as well."""
    words = {piece.text for piece in quoted.pieces if piece.kind == "sign" and piece.text in (names or ())}
    return f'write "{min(words)}" in quotes for what the model calls so' if words else None


def _place(text: str, at: int, source: str) -> Place:
    """Return the line and column of an offset of a text."""
    line = text.count("\n", 0, at) + 1
    start = text.rfind("\n", 0, at) + 1
    lines = text.split("\n")
    column = at - start + 1
    shown = lines[line - 1][:_SHOWN].encode(errors="replace").decode() if column <= _SHOWN else None
    return Place(source, line if len(lines) > 1 else None, column, shown)
