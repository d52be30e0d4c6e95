"""What an automaton may claim of itself."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Claims(BaseModel):
    """Properties that an automaton may claim. False says nothing; True is checked.

    `stutter_invariant` speaks of the language, which a schema cannot check: translators claim it on Spot's
    verdict, and files that claim it are checked with Spot when they are read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    deterministic: bool = False
    """No word has two runs."""
    weak: bool = False
    """All edges within one strongly connected component have the same marks."""
    terminal: bool = False
    """Weak, and a run that has entered an accepting component accepts whatever follows."""
    stutter_invariant: bool = False
    """Repeating or merging equal letters of a word does not change its membership."""
