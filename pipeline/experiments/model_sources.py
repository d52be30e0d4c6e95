"""The models of an experiment: files, patterns, random families and structures written out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from buchi.models.documents import read_document
from buchi.models.kripke_files import KripkeDocument
from buchi.pipeline import registry
from buchi.pipeline.experiments.folders import Folders
from buchi.pipeline.experiments.run import Model, digest
from buchi.pipeline.loading import frontend_for, read_text
from buchi.schemas.errors import InputError
from buchi.schemas.experiment import ExplicitModel, ModelFile, ModelGlob, ModelSource, RandomModels, numbers


def models_of(folders: Folders) -> list[Model]:
    """Return the models in their order; those of the same name are told apart by their files. Raises InputError."""
    sources = folders.document.experiment.models
    found = [model for i, source in enumerate(sources) for model in _models(source, folders, i)]
    often = Counter(model.name for model in found)
    return [replace(model, name=model.file) if often[model.name] > 1 else model for model in found]


def _models(source: ModelSource, folders: Folders, index: int) -> Iterator[Model]:
    where = ("models", index)
    if isinstance(source, str):
        source = ModelGlob(glob=source) if "*" in source else ModelFile(file=source)
    if isinstance(source, ModelFile):
        yield _from_file(folders.find(source.file, *where), folders, source.name)
    elif isinstance(source, ModelGlob):
        for path in folders.match(source.glob, source.exclude, *where):
            yield _from_file(path, folders)
    elif isinstance(source, RandomModels):
        yield from _random(source)
    else:
        yield _explicit(source, folders, index)


def _from_file(path: Path, folders: Folders, name: str | None = None) -> Model:
    frontend = frontend_for(path, registry.frontends().values())
    suffix = max((s for s in frontend.suffixes if path.name.endswith(s)), key=len)
    shown = name or path.name.removesuffix(suffix)
    return Model(shown, folders.relative(path), path.absolute(), digest(read_text(path)))


def _random(source: RandomModels) -> Iterator[Model]:
    """Yield a description for each seed; the structure is made where it is needed."""
    for seed in numbers(source.seeds):
        text = json.dumps(source.random.model_dump() | {"seed": seed})
        yield _inline(f"{source.name}-{seed}", ".random.json", text)


def _explicit(source: ExplicitModel, folders: Folders, index: int) -> Model:
    text = json.dumps(source.kripke)
    try:
        read_document(text, source.name, KripkeDocument)
    except InputError as error:
        raise folders.document.error(error.message, "models", index, "kripke") from None
    return _inline(source.name, ".kripke.json", text)


def _inline(name: str, suffix: str, text: str) -> Model:
    file = f"{name}{suffix}"
    return Model(name, file, Path(file), digest(text), text)
