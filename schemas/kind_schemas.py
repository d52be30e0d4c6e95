"""Which schema goes with which kind."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from buchi.schemas.forms import Tela, Tfla, Tgba, Tgra, Tlba
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl
from buchi.schemas.slba import Slba
from buchi.schemas.testing import TestingAutomaton

Form = Tlba | Slba | TestingAutomaton | Tgba | Tgra | Tfla | Tela
"""An automaton of any kind."""
ANY_FORM: TypeAdapter[Form] = TypeAdapter(
    Annotated[Form, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)
"""Reads JSON by its `kind`."""

SCHEMAS: dict[Kind, type[BaseModel]] = {
    Kind.LTL: Ltl,
    Kind.TLBA: Tlba,
    Kind.SLBA: Slba,
    Kind.TA: TestingAutomaton,
    Kind.TGBA: Tgba,
    Kind.TGRA: Tgra,
    Kind.TFLA: Tfla,
    Kind.TELA: Tela,
}
