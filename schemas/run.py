"""One run of an experiment, as the store keeps it and the report reads it."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict

from buchi.schemas.result import Verdict


class RunStatus(str, Enum):
    """How a run ended: with a verdict (`unknown` included), with an error, or by its worker's death."""

    DONE = "done"
    FAILED = "failed"
    KILLED = "killed"


class Measured(BaseModel):
    """What a run counted; None where it did not get that far."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    automaton_states: int | None = None
    automaton_edges: int | None = None
    automaton_sets: int | None = None
    automaton_pairs: int | None = None
    states: int | None = None
    transitions: int | None = None
    post_calls: int | None = None
    max_depth: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    bytes: int | None = None
    peak_bytes: int | None = None
    counterexample_length: int | None = None


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
    workers: int
    repetition: int
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
