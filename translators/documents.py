"""Automata in files: HOA, or the JSON of our schemas. What a file claims of an automaton is checked."""

from __future__ import annotations

from pydantic import ValidationError

from buchi.schemas.errors import InputError
from buchi.schemas.reasons import first_reason
from buchi.schemas.registry import ANY_FORM, Form
from buchi.translators.hoa import read_hoa
from buchi.translators.spot_view import as_spot
from buchi.translators.stuttering import require_stutter_invariance


def read_automaton(text: str, source: str = "automaton") -> Form:
    """Return the automaton of a HOA or JSON text. Raise `InputError` if it is bad."""
    return read_json(text, source) if text.lstrip().startswith("{") else read_hoa(text, source)


def read_json(text: str, source: str = "automaton") -> Form:
    """Return the automaton of a JSON text, of the kind it names."""
    try:
        form = ANY_FORM.validate_json(text)
    except ValidationError as error:
        raise InputError(
            f"{source}: {first_reason(error)}", suggestion="docs/automata.md has the fields"
        ) from None
    if form.claims.stutter_invariant:
        require_stutter_invariance(as_spot(form))
    return form
