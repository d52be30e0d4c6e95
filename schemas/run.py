"""One run of an experiment, as the store keeps it and the report reads it."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from buchi.schemas.result import Verdict


class RunStatus(str, Enum):
    """How a run ended: with a verdict (`unknown` included), with an error, or by its worker's death."""

    DONE = "done"
    FAILED = "failed"
    KILLED = "killed"


Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Seconds = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
"""Bounds that no run reaches, within which all statistics can be computed."""


class Measured(BaseModel):
    """What a run counted; None where it did not get that far."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    automaton_states: Count | None = None
    automaton_edges: Count | None = None
    automaton_sets: Count | None = None
    automaton_pairs: Count | None = None
    states: Count | None = None
    transitions: Count | None = None
    post_calls: Count | None = None
    max_depth: Count | None = None
    seconds: Seconds | None = None
    cpu_seconds: Seconds | None = None
    bytes: Count | None = None
    peak_bytes: Count | None = None
    counterexample_length: Count | None = None


class RunRecord(BaseModel):
    """A run: what was run, where, and what came out.

    `key` is a hash of all that decides the outcome, so that the same run is recognised when an experiment is resumed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    experiment: str
    model: str
    formula_id: str
    formula: str
    route: str
    kind: str
    checker: str
    workers: Count
    repetition: Count
    status: RunStatus
    verdict: Verdict | None
    reason: str | None
    message: str | None
    measured: Measured
    started: str
    versions: dict[str, str]
    machine: dict[str, str]
    configuration: dict[str, Any]
    counterexample: dict[str, Any] | None
