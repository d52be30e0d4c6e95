"""Reads an experiment file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from buchi.pipeline import yaml_documents
from buchi.schemas.experiment import Experiment

_EXPERIMENT = yaml_documents.Kind(
    Experiment,
    "an experiment",
    "the keys models, formulas, …",
    "put the formulas into a file, and the structures into files of models",
)


@dataclass(frozen=True)
class Document(yaml_documents.Document[Experiment]):
    """An experiment, where it was read, and where its parts are in the text."""

    @property
    def experiment(self) -> Experiment:
        """What the file says."""
        return self.value

    @property
    def name(self) -> str:
        """The name of the experiment: that of the file unless it says another."""
        return self.experiment.name or self.path.name.removesuffix(self.path.suffix)


def read_experiment(path: Path | str) -> Document:
    """Read an experiment file. Raises InputError."""
    read = _EXPERIMENT.read(path)
    return Document(read.value, read.path, read.text, read.places)
