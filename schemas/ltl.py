"""An LTL formula as a value, and the one spelling of a proposition.

The same proposition is written `P_1!="p9"` in a formula, `P_1!='p9'` in a HOA file and `P_1 != p9` by hand;
a formula and an automaton speak of the same thing only when both use the spelling made here. The quotes can
go: a process is compared with nothing but its states.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict

from buchi.schemas.kinds import Kind

_ESCAPED = re.compile(r"\\([\[\].\"'])")
_QUOTED_NAME = re.compile(r"""(["'])(\w+)\1""")
_SPACE = re.compile(r"\s+")
_LOOSE = re.compile(r"(?<=[^\w\s]) (?=[\w'\"()\[\]])|(?<=[\w'\"()\[\]]) (?=[^\w\s])")


def canonical_proposition(text: str) -> str:
    """Return the spelling used everywhere.

    No escapes, no quotes around names, no blank that is not needed.
    """
    plain = _QUOTED_NAME.sub(r"\2", _ESCAPED.sub(r"\1", text)).replace('"', "'")
    return _LOOSE.sub("", _SPACE.sub(" ", plain.strip()))


class Ltl(BaseModel):
    """A formula in the syntax of Spot, with quoted propositions where needed.

    Made by `translators.ltl.parse_ltl`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal[Kind.LTL] = Kind.LTL
    formula: str
    propositions: tuple[str, ...]
    """The propositions of the formula, in canonical spelling."""

    def negated(self) -> Ltl:
        """Return the formula of the forbidden behaviours."""
        return self.model_copy(update={"formula": f"!({self.formula})"})

    def __str__(self) -> str:
        return self.formula
