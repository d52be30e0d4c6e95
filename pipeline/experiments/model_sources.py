"""The models of an experiment: files, patterns, random families and structures written out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

from buchi.common.errors import InputError
from buchi.models.kripke import check_propositions
from buchi.pipeline import registry
from buchi.pipeline.experiments.folders import Folders
from buchi.pipeline.experiments.run import Model, digest
from buchi.pipeline.loading import frontend_for, read_text
from buchi.schemas.experiment import (
    ExplicitModel,
    ModelFile,
    ModelGlob,
    ModelSource,
    Parameters,
    RandomModels,
    numbers,
)

MOST_MODELS = 100_000


def models_of(folders: Folders) -> list[Model]:
    """Return the models in their order; those of the same name are told apart by their files. Raises InputError."""
    sources = folders.document.experiment.models
    listed = (model for i, source in enumerate(sources) for model in _models(source, folders, i))
    found = list(dict.fromkeys(islice(listed, MOST_MODELS + 1)))  # a file may be named, and match a pattern
    if len(found) > MOST_MODELS:
        raise folders.document.error(f"these are more than {MOST_MODELS:,} models", "models")
    often = Counter(model.name for model in found)
    return [model.called(model.file) if often[model.name] > 1 else model for model in found]


def _models(source: ModelSource, folders: Folders, index: int) -> Iterator[Model]:
    where = ("models", index)
    if isinstance(source, str):
        source = ModelGlob(glob=source) if "*" in source else ModelFile(file=source)
    if isinstance(source, ModelFile):
        one = _from_file(folders.file(source.file, *where), folders, index, source.name)
        yield from _with_constants(one, source.parameters or folders.document.experiment.parameters)
    elif isinstance(source, ModelGlob):
        for path in folders.match(source.glob, source.exclude, *where):
            one = _from_file(path, folders, index)
            yield from _with_constants(one, source.parameters or folders.document.experiment.parameters)
    elif isinstance(source, RandomModels):
        yield from _random(source, folders, index)
    else:
        yield _explicit(source, folders, index)


def _with_constants(model: Model, parameters: Parameters) -> Iterator[Model]:
    """Yield a model for each choice of values of its constants."""
    if not parameters:
        yield model
        return
    for values in product(*map(numbers, parameters.values())):
        constants = tuple(zip(parameters, values, strict=True))
        yield replace(model, constants=constants).called(model.name)


def _from_file(path: Path, folders: Folders, index: int, name: str | None = None) -> Model:
    with _pointed_at(folders, "models", index):
        frontend = frontend_for(path, registry.frontends().values())
    suffix = max((s for s in frontend.suffixes if path.name.endswith(s)), key=len)
    stem = path.name.removesuffix(suffix)
    shown = name or (
        path.absolute().parent.name if stem == "model" else stem
    )  # in the contest, folders have the names
    return Model(shown, folders.relative(path), path.absolute(), digest(read_text(path)))


def _random(source: RandomModels, folders: Folders, index: int) -> Iterator[Model]:
    """Yield a description for each seed; the structure is made where it is needed."""
    with _pointed_at(folders, "models", index, "random", "propositions"):
        check_propositions(source.random.propositions, source.name)
    for seed in numbers(source.seeds):
        text = json.dumps(source.random.model_dump() | {"seed": seed})
        yield _inline(f"{source.name}-{seed}", ".random.json", text)


def _explicit(source: ExplicitModel, folders: Folders, index: int) -> Model:
    try:
        text = json.dumps(source.kripke, allow_nan=False)
    except (TypeError, ValueError) as error:
        message = f"a structure is made of texts: {error}"
        raise folders.document.error(message, "models", index, "kripke", suggestion="use quotes") from None
    model = _inline(source.name, ".kripke.json", text)
    with _pointed_at(folders, "models", index, "kripke"):
        frontend_for(model.path, registry.frontends().values()).load(model.text or "", model.file)
    return model


@contextmanager
def _pointed_at(folders: Folders, *where: str | int) -> Iterator[None]:
    """Let a mistake that is found elsewhere point at the part of the experiment that it comes from."""
    try:
        yield
    except InputError as error:
        raise folders.document.error(error.message, *where, suggestion=error.suggestion) from None


def _inline(name: str, suffix: str, text: str) -> Model:
    file = f"{name}{suffix}"
    return Model(name, file, Path(file), digest(text), text)
