"""Automata in files: HOA, or the JSON of our schemas. What a file claims of an automaton is checked."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from buchi.common.complaints import Complaint
from buchi.common.errors import InputError
from buchi.schemas.kind_schemas import ANY_FORM, Form
from buchi.translators.hoa import read_hoa
from buchi.translators.spot_helpers.stuttering import require_stutter_invariance
from buchi.translators.spot_helpers.view import as_spot


def read_automaton(text: str, source: str = "automaton") -> Form:
    """Return the automaton of a HOA or JSON text. Raise `InputError` if it is bad."""
    return read_json(text, source) if text.lstrip().startswith("{") else read_hoa(text, source)


def read_json(text: str, source: str = "automaton") -> Form:
    """Return the automaton of a JSON text, of the kind it names."""
    try:
        form = ANY_FORM.validate_json(text)
    except ValidationError as error:
        raise InputError(
            f"{source}: {Complaint.of(error)}", suggestion="docs/automata.md has the fields"
        ) from None
    _check_names(form.propositions, source)
    if form.claims.stutter_invariant:
        _check_stuttering(form, source)
    return form


def _check_names(names: Iterable[str], source: str) -> None:
    """Refuse names that cannot be printed as one line: nobody means them, and terminals obey them."""
    for name in names:
        if not name.isprintable():
            raise InputError(f"{source}: the proposition {name!a} has characters that cannot be printed")


def _check_stuttering(form: Form, source: str) -> None:
    try:
        require_stutter_invariance(as_spot(form))
    except RuntimeError as error:
        raise InputError(f"{source}: stutter_invariant cannot be checked: {error}") from None
