"""The property of a check, from wherever it comes, as the automaton of the forbidden behaviours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import ValidationError

from buchi.common.complaints import Complaint
from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.models import kept
from buchi.models.frontend import Loaded
from buchi.models.guarded import Meaning, Model
from buchi.pipeline import isolation
from buchi.pipeline.judge import Judge, judge_automaton, judge_formula, judge_hoa
from buchi.pipeline.loading import read_text
from buchi.pipeline.options import AUTO
from buchi.schemas.automaton import Automaton
from buchi.schemas.certificate import ContestFormula
from buchi.schemas.forms import Tlba
from buchi.schemas.kind_schemas import ANY_FORM, Form
from buchi.schemas.kinds import Kind
from buchi.schemas.testing import TestingAutomaton

AutomatonLike: TypeAlias = Path | str | Form
"""The file of an automaton, or an automaton as a value, such as `translate` makes."""


class Given(NamedTuple):
    """How a property was given, and its text."""

    how: Literal["ltl", "contest", "end", "hoa", "form", "process"]
    text: str = ""


BY_MODEL = Given("process")
"""The model itself declares it."""


@dataclass(frozen=True)
class Forbidden:
    """What must not happen: a formula or automaton, what its propositions mean, and who judges a run."""

    value: Any
    judge: Judge
    meanings: Mapping[str, Meaning] = field(default_factory=dict)
    given: Given = BY_MODEL


def forbidden_by(
    ltl: str | None, automaton: AutomatonLike | None, loaded: Loaded, source: str, ends: str | None = None
) -> Forbidden:
    """Return what the formula, the automaton or else the model itself forbids, or that it ends but in some states."""
    if ends is not None:
        if ltl is not None or automaton is not None:
            others = f"{option('ltl')} and {option('automaton')}"
            raise InputError(f"{option('deadlock_free')} and {option('end')} exclude {others}")
        return _by_ends(ends, loaded.model)
    if ltl is not None and automaton is not None:
        both = f"{option('ltl')} and {option('automaton')}"
        raise InputError(f"{both} exclude each other", suggestion="give one of them")
    if ltl is not None:
        return _by_formula(ltl, loaded.model)
    if isinstance(automaton, Path | str):
        return _by_file(Path(automaton), loaded.model)
    if automaton is not None:
        return _by_value(automaton, loaded.model)
    return _by_model(loaded, source)


def forbidden_again(given: Given, loaded: Loaded, source: str) -> Forbidden:
    """Return what is forbidden by a property as it was given before. Raises InputError."""
    if given.how == "ltl":
        return _by_formula(given.text, loaded.model)
    if given.how == "contest":
        return _by_contest(given.text, loaded.model, source)
    if given.how == "end":
        return _by_ends(given.text, loaded.model)
    if given.how == "hoa":
        return _by_hoa(given.text, source, loaded.model)
    if given.how == "form":
        return _by_value(_form_of(given.text, source), loaded.model)
    return _by_model(loaded, source)


def _form_of(text: str, source: str) -> Form:
    try:
        return ANY_FORM.validate_json(text)
    except ValidationError as error:
        raise InputError(f"{source}: the automaton is wrong: {Complaint.of(error)}") from None


def _by_formula(text: str, model: Model) -> Forbidden:
    from buchi.translators.ltl import parse_ltl

    isolation.stage("reading the formula", reads=True)
    negated = parse_ltl(text, option("ltl"), names={*model.index, *model.constants}).negated()
    return Forbidden(
        negated, judge_formula(negated), _meanings(negated.propositions, model), Given("ltl", text)
    )


def _by_contest(text: str, model: Model, source: str) -> Forbidden:
    from buchi.translators.ltl import parse_ltl

    try:
        asked = ContestFormula.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{source}: the formula is wrong: {Complaint.of(error)}") from None
    negated = parse_ltl(asked.formula, source).negated()
    unknown = set(negated.propositions) - set(asked.propositions)
    if unknown:
        raise InputError(f"{source}: nothing tells what {min(unknown)} says")
    meanings = _meanings(asked.propositions.values(), model)
    by_name = {name: meanings[said] for name, said in asked.propositions.items()}
    return Forbidden(negated, judge_formula(negated), by_name, Given("contest", text))


def _by_ends(text: str, model: Model) -> Forbidden:
    from buchi.translators.ltl import is_of_states, parse_ltl

    isolation.stage("reading the formula", reads=True)
    if "deadlock" in {*model.index, *model.constants}:
        raise InputError(
            "the model calls something else deadlock, and its names win",
            suggestion="give it another name there",
        )
    allowed = parse_ltl(text, option("end"), names={*model.index, *model.constants})
    if not is_of_states(allowed):
        raise InputError(
            f"{option('end', text)} is to say something of states, without temporal operators",
            suggestion=f"try {option('end', 'P.done && Q.done')}",
        )
    return replace(
        _by_formula(f"G (deadlock -> ({allowed.formula}))", model), given=Given("end", allowed.formula)
    )


def _by_file(path: Path, model: Model) -> Forbidden:
    isolation.stage(f"reading {path}", reads=True)
    return _by_hoa(read_text(path), str(path), model)


def _by_hoa(text: str, source: str, model: Model) -> Forbidden:
    from buchi.translators.hoa import read_hoa

    automaton = read_hoa(text, source)
    meanings = _meanings(automaton.propositions, model)
    return Forbidden(automaton, judge_hoa(text), meanings, Given("hoa", text))


def _by_value(automaton: Form, model: Model) -> Forbidden:
    """Take an automaton of any form; that its language is stutter-invariant is looked at again where it matters."""
    if "kind" not in type(automaton).model_fields:
        raise InputError(
            "this automaton is of no kind", suggestion="give a Tgba, Tlba, … of buchi.schemas.forms"
        )
    if not isinstance(automaton, TestingAutomaton):
        claims = automaton.claims.model_copy(update={"stutter_invariant": False})
        automaton = automaton.model_copy(update={"claims": claims})
    meanings = _meanings(automaton.propositions, model)
    return Forbidden(
        automaton, judge_automaton(automaton), meanings, Given("form", automaton.model_dump_json())
    )


def _by_model(loaded: Loaded, source: str) -> Forbidden:
    from buchi.translators.hoa import write_hoa

    if loaded.forbidden is None:
        raise InputError(
            f"{source} has no property process",
            suggestion=f"give a property by {option('ltl')} or {option('automaton')}",
        )
    automaton = Tlba.model_validate(dict(loaded.forbidden))
    return Forbidden(automaton, judge_hoa(write_hoa(automaton)), loaded.propositions)


def _meanings(names: Iterable[str], model: Model) -> dict[str, Meaning]:
    def parsed(name: str) -> Meaning:
        from buchi.models.propositions import parse_meaning

        return parse_meaning(name, model)

    return kept.meanings(names, model, parsed)


def kind_to_check(value: Any, via: Kind | None, checker: str) -> Kind:
    """Return the kind to check: `via` if given, for a formula a TGBA, else the automaton as it is.

    Where `auto` is to choose the checker, an automaton with Fin becomes a Fin-less one, whose clauses are checked at
    once: Bloemen, Duret-Lutz & van de Pol (2019) advise it.
    """
    if via is not None:
        return via
    if value.kind is Kind.LTL:
        return Kind.TGBA
    is_one = isinstance(value, Automaton) and not value.further
    has_fin = is_one and any(clause.fin for clause in value.acceptance)
    return Kind.TFLA if has_fin and checker == AUTO else Kind(value.kind)
