"""One run of an experiment, as the store keeps it and the report reads it."""

from __future__ import annotations

from enum import Enum
from typing import Any

from buchi.common.ends import Reason, Verdict
from buchi.schemas.counted import Count, MaybeCounted, Seconds
from buchi.schemas.steps import Value


class RunStatus(str, Enum):
    """How a run ended: with a verdict (`unknown` included), with an error, or by its worker's death."""

    DONE = "done"
    FAILED = "failed"
    KILLED = "killed"


class Sizes(Value):
    """The automaton that was searched with; None where there was none."""

    automaton_states: Count | None = None
    automaton_edges: Count | None = None
    automaton_sets: Count | None = None
    automaton_pairs: Count | None = None


class Measured(MaybeCounted, Sizes):
    """What a run counted; None where it did not get that far."""

    cpu_seconds: Seconds | None = None
    peak_bytes: Count | None = None
    counterexample_length: Count | None = None
    certified_seconds: Seconds | None = None
    """What it took to certify that the property holds, where that was asked for."""


class RunRecord(Value):
    """A run: what was run, where, and what came out.

    `key` is a hash of all that decides the outcome, so that the same run is recognised when an experiment is resumed.
    """

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
    reason: Reason | None
    message: str | None
    measured: Measured
    started: str
    versions: dict[str, str]
    machine: dict[str, str]
    configuration: dict[str, Any]
    counterexample: dict[str, Any] | None
