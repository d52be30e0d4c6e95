"""The counters of a search in results, where they are always there, and in tables, where they may not be."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from buchi.schemas.steps import Value

Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Seconds = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
"""Bounds that no run reaches, within which all statistics can be computed."""


class Counted(Value):
    """The fields of `Counters`."""

    states: Count
    transitions: Count
    post_calls: Count
    reduced_posts: Count = 0
    left_out: Count = 0
    max_depth: Count
    max_stack: Count
    components: Count
    passes: Count
    seconds: Seconds
    bytes: Count


class MaybeCounted(Value):
    """The fields of `Counters`, None where nothing was searched."""

    states: Count | None = None
    transitions: Count | None = None
    post_calls: Count | None = None
    reduced_posts: Count | None = None
    left_out: Count | None = None
    max_depth: Count | None = None
    max_stack: Count | None = None
    components: Count | None = None
    passes: Count | None = None
    seconds: Seconds | None = None
    bytes: Count | None = None
