"""Certifies: reads again what a certificate is about, lets a checker look at it, and tells what is left to trust."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Literal, get_args

from buchi import _engine
from buchi.common.ends import Limits
from buchi.common.errors import InputError, Place
from buchi.common.labels import Cube
from buchi.common.option_names import option
from buchi.common.structure import is_complete
from buchi.models import backends
from buchi.models.backends import Backend
from buchi.models.evaluate import Evaluator
from buchi.models.frontend import Loaded
from buchi.models.guarded import Model, Type
from buchi.models.stubborn import stubborn_sets
from buchi.pipeline import isolation, memory, registry
from buchi.pipeline.certificates import fast, small
from buchi.pipeline.certificates.container import Reader
from buchi.pipeline.certificates.hoa_table import Table, read_table
from buchi.pipeline.certificates.language import accepts_all_forbidden
from buchi.pipeline.certificates.small import Fair, Subject
from buchi.pipeline.certificates.writing import bytes_for
from buchi.pipeline.fairness import conditions
from buchi.pipeline.keeping import kept_for
from buchi.pipeline.loading import frontend_for, read_text, translated
from buchi.pipeline.options import CheckOptions, FairBy, FairTo
from buchi.pipeline.options import Fair as Strength
from buchi.pipeline.properties import Forbidden, Given, forbidden_again
from buchi.pipeline.reduction import Kept
from buchi.pipeline.search import Deadline
from buchi.schemas.certificate import CertificateHead, Certified, ModelText

By = Literal["small", "fast"]
FEW = 1000
"""States up to which the small checker is taken, where nothing else is asked for."""


@dataclass(frozen=True)
class Question:
    """How to certify: by which checker, with how many threads, and until when."""

    by: By | None = None
    workers: int = 1
    deadline: Deadline = field(default_factory=lambda: Deadline(None))


def certify_file(
    path: Path | str, model: Path | str | None, by: str | None, workers: int, limits: Limits
) -> Certified:
    """Check the certificate in a file; where `model` is given, it has to be of the model in that file."""
    if by is not None and by not in get_args(By):
        raise InputError(f"{option('by', by)} is not a checker", suggestion="it is small or fast")
    isolation.limit(limits.seconds, limits.bytes or memory.default_limit())
    question = Question(
        "small" if by == "small" else "fast" if by else None, workers, Deadline(limits.seconds)
    )
    text = None if model is None else read_text(Path(model))
    try:
        with open(path, "rb") as file:
            return certify(file, str(path), question, text=text)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Place(str(path))) from None


def certify(
    file: BinaryIO,
    source: str,
    question: Question,
    loaded: Loaded | None = None,
    text: str | None = None,
) -> Certified:
    """Check a certificate. Raises InputError where it proves nothing, and LimitReached.

    `loaded` is the model where it is known; else it is read from the text in the certificate, which is to be `text` if
    that is given.
    """
    started = time.monotonic()
    isolation.stage(f"reading {source}", reads=True)
    reader = Reader(file, source)
    head = reader.head
    if text is not None and (head.model is None or head.model.text != text):
        raise InputError("the certificate is of another model", Place(source))
    model = loaded or _loaded(head.model, source)
    forbidden = forbidden_again(Given(head.property.given, head.property.text), model, source)
    subject = _subject(head, model.model, forbidden, source)
    by = question.by or ("small" if head.states <= FEW else "fast")
    look = question.deadline.remaining
    trusted: list[str] = []
    isolation.stage("checking the certificate")
    successors: Literal["evaluator", "compiled", "interpreted"] = "evaluator"
    if by == "small":
        states = small.check(reader, subject, source, look)
    else:
        engine, backend = _other_backend(model.model, head.backend)
        successors = "compiled" if backend is Backend.COMPILED else "interpreted"
        if successors == head.backend:
            trusted.append("successors are those of the search: there is no compiler")
        states = fast.check(reader, subject, engine, source, look, question.workers)
    if head.reduced:
        trusted.append("which commands may meet, enable one another, be seen and break cycles")
    trusted += _trusted(head, subject.table, forbidden, model.model, source)
    seconds = time.monotonic() - started
    return Certified(by=by, successors=successors, states=states, trusted=tuple(trusted), seconds=seconds)


def _loaded(text: ModelText | None, source: str) -> Loaded:
    """Read the model again from the text in a certificate. Raises InputError."""
    if text is None:
        raise InputError("the certificate is of a model that was no file", Place(source))
    if sha256(text.text.encode()).hexdigest() != text.sha256:
        raise InputError("the text of the model is not the one that its hash is of", Place(source))
    frontend = frontend_for(Path(text.name), registry.frontends().values())
    loaded = translated(
        frontend, text.text, text.name, text.constants, overflow_is_error=text.overflow == "error"
    )
    return loaded if text.types is None else replace(loaded, model=_widened(loaded.model, text.types, source))


def _widened(model: Model, types: Iterable[str], source: str) -> Model:
    """Return a model with wider variables; where one does not fit, no state of it will."""
    wanted = [Type.__members__.get(name) for name in types]
    known = {Type.WORD, Type.COUNT32}
    fits = len(wanted) == len(model.variables) and all(
        new is variable.type or (new in known and model.widens and _is_wider(new, variable.type))
        for new, variable in zip(wanted, model.variables, strict=True)
    )
    if not fits:
        raise InputError("the types of the variables do not go with the model", Place(source))
    pairs = zip(model.variables, wanted, strict=True)
    return replace(model, variables=tuple(replace(v, type=new) for v, new in pairs if new is not None))


def _is_wider(new: Type | None, old: Type) -> bool:
    return new is not None and old.low == new.low and old.high < new.high


def _subject(head: CertificateHead, model: Model, forbidden: Forbidden, source: str) -> Subject:
    table = read_table(head.automaton, head.letter, head.automaton_states, source)
    unknown = set(table.propositions) - set(forbidden.meanings)
    if unknown:
        raise InputError(f"the property has no proposition {min(unknown)}", Place(source))
    if head.width != model.width + bytes_for(table.states):
        raise InputError("the rows are not as wide as the states of the model", Place(source))
    wanted = tuple(FairTo(Strength(one.strength), one.names) for one in head.fair)
    fair, mark = [], table.sets
    for condition in conditions(model, wanted, FairBy(head.fair_by)):
        fair.append(Fair(condition.strength is Strength.STRONG, condition.commands, mark))
        mark += 1 + fair[-1].strong
    if mark > 32 or 2 ** sum(one.strong for one in fair) * len(table.clauses) > 1 << 12:
        raise InputError("the acceptance has too many conditions", Place(source))
    sets = stubborn_sets(model, _kept(head, model, forbidden).observed) if head.reduced else None
    stutter = head.deadlock == "stutter"
    return Subject(Evaluator(model), forbidden.meanings, table, tuple(fair), stutter, sets)


def _other_backend(model: Model, used: str) -> tuple[_engine.Model, Backend]:
    """Return the model as the other back-end executes it than the one that was used, if there is a compiler."""
    wanted = Backend.INTERPRETED if used == Backend.COMPILED.value else Backend.COMPILED
    try:
        built = backends.build(model, wanted)
    except InputError:
        built = backends.build(model, Backend.INTERPRETED)
    return built.engine, built.backend


def _kept(head: CertificateHead, model: Model, forbidden: Forbidden) -> Kept:
    """Return what the reduction of a search had to keep. Raises InputError where there is none for the property."""
    fair = tuple(FairTo(Strength(one.strength), one.names) for one in head.fair)
    ends = head.property.text if head.property.given == "end" else None
    return kept_for(model, forbidden, CheckOptions(fair=fair, ends=ends))


def _trusted(
    head: CertificateHead, table: Table, forbidden: Forbidden, model: Model, source: str
) -> Iterable[str]:
    judged = accepts_all_forbidden(head, table, forbidden, source)
    if judged is False:
        raise InputError(
            "the certificate is refused: its automaton does not accept all that the property forbids",
            Place(source),
        )
    if judged is None:
        yield "the automaton is one of the negated property: it is too large for Spot to tell"
    edges = ((edge.source, (Cube(*edge.cube),)) for edge in table.edges)
    if model.assertions and not is_complete(range(table.states), edges):
        yield "no assertion fails in states that the automaton keeps a search from"
