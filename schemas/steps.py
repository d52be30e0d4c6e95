"""The steps of a run. A run of millions is kept as packed state vectors; a `Step` is made when it is looked at."""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain
from typing import Annotated, Any, NamedTuple, TypeAlias, overload

from pydantic import (
    BaseModel,
    ConfigDict,
    PlainSerializer,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from buchi.schemas.told import Notes

BATCH = 1000
"""Steps that become JSON at once."""


SHOWN = 20
"""More steps than this are not spelt out where a value is printed."""


class Value(BaseModel):
    """Base of the values that results are made of: immutable, and nothing but the declared fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


@dataclass(frozen=True, slots=True)
class Step:
    """A state of a run, and the command taken in it.

    The command is None where none is enabled and the run stays here, and in the last state of a run that ends.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    command: str | None
    state: dict[str, str]

    def changes(self, before: Step) -> dict[str, str]:
        """Return the values that differ from those of the step before."""
        return {name: value for name, value in self.state.items() if before.state.get(name) != value}


def record_of(step: Step, **more: Any) -> dict[str, Any]:
    """Return a step as a row of a table: the command, and the values of the variables, numbers as such."""
    row = {"command": step.command, **more}
    for name, value in step.state.items():
        row[f"{name} (variable)" if name in row else name] = int(value) if _NUMBER.fullmatch(value) else value
    return row


_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Layout(NamedTuple):
    """How a state is packed, and of each value its name and the names of what it can be.

    First come values as `struct` has them, then bytes of small ones: how many bits each has, the lowest first.
    """

    format: str
    elements: tuple[tuple[str, tuple[str, ...]], ...]
    small: tuple[tuple[int, ...], ...] = ()

    def pack(self, values: Sequence[int]) -> bytes:
        """Return a state as bytes."""
        whole = len(values) - sum(map(len, self.small))
        rest = iter(values[whole:])
        packed = (
            sum(next(rest) << place for place in accumulate(bits[:-1], initial=0)) for bits in self.small
        )
        return struct.pack(self.format, *values[:whole]) + bytes(packed)

    def unpack(self, vectors: bytes | bytearray, index: int = 0) -> tuple[int, ...]:
        """Return the state of this index among states that follow each other."""
        size = struct.calcsize(self.format)
        start = index * (size + len(self.small))
        values = struct.unpack_from(self.format, vectors, start)
        if not self.small:
            return values
        rest = vectors[start + size : start + size + len(self.small)]
        return values + tuple(chain(*map(_small_values, self.small, rest)))

    def show(self, values: Sequence[int]) -> dict[str, str]:
        """Return a state by the names of its values."""
        return {
            name: shown_value(value, names)
            for value, (name, names) in zip(values, self.elements, strict=True)
        }


@cache
def _small_values(bits: tuple[int, ...], byte: int) -> tuple[int, ...]:
    """Return the values in a byte."""
    places = zip(accumulate(bits, initial=0), bits, strict=False)
    return tuple(byte >> place & (1 << wide) - 1 for place, wide in places)


def shown_value(value: int, names: Sequence[str]) -> str:
    """Return the name of a value, or the number where it has none."""
    return names[value] if 0 <= value < len(names) else str(value)


@dataclass(frozen=True, eq=False)
class PackedSteps(Sequence[Step]):
    """Steps in as many bytes as their states have, and a few more."""

    layout: Layout
    commands: Sequence[str]
    taken: array[int]
    """For each step the number of its command, or -1 where none is enabled."""
    vectors: bytes | bytearray
    notes: Notes | None = None

    def __len__(self) -> int:
        return len(self.taken)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        if isinstance(index, slice):
            return tuple(self._step(i) for i in range(*index.indices(len(self))))
        return self._step(range(len(self))[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(tuple(self)) if len(self) <= SHOWN else f"<{len(self):,} steps>"

    def _step(self, index: int) -> Step:
        values = self.layout.unpack(self.vectors, index)
        command = None if self.taken[index] < 0 else self.commands[self.taken[index]]
        return Step(command, self.layout.show(values))


def _kept(given: Any, validate: ValidatorFunctionWrapHandler) -> Sequence[Step]:
    """Leave packed steps as they are: they were made here."""
    return given if isinstance(given, PackedSteps) else tuple(validate(given))


def _listed(steps: Sequence[Step]) -> list[Step]:
    return list(steps)


Steps: TypeAlias = Annotated[
    Sequence[Step], WrapValidator(_kept), PlainSerializer(_listed, return_type=list[Step])
]
"""The field of a value that holds steps."""


def json_of(steps: Sequence[Step], between: str) -> Iterator[str]:
    """Yield the elements of a JSON array piece by piece; `between` follows the comma."""
    comma = f",{between}"
    for start in range(0, len(steps), BATCH):
        texts = (_serializer().to_json(step).decode() for step in steps[start : start + BATCH])
        yield (comma if start else "") + comma.join(texts)


@cache
def _serializer() -> Any:
    return TypeAdapter(Step).serializer
