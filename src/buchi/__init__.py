"""buchi: LTL model checking by automata. One model, one formula, every automaton.

In Python as on the command line: `load_model`, `explore`, `check`, `check_all`, `certify`,
`compare`, `simulate`, `draw` and `translate`.

Glossary
--------
model        a set of guarded commands over a fixed-size vector of variables (`buchi.models.guarded`)
proposition  a Boolean expression over a model's variables
letter       what an automaton reads at a step: the valuation of the propositions in the *source* state, in the
             *destination* state, or the *change* between the two
mark         the number of an acceptance set an edge belongs to; a mark set is a bit mask of them
automaton    a table (state, letter) -> {(destination, marks)} with an acceptance condition (`buchi.schemas.automaton`)
product      the synchronised exploration of a model and an automaton; all a checker ever sees
checker      an emptiness check: does the product have an accepting run?
route        translator chain + automaton kind + checker
verdict      holds, violated (with a counterexample that was replayed), or unknown (with the reason)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from buchi.common.ends import Verdict
    from buchi.common.errors import BuchiError, InputError
    from buchi.pipeline.api import certify, check, check_all, compare, explore, load_model, translate
    from buchi.pipeline.api_steps import draw, simulate

    __version__: str

__all__ = [
    "BuchiError",
    "InputError",
    "Verdict",
    "__version__",
    "certify",
    "check",
    "check_all",
    "compare",
    "draw",
    "explore",
    "load_model",
    "simulate",
    "translate",
]

_HOMES = {
    "BuchiError": "buchi.common.errors",
    "InputError": "buchi.common.errors",
    "Verdict": "buchi.common.ends",
    **dict.fromkeys(
        ("certify", "check", "check_all", "compare", "explore", "load_model", "translate"),
        "buchi.pipeline.api",
    ),
    **dict.fromkeys(("draw", "simulate"), "buchi.pipeline.api_steps"),
}


def __getattr__(name: str) -> Any:
    """Look a name up when it is first asked for: imports are slow, and the command line starts often."""
    if name == "__version__":
        from importlib.metadata import version

        return version("buchi")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
