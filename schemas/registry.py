"""Which schema goes with which kind."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from buchi.schemas.forms import Tela, Tfla, Tgba, Tgra, Tlba
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl

SCHEMAS: dict[Kind, type[BaseModel]] = {
    Kind.LTL: Ltl,
    Kind.TLBA: Tlba,
    Kind.TGBA: Tgba,
    Kind.TGRA: Tgra,
    Kind.TFLA: Tfla,
    Kind.TELA: Tela,
}


def schema_of(kind: Kind) -> Any:
    """Return the class whose values have this kind."""
    return SCHEMAS[kind]
