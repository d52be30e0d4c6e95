"""Random Kripke structures; `random_structures` makes them and is loaded with the first file."""

from __future__ import annotations

from typing import ClassVar

from buchi.common.interrupts import held_back
from buchi.models.frontend import Loaded


class RandomStructures:
    """The front-end for random structures."""

    name: ClassVar[str] = "random"
    suffixes: ClassVar[tuple[str, ...]] = (".random.yaml", ".random.yml", ".random.json")

    def load(self, text: str, source: str, *, overflow_is_error: bool = False) -> Loaded:
        """Generate the structure that a file describes. Raises InputError."""
        with held_back():
            from buchi.models.documents import read_document
            from buchi.models.kripke import check_propositions
            from buchi.models.random_structures import RandomDocument, random_structure
            from buchi.models.sizes import check_size

        wanted = read_document(text, source, RandomDocument)
        check_propositions(wanted.propositions, source)
        check_size(source, wanted.states, len(wanted.propositions), wanted.expected_edges())
        return Loaded(random_structure(wanted).model(source))
