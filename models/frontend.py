"""What a model language provides: text in, guarded commands out, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from buchi.models.guarded import Expr, Model

if TYPE_CHECKING:
    from buchi.schemas.automaton import Automaton


class Source(NamedTuple):
    """The text that a model was read from, and the name of its file without the folder."""

    name: str
    text: str


@dataclass(frozen=True)
class Loaded:
    """A model, and the automaton of the forbidden behaviours that its file may carry.

    `propositions` gives the meaning of the property automaton's propositions; `source` is None where there is no file.
    """

    model: Model
    forbidden: Automaton | None = None
    propositions: Mapping[str, Expr] = field(default_factory=dict)
    source: Source | None = None


class Frontend(Protocol):
    """A model language. Registered under the entry point `buchi.models`."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def load(self, text: str, source: str, *, overflow_is_error: bool = False) -> Loaded:
        """Translate a model; `source` names the text in messages. Raises InputError."""
        ...
