"""What a reduced search must keep of a model, or why there can be none."""

from __future__ import annotations

from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.models.guarded import Expr, Meaning, Model, StepTest
from buchi.pipeline.arguments import SHORTEST
from buchi.pipeline.options import AUTO_SHORTEST, CheckOptions
from buchi.pipeline.properties import Forbidden
from buchi.pipeline.reduction import DEADLOCKS, Kept
from buchi.schemas.ltl import Ltl
from buchi.schemas.testing import TestingAutomaton


def kept_for(model: Model, forbidden: Forbidden, options: CheckOptions) -> Kept:
    """Return what is to be kept of a model. Raises InputError, which says why it cannot be.

    That a model ends only in some states is a question about its deadlocks; its assertions are one about its runs.
    """
    if options.fair:
        raise _refused(f"{option('fair')} counts steps that it leaves out")
    if options.checker in (SHORTEST, AUTO_SHORTEST):
        raise _refused("a shortest counterexample may be among the runs that it leaves out")
    if options.ends is not None:
        return Kept(()) if model.assertions else DEADLOCKS
    observed = tuple(_observed(name, meaning, model) for name, meaning in forbidden.meanings.items())
    if not _is_stutter_invariant(forbidden):
        raise _refused(
            "the property is not stutter-invariant: it tells runs apart that differ in repetitions only"
        )
    return Kept(tuple(expr for expr in observed if expr is not None))


def _observed(name: str, meaning: Meaning, model: Model) -> Expr | None:
    """Return what a proposition sees of a state; that it is a deadlock is kept without being looked at."""
    if not isinstance(meaning, StepTest):
        return meaning
    if meaning.what == "enabled" and meaning.negated and len(meaning.commands) == len(model.commands):
        return None
    raise _refused(f"the proposition {name} speaks of steps, of which some are left out")


def _is_stutter_invariant(forbidden: Forbidden) -> bool:
    value = forbidden.value
    if isinstance(value, TestingAutomaton):
        return True
    from buchi.translators.spot_helpers import stuttering

    return (
        stuttering.is_stutter_invariant(value)
        if isinstance(value, Ltl)
        else stuttering.ignores_repetitions(value)
    )


def _refused(why: str) -> InputError:
    return InputError(f"the search cannot be reduced: {why}", suggestion=f"leave out {option('reduce')}")
