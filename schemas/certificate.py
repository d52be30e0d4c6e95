"""What stands at the head of a certificate, and what came of certifying one."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from buchi.schemas.automaton import MAX_SETS, MAX_STATES, Letter
from buchi.schemas.counted import Count, Seconds
from buchi.schemas.kinds import Kind
from buchi.schemas.steps import Value

MOST_ROWS = 3 << 30
MOST_NUMBERINGS = 64


class ModelText(Value):
    """The model: the name of its file, which tells the language, its text and the SHA-256 of that.

    `types` are those of its variables, where they got wider while it was searched; `constants` have values other than
    those in the text.
    """

    name: str
    text: str
    sha256: str
    overflow: Literal["wrap", "error"]
    types: tuple[str, ...] | None = None
    constants: tuple[tuple[str, int], ...] = ()


class PropertyText(Value):
    """The property: a formula, where the model may end, an automaton as HOA or as a value, or the model's own."""

    given: Literal["ltl", "contest", "end", "hoa", "form", "process"]
    text: str


class ContestFormula(Value):
    """A formula of the Model Checking Contest, whose propositions have names for what they say."""

    formula: str
    propositions: dict[str, str]


class Fairness(Value):
    """To what the runs that count are fair: these, or all."""

    strength: Literal["weak", "strong"]
    names: tuple[str, ...]


class Numbering(Value):
    """Over the edges without the marks of `fin`: how many `numbers` there are."""

    fin: Annotated[int, Field(ge=0, lt=1 << MAX_SETS)]
    numbers: Annotated[int, Field(ge=0, le=MOST_ROWS)]


class CertificateHead(Value):
    """All of a certificate but the states, their numbers and the reasons."""

    model: ModelText | None
    """None where the model was no file: then who checks must have it."""
    property: PropertyText
    deadlock: Literal["stutter", "drop"]
    fair: tuple[Fairness, ...] = ()
    fair_by: Literal["process", "command"] = "process"
    reduced: bool = False
    """Does a state have only the successors by a stubborn set of commands?"""
    kind: Kind
    checker: str
    backend: Literal["compiled", "interpreted"]
    """What gave the search its successors."""
    letter: Letter
    automaton: str
    """In HOA. Unless it reads sources, its initial state is left by edges that read the first state of the model."""
    automaton_states: Annotated[int, Field(ge=1, le=MAX_STATES)]
    """Those that rows speak of."""
    states: Annotated[int, Field(ge=0, le=MOST_ROWS)]
    width: Annotated[int, Field(ge=0, le=1 << 24)]
    """Bytes of a row: the state of the model, then that of the automaton."""
    numberings: Annotated[tuple[Numbering, ...], Field(max_length=MOST_NUMBERINGS)]


class Certified(Value):
    """That a certificate was checked: by whom, with successors from where, and what remains to be trusted."""

    by: Literal["small", "fast"]
    successors: Literal["evaluator", "compiled", "interpreted"]
    states: Count
    trusted: tuple[str, ...]
    seconds: Seconds
