"""Several files of results as one: what is in any of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from buchi.pipeline.experiments.store import Store


@dataclass(frozen=True)
class Together:
    """Files of results that are open."""

    stores: Sequence[Store]

    @classmethod
    @contextmanager
    def open(cls, paths: Sequence[str]) -> Iterator[Together]:
        """Open files to be read, for as long as a block runs. Raises InputError."""
        with ExitStack() as stack:
            yield cls([stack.enter_context(Store.open(path, must_exist=True)) for path in paths])

    def counterexample(self, key: str) -> Any:
        """Return the counterexample of a run as it was kept, which may be anything; None where there is none."""
        return next(
            (found for store in self.stores if (found := store.counterexample(key)) is not None), None
        )

    def source(self, digest: str) -> str | None:
        """Return the text of a model, if it was kept."""
        return next((found for store in self.stores if (found := store.source(digest)) is not None), None)
