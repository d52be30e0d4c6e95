"""Any program that prints HOA as a translator: `ltl3tela -f %f`, `ltl3dra -f %f`, `ltl2tgba %f`.

Such programs know few spellings of propositions, so each is given the names p0, p1, ... and the automaton gets
the real ones back.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import spot
from pydantic import BaseModel, ConfigDict, Field

from buchi.common.ends import Reason
from buchi.common.errors import InputError, LimitReached
from buchi.readers.hoa import parse_hoa
from buchi.schemas.automaton import Automaton
from buchi.schemas.kind_schemas import SCHEMAS
from buchi.schemas.kinds import Kind
from buchi.schemas.ltl import Ltl
from buchi.translators.hoa import read_as
from buchi.translators.spot_helpers.stuttering import is_stutter_invariant
from buchi.translators.translator import Options

FORMULA = "%f"
_SHOWN = 300


class ExternalCommand(BaseModel):
    """A program as the configuration declares it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: Annotated[str, Field(min_length=1)]
    """The program and its arguments; `%f` stands for the formula."""
    target: Literal["tgba", "tgra", "tfla", "tela"] = "tela"
    """The kind of what it prints."""
    syntax: Literal["spot", "spin", "lbt"] = "spin"
    """The syntax of formulas that it reads."""
    seconds: Annotated[float, Field(gt=0)] = 60.0


class ExternalTranslator:
    """A translator made of a command."""

    source = Kind.LTL
    paper = ""
    options: type[Options] = Options
    cost = 3
    """Used only where asked for by name, or where nothing else leads."""

    def __init__(self, name: str, declared: ExternalCommand) -> None:
        if FORMULA not in declared.command:
            raise InputError(f"the command of the translator {name} has no {FORMULA} for the formula")
        self.name = name
        self.declared = declared
        self.target = Kind(declared.target)
        self.summary = f"runs `{declared.command}`"

    def run(self, value: Ltl, options: Options) -> Any:
        """Run the program and read what it prints."""
        formula, names = _renamed(value, self.declared.syntax)
        text = _output(self.name, self.declared, formula)
        automaton = parse_hoa(text, f"the output of {self.name}")
        form: type[Automaton] = SCHEMAS[self.target]  # type: ignore[assignment]  # the targets are automata
        made = read_as(automaton, form, f"the output of {self.name}")
        return _with_names(self.name, made, names, is_stutter_invariant(value))


def _renamed(value: Ltl, syntax: str) -> tuple[str, dict[str, str]]:
    """Return the formula with plain names, and what each stands for."""
    meanings = spot.relabeling_map()
    formula = spot.relabel(spot.formula(value.formula), spot.Pnn, meanings)
    names = {short.ap_name(): name.ap_name() for short, name in meanings.items()}
    return formula.to_str(syntax, syntax != "lbt"), names


def _output(name: str, declared: ExternalCommand, formula: str) -> str:
    """Return what the program prints; a failure is told with what it said."""
    words = [word.replace(FORMULA, formula) for word in shlex.split(declared.command)]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=declared.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise LimitReached(
            Reason.TIME, f"translation: {name} took more than {declared.seconds:g} s"
        ) from None
    except OSError as error:
        raise InputError(f"the translator {name} cannot be run: {words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()[:_SHOWN] or "nothing"
        raise InputError(
            f"the translator {name} failed with exit code {done.returncode}", suggestion=f"it said: {said}"
        )
    if not done.stdout.strip():
        raise InputError(
            f"the translator {name} printed nothing", suggestion=f"it was run as {shlex.join(words)}"
        )
    return done.stdout


def _with_names(
    program: str, made: Automaton, names: Mapping[str, str], stutter_invariant: bool
) -> Automaton:
    """Give the propositions their own names again."""
    unknown = [name for name in made.propositions if name not in names]
    if unknown:
        raise InputError(
            f"the automaton of {program} has a proposition {unknown[0]!r} that the formula has not"
        )
    claims = made.claims.model_copy(update={"stutter_invariant": stutter_invariant})
    real = tuple(names[name] for name in made.propositions)
    return type(made).model_validate({**dict(made), "propositions": real, "claims": claims})
