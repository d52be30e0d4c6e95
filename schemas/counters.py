"""What a search counts, under the names of the engine.

Nothing slow is imported here: a short command needs no schema. `schemas/counted.py` has the schemas of the same names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counters:
    """The counters of a search."""

    states: int = 0
    """States stored."""
    transitions: int = 0
    """Transitions generated."""
    post_calls: int = 0
    """How often the successors of a state were computed."""
    reduced_posts: int = 0
    """Of these, how often some successors were left out, by a reduced search."""
    left_out: int = 0
    """Successors in the model that were left out."""
    max_depth: int = 0
    """The longest search path."""
    max_stack: int = 0
    """Most roots or states of open components that were stacked beside the path, by checks that have such a stack."""
    components: int = 0
    """Strongly connected components that were explored completely, by checks that tell them apart."""
    passes: int = 1
    """Searches over the product; `tarjan+` and `tgrp` may need more than one."""
    seconds: float = 0.0
    bytes: int = 0
