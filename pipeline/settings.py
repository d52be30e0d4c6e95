"""From the words of the command line to the typed options of the pipeline."""

from __future__ import annotations

import re

from buchi.pipeline.memory import parse_size
from buchi.schemas.errors import InputError
from buchi.schemas.result import Limits


def limits(timeout: float | None, max_states: int | None, max_memory: str | None) -> Limits:
    """Return the limits of a run."""
    _check_positive("--timeout", timeout)
    _check_positive("--max-states", max_states)
    size = None if max_memory is None else parse_size(max_memory)
    return Limits(seconds=timeout, states=max_states, bytes=size)


def _check_positive(option: str, value: float | None) -> None:
    if value is not None and not value > 0:
        raise InputError(f"{option} must be more than 0, not {value:g}")


def parse_order(text: str) -> int | None:
    """Return the seed of `random:SEED`, None for the order of the model."""
    if text == "model":
        return None
    match = re.fullmatch(r"random:(\d+)", text)
    if match is None or int(match[1]) >= 1 << 64:
        raise InputError(
            f"--order {text} is not an order", suggestion="give `model` or `random:SEED`, such as random:7"
        )
    return int(match[1])
