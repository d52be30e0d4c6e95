"""What a translator is: one file, one conversion, declared as data so that the pipeline can chain it."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict

from buchi.schemas.kinds import Kind


class Options(BaseModel):
    """Base of the options of a translator; every option has a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


@runtime_checkable
class Translator(Protocol):
    """A conversion from values of one kind to values of another (entry point group `buchi.translators`).

    `run` is given a validated value of the schema of `source` and an instance of `Options`; it returns a
    value of the schema of `target`, which the schema validates. It raises `InputError` when the value has
    no counterpart of the target kind (and says why), and `LimitReached` when it gives up. It keeps no
    state: the same value and options give the same result. The members below are declared as class
    attributes. A translator may declare a `cost` other than 1: the pipeline takes the cheapest route.
    """

    @property
    def name(self) -> str:
        """On the command line and in results, such as `ltl-tgba`."""
        ...

    @property
    def source(self) -> Kind:
        """The kind it takes."""
        ...

    @property
    def target(self) -> Kind:
        """The kind it makes."""
        ...

    @property
    def summary(self) -> str:
        """One line for `buchi plugins`."""
        ...

    @property
    def paper(self) -> str:
        """Where the construction is from; empty when it is folklore."""
        ...

    @property
    def options(self) -> type[Options]:
        """The class of its options."""
        ...

    def run(self, value: Any, options: Any) -> Any:
        """Convert `value`."""
        ...
