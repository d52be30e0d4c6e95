"""Keeps the texts of the models that have counterexamples, beside the results: a report shows them."""

from __future__ import annotations

from collections.abc import Mapping

from buchi.common.errors import InputError
from buchi.pipeline.experiments.run import Model, digest
from buchi.pipeline.experiments.store import Store
from buchi.pipeline.loading import read_text
from buchi.schemas.run import RunRecord

LONGEST = 1 << 18
"""Characters of a text that is kept: what people write is shorter."""


def source_of(record: RunRecord) -> str | None:
    """Return by what the text of a run's model is found; a file of others may say anything there."""
    model = record.configuration.get("model")
    found = model.get("sha256") if isinstance(model, Mapping) else None
    return found if isinstance(found, str) else None


class Sources:
    """The models of an experiment by their digests; each text is kept when the first counterexample comes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._models: dict[str, Model] = {}

    def note(self, model: Model) -> None:
        """Know a model."""
        self._models.setdefault(model.digest, model)

    def keep(self, source: str | None) -> None:
        """Keep a text, unless it is there, or is not what it was any more."""
        model = self._models.pop(source, None) if source is not None else None
        if model is None:
            return
        try:
            text = read_text(model.path) if model.text is None else model.text
        except InputError:
            return
        if len(text) <= LONGEST and digest(text) == model.digest:
            self._store.keep_source(model.digest, text)
