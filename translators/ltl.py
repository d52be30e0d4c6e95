"""From the text of a formula to the value `Ltl`.

Spot parses; this adds model propositions and error places.
"""

from __future__ import annotations

import re

import spot

from buchi.schemas.errors import InputError, Place
from buchi.schemas.ltl import Ltl
from buchi.translators.comparisons import Quoted, quote_comparisons

_PROMPT = ">>> "
_BARE_DOTTED = re.compile(r'"(?:\\.|[^"\\])*"|([FGX]*)([A-Za-z_.][\w.]*\.[\w.]*)')


def parse_ltl(text: str, source: str = "formula") -> Ltl:
    """Read a formula in the syntax of SPIN or Spot over propositions such as `P_0.CS` or `P_1 != "p9"`.

    Raise `InputError` with the place of the first mistake; `source` names the text in the message.
    """
    try:
        quoted = quote_comparisons(text)
        formula = spot.formula(quoted.text)
    except SyntaxError as error:
        raise _located(str(error), quoted, text, source) from None
    except InputError as error:
        at = error.place.column if error.place and error.place.column else 1
        raise InputError(error.message, _place(text, at - 1, source), error.suggestion) from None
    except RecursionError:
        raise InputError(f"{source}: the formula is nested too deeply") from None
    if not formula.is_ltl_formula():
        raise InputError(
            f"{source}: {formula} is not an LTL formula", suggestion="PSL and SERE are not supported"
        )
    names = sorted(p.ap_name() for p in spot.atomic_prop_collect(formula) or ())
    return Ltl(formula=_readable(formula, names), propositions=tuple(names))


def _readable(formula: spot.formula, names: list[str]) -> str:
    """Print a formula so that Spot and `parse_ltl` read it alike: Spot prints `FP.x` for `F "P.x"`."""

    def quote(match: re.Match[str]) -> str:
        operators, name = match.group(1), match.group(2)
        while name and name not in names:
            operators, name = operators[:-1], operators[-1:] + name if operators else ""
        return f'{operators}"{name}"' if name else match.group()

    return _BARE_DOTTED.sub(quote, str(formula))


def _located(complaint: str, quoted: Quoted, text: str, source: str) -> InputError:
    """Turn Spot's message, whose caret is under the text we gave it, into one about the user's text."""
    lines = complaint.strip("\n").splitlines()
    caret = next((line for line in lines if "^" in line and not line.strip("^ ")), "")
    message = lines[lines.index(caret) + 1] if caret else lines[-1]
    position = max(caret.find("^") - len(_PROMPT), 0)
    return InputError(message, _place(text, quoted.origin(position, len(text.rstrip())), source))


def _place(text: str, at: int, source: str) -> Place:
    """Return the line and column of an offset of a text."""
    line = text.count("\n", 0, at) + 1
    start = text.rfind("\n", 0, at) + 1
    lines = text.splitlines() or [""]
    shown = lines[min(line, len(lines)) - 1]
    return Place(source, line if len(lines) > 1 else None, at - start + 1, shown)
