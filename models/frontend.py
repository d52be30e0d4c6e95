"""What a model language provides: text in, guarded commands out, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from buchi.models.guarded import Expr, Model

if TYPE_CHECKING:
    from buchi.schemas.automaton import Automaton


class Source(NamedTuple):
    """The text that a model was read from, the name of its file without the folder, and constants given values."""

    name: str
    text: str
    constants: tuple[tuple[str, int], ...] = ()


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


@runtime_checkable
class WithConstants(Protocol):
    """A model language whose models have constants that can be given other values."""

    def load_with(
        self, constants: Mapping[str, int], text: str, source: str, *, overflow_is_error: bool = False
    ) -> Loaded:
        """Translate a model in which constants have these values. Raises InputError."""
        ...
