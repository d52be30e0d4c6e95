"""Looks at what is to be run before anything runs: models that cannot be read, propositions that are misspelt.

Each model is loaded once, and each formula is given its meaning in it. A random structure stands for its family: its
propositions have a meaning whatever its states, and so one with a single state will do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import chain, groupby

from buchi.common.errors import InputError
from buchi.models.documents import read_document
from buchi.models.frontend import Loaded
from buchi.models.kripke import check_propositions
from buchi.models.random import RandomStructures
from buchi.models.random_structures import RandomDocument, random_structure
from buchi.pipeline import registry
from buchi.pipeline.experiments.run import Model, Question, Run
from buchi.pipeline.loading import frontend_for, read_text, translated
from buchi.pipeline.options import Overflow
from buchi.pipeline.properties import forbidden_by


def check(runs: Iterable[Run]) -> None:
    """Refuse a mistake that would make runs fail. Raises InputError."""
    known: set[Hashable] = set()
    for model, some in groupby(runs, key=lambda run: run.model):
        first = next(some)
        names, loaded = _loaded(model, first.options.overflow)
        for run in chain([first], some):
            asked = names, run.question.ltl, run.question.digest
            if asked not in known:
                known.add(asked)
                _check_meaning(run.question, loaded, model)


def _loaded(model: Model, overflow: Overflow) -> tuple[Hashable, Loaded]:
    """Return a model, and what decides the meaning of names in it. Raises InputError."""
    text = read_text(model.path) if model.text is None else model.text
    frontend = frontend_for(model.path, registry.frontends().values())
    if isinstance(frontend, RandomStructures):
        return _family(read_document(text, model.file, RandomDocument), model.file)
    overflow_is_error = overflow is Overflow.ERROR
    loaded = translated(frontend, text, model.file, model.constants, overflow_is_error=overflow_is_error)
    return model.identity, loaded


def _family(wanted: RandomDocument, source: str) -> tuple[Hashable, Loaded]:
    check_propositions(wanted.propositions, source)
    one = random_structure(wanted.model_copy(update={"states": 1}))
    return wanted.propositions, Loaded(one.model(source))


def _check_meaning(question: Question, loaded: Loaded, model: Model) -> None:
    try:
        forbidden_by(question.ltl, question.automaton, loaded, model.name)
    except InputError as error:
        what = "" if question.ltl is None else f": {question.formula}"
        message = f"{error.message} (model {model.name}, formula {question.id}){what}"
        raise InputError(message, question.place or error.place, error.suggestion) from None
